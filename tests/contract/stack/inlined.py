"""Writes what the linters read: the template with all state machines inside it, and each state machine as JSON.

cfn-lint does not open a definition in another file, and asl-validator does not know substitutions. Run as
`python -m tests.contract.stack.inlined FOLDER`.
"""

import json
import re
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

from tests.contract.stack.documents import ACCEPT, ROUNDS, SEARCH, WARM_UP, read, template

PARTITION = "aws"
"""Given here: cfn-lint expects it where a resource of a state is named."""
MACHINES = {"SearchMachine": SEARCH, "AcceptMachine": ACCEPT, "RoundsMachine": ROUNDS, "WarmUpMachine": WARM_UP}
VERSION = "arn:aws:lambda:us-east-1:123456789012:function:{}:1"


def inlined_template() -> dict[str, Any]:
    """Put the state machines into the template, as plain CloudFormation: cfn-lint checks no definition of SAM's."""
    document = deepcopy(template())
    for name, path in MACHINES.items():
        resource = document["Resources"][name]
        own = resource["Properties"]
        resource["Type"] = "AWS::StepFunctions::StateMachine"
        resource["Properties"] = {
            "StateMachineType": own["Type"],
            "Definition": json.loads(json.dumps(read(path)).replace("${Partition}", PARTITION)),
            "DefinitionSubstitutions": {k: v for k, v in own["DefinitionSubstitutions"].items() if k != "Partition"},
            "RoleArn": own["Role"],
            "LoggingConfiguration": own["Logging"],
            "TracingConfiguration": own["Tracing"],
        }
    document["Resources"] |= _published("SearchMachine")
    return document


def _published(name: str) -> dict[str, Any]:
    """Return what SAM makes of a machine's AutoPublishAlias."""
    own = template()["Resources"][name]["Properties"]
    alias, preference = own["AutoPublishAlias"], own["DeploymentPreference"]
    version = {"StateMachineArn": {"Ref": name}}
    preference = {**preference, "StateMachineVersionArn": {"Ref": f"{name}Version"}}
    return {
        f"{name}Version": {"Type": "AWS::StepFunctions::StateMachineVersion", "Properties": version},
        f"{name}Alias{alias}": {
            "Type": "AWS::StepFunctions::StateMachineAlias",
            "Properties": {"Name": alias, "DeploymentPreference": preference},
        },
    }


def main(folder: Path) -> None:
    """Write all files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "template-inlined.json").write_text(json.dumps(inlined_template(), indent=1), "utf-8")
    for path in MACHINES.values():
        text = path.read_text("utf-8").replace("${Partition}", PARTITION)
        text = re.sub(r"\$\{(\w+)\}", lambda found: VERSION.format(found[1]), text)
        (folder / path.with_suffix(".json").name).write_text(json.dumps(yaml.safe_load(text), indent=1), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
