"""The commands that people run: the Makefile, .ci/run, the README, and the answers of the SAM CLI."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from tests.contract.stack.documents import functions, template, text

MAKEFILE = text("Makefile")
SAM: dict[str, Any] = tomllib.loads(text("samconfig.toml"))["default"]
TARGETS = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))


def test_every_target_is_listed_and_documented() -> None:
    """`make` lists all targets, no file hides one, and CONTRIBUTING explains those that contributors run."""
    [phony] = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert set(phony.split()) == TARGETS
    rows = re.findall(r"^\| (`make .+?`) \|", text("CONTRIBUTING.md"), re.MULTILINE)
    explained = {target for row in rows for target in re.findall(r"`make ([a-z-]+)", row)}
    assert {"test", "test-quick", "slow", "lint", "types", "template", "build"} <= explained <= TARGETS


def test_a_change_passes_every_check() -> None:
    """The targets of .ci/run exist; it builds before it tests, and tests as the README does."""
    called = re.findall(r"^\s*make ([a-z-]+)", text(".ci/run"), re.MULTILINE)
    assert {"lint", "types", "audit", "template", "build", "quality", "test"} <= set(called) <= TARGETS
    assert called.index("template") < called.index("build") < called.index("test")
    assert "`make test`" in text("README.md")


def test_every_handler_can_be_invoked() -> None:
    """`make invoke HANDLER=...` knows each handler by the name of its folder."""
    table = dict(re.findall(r"^FUNCTION_(\w+) := (\w+)$", MAKEFILE, re.MULTILINE))
    assert table == {function["CodeUri"].removeprefix("functions/"): name for name, function in functions().items()}


def test_the_build_is_what_is_deployed() -> None:
    """It is for the processor of the template by default, and is repeated when a file of the template changes."""
    [default] = re.findall(r"^ARCHITECTURE \?= (\S+)$", MAKEFILE, re.MULTILINE)
    assert default == template()["Parameters"]["Architecture"]["Default"]
    [watched] = re.findall(r"shell find ([a-z/ _]+) -type f", MAKEFILE)
    named = {*re.findall(r"(?:Uri|Location): ([a-z_./]+)$", text("template.yaml"), re.MULTILINE)}
    assert len(named) == 7
    assert [path for path in named if not any(f"{path}/".startswith(f"{folder}/") for folder in watched.split())] == []


def test_a_deployment_asks_first_and_keeps_its_answers_private() -> None:
    """The operator confirms each change; region, profile and bucket are in a file that is never committed."""
    deploy = SAM["deploy"]["parameters"]
    assert (deploy["confirm_changeset"], deploy["capabilities"]) == (True, "CAPABILITY_IAM")
    assert not {key for command in SAM.values() for key in command["parameters"]} & {
        "region", "profile", "s3_bucket", "role_arn",
    }  # fmt: skip
    [answers] = re.findall(r"^ANSWERS := (\S+)$", MAKEFILE, re.MULTILINE)
    assert answers != "samconfig.toml"
    assert answers in text(".gitignore").split()


def test_both_linters_are_one_version() -> None:
    """`sam validate --lint` and `make template` use one version of cfn-lint."""
    pins = [
        re.findall(r"^cfn-lint==(\S+)$", text(name), re.MULTILINE)
        for name in ("constraints.txt", "constraints-sam.txt")
    ]
    assert pins[0] == pins[1] != []


def test_an_ignored_finding_has_its_reason() -> None:
    """A rule of checkov is skipped beside its resource, with a sentence."""
    reasons = re.findall(r'\{ id: CKV\w+, comment: "([^"]+)" \}', text("template.yaml"))
    assert len(reasons) == text("template.yaml").count("CKV_") > 0
    assert [reason for reason in reasons if len(reason.split()) < 6] == []
