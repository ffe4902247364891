"""Where each state lies in the drawing of a state machine, worked out from its definition alone.

Every frame is laid out the same way: what leads to success runs down one spine, what ends otherwise lies to its right,
and a Map is a frame within a frame. No library does it: grandalf knows no nested frames, Graphviz and ELK need programs
beside Python, and Mermaid is laid out by whoever shows it, so that no test could look at the picture.
"""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap

from tests.contract.stack.state_machine_shapes import Box, Frame, Line, State
from tests.contract.stack.state_machine_ways import Ways, answer_of, chain, ways_out

WIDTH, PAD, HEADER = 186, 18, 34
LINE, NOTE = 17, 15
DOWN, STACK, LABEL, RAIL = 28, 14, 92, 18


def lay_out(machine: State) -> Frame:
    """Lay out a state machine, or the inside of a Map; its upper left corner is the origin."""
    frame, states = Frame(), machine["States"]
    spine = _place_spine(frame, states, chain(machine["StartAt"], states))
    for ways, sources in _groups(spine, states).items():
        if ways[0][0] in {box.name for box in spine}:
            frame.lines += _back(sources[0], next(box for box in spine if box.name == ways[0][0]), ways[0][1])
        else:
            _place_aside(frame, states, ways, sources)
    return frame.moved(0, -min(box.y for box in frame.boxes))


def rows_of(name: str) -> list[str]:
    """Break a name into rows of much the same length, no more of them than a box needs."""
    rows = len(wrap(name, 28))
    return next(broken for most in range(1, 29) if len(broken := wrap(name, most)) <= rows)


def _depth(machine: State) -> int:
    return max(1 + _depth(s["ItemProcessor"]) if s["Type"] == "Map" else 0 for s in machine["States"].values())


def _place_spine(frame: Frame, states: State, chain: list[str]) -> list[Box]:
    """Put the states of the chain below each other; however deep they lie, their spine is one line."""
    indent, y, spine = PAD * _depth({"States": states}), 0.0, list[Box]()
    for name in chain:
        state = states[name]
        if state["Type"] == "Map":
            inner = lay_out(state["ItemProcessor"])
            within = PAD * (_depth({"States": states}) - 1 - _depth(state["ItemProcessor"]))
            box = Box(name, state, inner.width + 2 * PAD, inner.height + HEADER + PAD, within, y)
            moved = inner.moved(within + PAD, y + HEADER)
        else:
            box, moved = replace(_simple(name, state), x=indent, y=y), Frame()
        frame.boxes += [box, *moved.boxes]
        frame.lines += moved.lines
        if spine:
            at = indent + WIDTH / 2
            label = answer_of(spine[-1], name)
            frame.lines.append(Line((at, spine[-1].bottom), (at, y), label))
        spine.append(box)
        y = box.bottom + DOWN
    return spine


def _simple(name: str, state: State, *, aside: bool = False) -> Box:
    noted = state["Type"] in {"Task", "Wait"} or (aside and "Next" in state)
    height = 18 + LINE * len(rows_of(name)) + (NOTE if noted else 0)
    return Box(name, state, WIDTH, height, aside=aside)


def _groups(spine: list[Box], states: State) -> dict[Ways, list[Box]]:
    """Bring together the states that lead to the same ends for the same reasons."""
    groups: dict[Ways, list[Box]] = {}
    for box in spine:
        if ways := ways_out(box.state, states):
            groups.setdefault(ways, []).append(box)
    return groups


def _place_aside(frame: Frame, states: State, ways: Ways, sources: list[Box]) -> None:
    """Put the ends beside the states that lead there, and join them by one rail."""
    stack = [_simple(name, states[name], aside=_is_ending(states[name], why)) for name, why in ways]
    height = sum(box.height for box in stack) + STACK * (len(stack) - 1)
    near = [box.middle for box in sources if box.state["Type"] != "Map"]
    top = sum(near) / len(near) - height / 2
    rail = RAIL + max(box.right for box in frame.boxes if box.y < top + height and box.bottom > top)
    ends = list[Box]()
    for box in stack:
        ends.append(replace(box, x=rail + LABEL, y=ends[-1].bottom + STACK if ends else top))
    frame.boxes += ends
    frame.lines += _rail(rail, sources, ends, dict(ways))
    if ends[-1].state["Type"] == "Task":
        _place_after(frame, states, ends[-1])


def _is_ending(state: State, why: str) -> bool:
    """Tell whether a state beside the spine is there because something went another way than was hoped."""
    return state["Type"] != "Wait" and why != "yes"


def _place_after(frame: Frame, states: State, box: Box) -> None:
    """Put the last state of a short way below the one before, which leads there whatever becomes of it."""
    last = replace(_simple(box.state["Next"], states[box.state["Next"]]), x=box.x, y=box.bottom + DOWN)
    at, beside = box.x + WIDTH / 3, box.x + WIDTH * 2 / 3
    frame.boxes.append(last)
    frame.lines.append(Line((at, box.bottom), (at, last.y)))
    frame.lines.append(Line((beside, box.bottom), (beside, last.y), "any failure", dashed=True))


def _back(source: Box, target: Box, why: str) -> list[Line]:
    """Draw a way that leaves the spine and comes back to it further down."""
    rail = source.right + RAIL
    return [
        Line((source.right, source.middle), (rail, source.middle), dashed=True, arrow=False),
        Line((rail, source.middle), (rail, target.middle), why, dashed=True, arrow=False),
        Line((rail, target.middle), (target.right, target.middle), dashed=True),
    ]


def _rail(rail: float, sources: list[Box], ends: list[Box], why: dict[str, str]) -> list[Line]:
    """Draw the rail, the ways onto it and the ways off it; what lies above an end drops straight down to it."""
    dashed = "Catch" in sources[0].state
    beside = [box for box in sources if box.right < rail]
    above = [box for box in sources if box.right >= rail]
    heights = [box.middle for box in [*beside, *ends]]
    lines = [Line((rail, min(heights)), (rail, max(heights)), dashed=dashed, arrow=False)]
    lines += [Line((box.right, box.middle), (rail, box.middle), dashed=dashed, arrow=False) for box in beside]
    lines += [Line((rail, end.middle), (end.x, end.middle), why[end.name], dashed) for end in ends]
    down = ends[0].x + WIDTH / 2
    return lines + [Line((down, box.bottom), (down, ends[0].y), dashed=dashed) for box in above]
