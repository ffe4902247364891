"""Writes what the linters read: the template with the flow inside it, and the flow alone as JSON.

cfn-lint opens no definition that lies in a file of its own, and asl-validator knows no substitutions. Run as
`python -m tests.infrastructure.inlined FOLDER`.
"""

from __future__ import annotations

import json
import re
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.infrastructure.documents import FLOW, flow, read, template

STAND_IN = "arn:aws:lambda:us-east-1:123456789012:function:{}:live"


def inlined_template(machine: dict[str, Any]) -> dict[str, Any]:
    """Put the flow into the template: as plain CloudFormation, since the linter checks no definition of SAM's."""
    document = deepcopy(template())
    resource = document["Resources"]["SearchMachine"]
    own = resource["Properties"]
    resource["Type"] = "AWS::StepFunctions::StateMachine"
    resource["Properties"] = {
        "StateMachineType": own["Type"],
        "Definition": machine,
        "DefinitionSubstitutions": own["DefinitionSubstitutions"],
        "RoleArn": own["Role"],
        "LoggingConfiguration": own["Logging"],
        "TracingConfiguration": own["Tracing"],
    }
    return document


def substituted_flow(text: str) -> dict[str, Any]:
    """Give the flow with an address in place of each substitution."""
    return read(re.sub(r"\$\{(\w+)\}", lambda found: STAND_IN.format(found[1]), text))


def main(folder: Path) -> None:
    """Write both files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "template-inlined.json").write_text(json.dumps(inlined_template(flow()), indent=1), "utf-8")
    machine = substituted_flow(FLOW.read_text("utf-8"))
    (folder / "search.asl.json").write_text(json.dumps(machine, indent=1), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
