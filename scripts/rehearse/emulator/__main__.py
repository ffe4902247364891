"""Starts the emulator of AWS with what it lacks of this stack; run by the Python of `.venv-rehearse`.

Ministack deploys templates, runs functions and state machines, and serves APIs. It does not know versions and aliases
of state machines in a template, alarms of several metrics, and integrations of an imported API with Step Functions.
"""

import sys
from pathlib import Path

from ministack.app import main

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # the templates are run by tests/support/velocity.py

from scripts.rehearse.emulator import gateway, layers, machines, pages, templates

if __name__ == "__main__":
    for extension in (gateway, layers, machines, pages, templates):
        extension.install()
    main()
