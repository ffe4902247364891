"""The commands of the deployment: the Makefile, what a change must pass, and the answers of the SAM CLI."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from tests.contract.stack.documents import ROOT, functions, template

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
CI = (ROOT / ".ci" / "run").read_text("utf-8")
SAM: dict[str, Any] = tomllib.loads((ROOT / "samconfig.toml").read_text("utf-8"))["default"]
HELPED = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))


def test_every_target_is_listed() -> None:
    """`make` alone lists all that can be made, and a file of the same name hides none of them."""
    [phony] = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert set(phony.split()) == HELPED


def test_a_change_passes_the_deployment_s_checks_too() -> None:
    """Every target that a change must pass exists; the template is checked and built before the tests run."""
    targets = re.findall(r"^\s*make ([a-z-]+)", CI, re.MULTILINE)
    assert set(targets) <= HELPED
    assert targets.index("template") < targets.index("build") < targets.index("test")


def test_every_door_can_be_called() -> None:
    """`make invoke DOOR=...` knows each door by the name of its folder."""
    table = dict(re.findall(r"^FUNCTION_(\w+) := (\w+)$", MAKEFILE, re.MULTILINE))
    assert table == {function["CodeUri"].removeprefix("functions/"): name for name, function in functions().items()}


def test_what_is_built_is_what_is_deployed() -> None:
    """Without a choice, the Makefile builds for the processor that the template asks for."""
    [default] = re.findall(r"^ARCHITECTURE \?= (\S+)$", MAKEFILE, re.MULTILINE)
    assert default == template()["Parameters"]["Architecture"]["Default"]


def test_whatever_is_deployed_is_built_anew_when_it_changes() -> None:
    """The build looks at the folder of every file that the template names, the contract of the API too."""
    [watched] = re.findall(r"shell find ([a-z/ _]+) -type f", MAKEFILE)
    named = {*re.findall(r"(?:Uri|Location): ([a-z_./]+)$", (ROOT / "template.yaml").read_text("utf-8"), re.MULTILINE)}
    assert len(named) == 7
    assert [path for path in named if not any(f"{path}/".startswith(f"{folder}/") for folder in watched.split())] == []


def test_a_deployment_asks_before_it_changes_anything() -> None:
    """The operator sees the changes first; the stack is given no more rights than to make its own roles."""
    deploy = SAM["deploy"]["parameters"]
    assert deploy["confirm_changeset"] is True
    assert deploy["capabilities"] == "CAPABILITY_IAM"
    assert SAM["global"]["parameters"] == {"stack_name": "goldpan"}


def test_the_answers_name_no_place() -> None:
    """Region, profile and bucket are the operator's own."""
    named = {key for command in SAM.values() for key in command["parameters"]}
    assert not named & {"region", "profile", "s3_bucket", "role_arn"}


def test_the_answers_of_an_operator_stay_with_the_operator() -> None:
    """What a deployment asked is kept in a file that is never committed."""
    [answers] = re.findall(r"^ANSWERS := (\S+)$", MAKEFILE, re.MULTILINE)
    assert answers != "samconfig.toml"
    assert answers in (ROOT / ".gitignore").read_text("utf-8").split()


def test_both_tools_lint_alike() -> None:
    """`sam validate --lint` and the tests use one version of cfn-lint."""
    pins = [
        re.findall(r"^cfn-lint==(\S+)$", (ROOT / name).read_text("utf-8"), re.MULTILINE)
        for name in ("constraints.txt", "constraints-sam.txt")
    ]
    assert pins[0] == pins[1] != []
