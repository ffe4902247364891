"""The tables: in the form that the code uses, forgetting, encrypted, and reached by those alone who need them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.stack.documents import ROOT, flow, functions, resources, states, template, warm_up
from tests.contract.stack.permissions import actions, statements

SERVICES = ROOT / "layers" / "goldpan" / "goldpan" / "services"
TABLES = resources("AWS::DynamoDB::Table")
BY_TABLE = pytest.mark.parametrize("table", sorted(TABLES))
CODE = {
    "CacheTable": ("dynamodb_cache.py",),
    "BudgetTable": ("dynamodb_budget.py", "dynamodb_flights.py"),
    "PopularityTable": ("dynamodb_popularity.py",),
}
"""What uses a table, of the functions."""
MACHINES = {"SearchMachineRole": flow(), "WarmUpMachineRole": warm_up()}
CALLED = re.compile(r"self\._client\.(?!exceptions)(\w+)")


def _granted(role: str) -> Iterator[tuple[str, str]]:
    """Give each action on a table that a role has, with the table or the index."""
    for condition, statement in statements(role):
        for action in actions(statement):
            if action.startswith("dynamodb:"):
                assert condition is None
                [named] = statement["Resource"].values()
                where = named[0] if isinstance(named, list) else re.sub(r"\$\{(\w+)\.Arn\}", r"\1", named)
                yield action.removeprefix("dynamodb:"), where


def _used(table: str) -> set[str]:
    """Find the calls of DynamoDB in the code that uses a table, as IAM names them."""
    called = {name for module in CODE[table] for name in CALLED.findall((SERVICES / module).read_text("utf-8"))}
    return {"".join(word.title() for word in name.split("_")) for name in called}


@BY_TABLE
def test_a_table_is_found_by_one_key_and_forgets(table: str) -> None:
    """Every item has the key that the code gives it, and goes when its ttl is over."""
    made = TABLES[table]
    assert made["KeySchema"] == [{"AttributeName": "pk", "KeyType": "HASH"}]
    assert {"AttributeName": "pk", "AttributeType": "S"} in made["AttributeDefinitions"]
    assert made["TimeToLiveSpecification"] == {"AttributeName": "ttl", "Enabled": True}


@BY_TABLE
def test_a_table_costs_nothing_while_nobody_asks(table: str) -> None:
    """Paid by the request; an index shares that."""
    assert TABLES[table]["BillingMode"] == "PAY_PER_REQUEST"
    assert "ProvisionedThroughput" not in TABLES[table]


@BY_TABLE
def test_a_table_is_encrypted_and_goes_with_the_stack(table: str) -> None:
    """Under the account's own key; nothing is left behind, because all of it can be found again."""
    resource = template()["Resources"][table]
    assert resource["Properties"]["SSESpecification"] == {"SSEEnabled": True}
    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("Delete", "Delete")
    assert "TableName" not in resource["Properties"], "a fixed name could not be replaced"


@pytest.mark.parametrize("function", sorted(functions()))
def test_a_function_does_to_a_table_what_its_code_does(function: str) -> None:
    """Each function has the calls of the stores that it is given by its environment, and no other."""
    variables = functions()[function]["Environment"]["Variables"]
    given = {value["Ref"] for name, value in variables.items() if name.endswith("_TABLE")}
    expected = {(action, table) for table in given for action in _used(table)}
    assert set(_granted(function.replace("Function", "Role"))) == expected


@pytest.mark.parametrize("role", sorted(MACHINES))
def test_a_machine_does_to_a_table_what_its_flow_does(role: str) -> None:
    """Each call of DynamoDB in a flow is allowed to its role, on the table or the index that it names."""
    expected = set[tuple[str, str]]()
    for _, state in states(MACHINES[role]):
        called = re.fullmatch(r"arn:aws:states:::(?:aws-sdk:)?dynamodb:(\w+)", str(state.get("Resource")))
        if called:
            asked: dict[str, Any] = state["Parameters"]
            index = f"/index/{asked['IndexName']}" if "IndexName" in asked else ""
            expected.add((called[1][0].upper() + called[1][1:], asked["TableName"].strip("${}") + index))
    assert expected
    assert set(_granted(role)) == expected


def test_a_table_declares_its_keys_alone() -> None:
    """Only keys are declared: every other attribute is free, and a declared one that is no key would be refused."""
    for table in TABLES.values():
        schemas = [table["KeySchema"], *(index["KeySchema"] for index in table.get("GlobalSecondaryIndexes", ()))]
        keys = {key["AttributeName"] for schema in schemas for key in schema}
        assert {each["AttributeName"] for each in table["AttributeDefinitions"]} == keys


def test_the_index_gives_the_first_of_a_day() -> None:
    """By day, ordered by how often it was asked, with the request and nothing else."""
    [index] = TABLES["PopularityTable"]["GlobalSecondaryIndexes"]
    assert index == {
        "IndexName": "by_day",
        "KeySchema": [{"AttributeName": "day", "KeyType": "HASH"}, {"AttributeName": "asked", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["request"]},
    }
