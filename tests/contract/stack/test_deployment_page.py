"""What the README says of the deployment is what the template does, and who uses a table is told where the flow is."""

from __future__ import annotations

import json
import re

from tests.contract.stack.documents import CONTRACT, ROOT, functions, read, resources, template
from tests.contract.stack.permissions import actions, statements

README = (ROOT / "README.md").read_text("utf-8")
PAGE = README.partition("\n## On AWS\n")[2].partition("\n## ")[0]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| `([A-Z]\w+)` \| ?`?([^|`]*?)`? \|", PAGE, re.MULTILINE))
READS = ("GetItem", "BatchGetItem", "Query")
ROLES = {"QueryTranslatorRole", "ScoutRole", "ScreenerRole", "SearchMachineRole", "WarmUpMachineRole"}


def test_the_page_has_every_parameter_with_its_default() -> None:
    """What an operator may choose is listed, in the order of the template's parts, with what is chosen without them."""
    assert {name: str(parameter["Default"]) for name, parameter in template()["Parameters"].items()} == ROWS


def test_the_page_has_every_setting_of_a_parameter() -> None:
    """A setting stands beside the parameter that fills it."""
    filled = {
        (value["Ref"], name)
        for function in functions().values()
        for name, value in function["Environment"]["Variables"].items()
        if isinstance(value, dict) and value["Ref"] in template()["Parameters"]
    }
    assert set(re.findall(r"^\| `(\w+)` \|[^|]*\| `(\w+)` \|", PAGE, re.MULTILINE)) == filled


def test_the_outputs_that_are_asked_for_exist() -> None:
    """The commands of the page find what they ask the stack for."""
    asked = set(re.findall(r"\boutput ([A-Z]\w+)", PAGE)) | set(re.findall(r"the output `(\w+)`", PAGE))
    assert asked == {"ApiKeyId", "SearchUrl", "SearchMachineArn", "ApiUsagePlanId"}
    assert asked <= set(template()["Outputs"])


def test_the_refusal_that_is_shown_is_the_gateway_s() -> None:
    """Word for word what the contract says for a body that it refuses."""
    [shown] = re.findall(r'^\{"type".*\}$', PAGE, re.MULTILINE)
    responses = read(CONTRACT.read_text("utf-8"))["x-amazon-apigateway-gateway-responses"]
    assert json.loads(shown) == json.loads(responses["BAD_REQUEST_BODY"]["responseTemplates"]["application/json"])


def test_the_answer_that_is_shown_is_one() -> None:
    """It begins as every answer does."""
    example = json.loads((ROOT / "docs" / "example-answer.json").read_text("utf-8"))
    [shown] = re.findall(r'^\{"query":.*$', PAGE, re.MULTILINE)
    assert re.findall(r'"(\w+)":', shown)[:3] == list(example)[:3]
    assert set(re.findall(r'"(\w+)":', shown)[3:]) <= set(example["repositories"])


def test_who_reads_and_writes_a_table_is_who_may() -> None:
    """The table of tables in the architecture says the same as the roles."""
    rows = re.findall(r"^\| `(\w+Table)` \| [^|]+ \| ([^|]+) \| ([^|]+) \|", ARCHITECTURE, re.MULTILINE)
    told = {
        (table, kind, name)
        for table, writers, readers in rows
        for kind, names in (("writes", writers), ("reads", readers))
        for name in re.findall(r"`(\w+)`", names)
    }
    assert told == {found for role in ROLES for found in _uses(role)}
    assert {table for table, _, _ in rows} == set(resources("AWS::DynamoDB::Table"))


def _uses(role: str) -> set[tuple[str, str, str]]:
    user = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in role.removesuffix("Role"))
    found = set[tuple[str, str, str]]()
    for _, statement in statements(role):
        for action in actions(statement):
            if action.startswith("dynamodb:"):
                table = re.findall(r"\w+Table", json.dumps(statement["Resource"]))[0]
                reads = action.removeprefix("dynamodb:") in READS
                found.add((table, "reads" if reads else "writes", user.lstrip("_")))
    return found
