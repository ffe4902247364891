"""What the state machine and Python both define is generated, and the committed definition is up to date."""

from __future__ import annotations

import re

import pytest

from statemachine.generate import DEFINITION, generate, generated_values

TEXT = DEFINITION.read_text("utf-8")


def test_the_definition_is_up_to_date() -> None:
    """`make asl` changes nothing; a mark without a value is an error."""
    assert generate(TEXT, generated_values()) == TEXT
    assert set(re.findall(r"# generated: ([a-z ]+)$", TEXT, re.MULTILINE)) == generated_values().keys()
    with pytest.raises(KeyError, match="terminal errors"):
        generate(TEXT, {name: [] for name in generated_values() if name != "terminal errors"})


def test_another_value_changes_its_places_alone() -> None:
    """Comments and all other lines stay."""
    changed = generate(TEXT, generated_values() | {"request defaults": {"mode": "focused"}})
    assert set(changed.splitlines()) - set(TEXT.splitlines()) == {"        mode: focused"}
    assert generate(changed, generated_values()) == TEXT
