"""What a page reads of a kind."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import cast

from goldpan.engine.kind import AnyKind
from goldpan.engine.kind_description import describe_kind, presentation_of
from goldpan.kinds.registry import all_kinds

from tests.support import toy_kind

TOYS = cast("AnyKind", toy_kind.KIND)


def test_every_kind_is_described_as_json() -> None:
    """No function or model is left in it."""
    for kind in (*all_kinds(), TOYS):
        assert json.loads(json.dumps(describe_kind(kind)))["name"] == kind.name


def test_a_kind_without_a_presentation_is_shown_by_the_fields_that_every_result_has() -> None:
    """Its title is the name of a result; an address that it does not have is unknown."""
    shown = presentation_of(replace(TOYS, present=None))
    robot = toy_kind.RankedToy(name="robot", url="", age=3, relevance=0.5, reasoning="It is new.")
    assert (shown.title.read(robot), shown.address.read(robot)) == ("robot", None)
    assert [column.read(robot) for column in shown.columns] == [0.5]
