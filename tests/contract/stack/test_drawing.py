"""The drawing in the documents is the state machine as it is, and it can be read."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree as ET

import yaml

from tests.contract.stack.state_machine_drawing import DEFINITION, DRAWING, draw
from tests.contract.stack.state_machine_layout import lay_out
from tests.contract.stack.state_machine_shapes import Box, Line, State

MACHINE = yaml.safe_load(DEFINITION.read_text("utf-8"))
FRAME = lay_out(MACHINE)
BROADEST = 900
"""As wide as a page of documents shows a picture without making it smaller."""


def test_the_drawing_is_of_the_present_state_machine() -> None:
    """Whoever changes the flow draws it anew: `python -m tests.contract.stack.state_machine_drawing`."""
    assert DRAWING.read_text("utf-8") == draw(DEFINITION.read_text("utf-8"))


def test_every_state_is_drawn_once() -> None:
    """The drawing leaves no state out, those within a Map and those of failures included."""
    assert sorted(box.name for box in FRAME.boxes) == sorted(_names(MACHINE))


def test_every_state_that_something_leads_to_has_an_arrow() -> None:
    """Only the first state of a frame is reached without one."""
    first = {MACHINE["StartAt"], *(state["ItemProcessor"]["StartAt"] for state in _maps(MACHINE))}
    reached = [box.name for box in FRAME.boxes if any(line.arrow and _touches(box, line.end) for line in FRAME.lines)]
    assert reached == [box.name for box in FRAME.boxes if box.name not in first]


def test_every_failure_that_is_caught_leaves_its_state() -> None:
    """A dashed line begins at every state that catches something, and at no other."""
    begun = [line.start for line in FRAME.lines if line.dashed]
    left = [box.name for box in FRAME.boxes if any(_leaves(box, start) for start in begun)]
    assert left == [box.name for box in FRAME.boxes if "Catch" in box.state]


def test_no_two_boxes_overlap() -> None:
    """A box lies within another as a whole, or apart from it."""
    for one, other in combinations(FRAME.boxes, 2):
        assert _apart(one, other) or _within(one, other) or _within(other, one), (one.name, other.name)


def test_no_line_runs_through_a_state() -> None:
    """A line touches the states that it joins, and crosses no other."""
    states = [box for box in FRAME.boxes if box.state["Type"] != "Map"]
    assert [(box.name, line) for box in states for line in FRAME.lines if _crosses(line, box)] == []


def test_the_drawing_fits_on_a_page() -> None:
    """The picture is well-formed, and its letters are shown as large as they were drawn."""
    picture = ET.fromstring(DRAWING.read_text("utf-8"))
    assert float(picture.attrib["width"]) <= BROADEST


def _maps(machine: State) -> list[State]:
    maps = [state for state in machine["States"].values() if state["Type"] == "Map"]
    return maps + [deeper for state in maps for deeper in _maps(state["ItemProcessor"])]


def _names(machine: State) -> list[str]:
    return [*machine["States"], *(name for state in _maps(machine) for name in state["ItemProcessor"]["States"])]


def _touches(box: Box, point: tuple[float, float]) -> bool:
    return box.x <= point[0] <= box.right and box.y <= point[1] <= box.bottom


def _leaves(box: Box, point: tuple[float, float]) -> bool:
    return _touches(box, point) and (point[0] == box.right or point[1] == box.bottom)


def _apart(one: Box, other: Box) -> bool:
    return one.right < other.x or other.right < one.x or one.bottom < other.y or other.bottom < one.y


def _within(inner: Box, outer: Box) -> bool:
    return _touches(outer, (inner.x, inner.y)) and _touches(outer, (inner.right, inner.bottom))


def _crosses(line: Line, box: Box) -> bool:
    (left, right), (top, bottom) = sorted((line.start[0], line.end[0])), sorted((line.start[1], line.end[1]))
    return left < box.right and right > box.x and top < box.bottom and bottom > box.y
