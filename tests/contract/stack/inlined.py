"""Writes what the linters read: the template with both flows inside it, and each flow alone as JSON.

cfn-lint opens no definition that lies in a file of its own, and asl-validator knows no substitutions. Run as
`python -m tests.contract.stack.inlined FOLDER`.
"""

from __future__ import annotations

import json
import re
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.contract.stack.documents import FLOW, WARM_UP, flow, read, template, warm_up

STAND_IN = "arn:aws:lambda:us-east-1:123456789012:function:{}:live"


def inlined_template(**machines: dict[str, Any]) -> dict[str, Any]:
    """Put flows into the template, each under the logical id of its machine; without any, put in the template's own."""
    document = deepcopy(template())
    for name, machine in (machines or {"SearchMachine": flow(), "WarmUpMachine": warm_up()}).items():
        _inline(document["Resources"][name], machine)
    return document


def _inline(resource: dict[str, Any], machine: dict[str, Any]) -> None:
    """Make plain CloudFormation of a machine, since the linter checks no definition of SAM's."""
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


def substituted_flow(text: str) -> dict[str, Any]:
    """Give a flow with an address in place of each substitution."""
    return read(re.sub(r"\$\{(\w+)\}", lambda found: STAND_IN.format(found[1]), text))


def main(folder: Path) -> None:
    """Write all files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "template-inlined.json").write_text(json.dumps(inlined_template(), indent=1), "utf-8")
    for path in (FLOW, WARM_UP):
        machine = substituted_flow(path.read_text("utf-8"))
        (folder / path.with_suffix(".json").name).write_text(json.dumps(machine, indent=1), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
