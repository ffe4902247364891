"""Draws the state machine: `python -m tests.contract.stack.state_machine_drawing` writes docs/architecture.svg anew."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import yaml

from tests.contract.stack.state_machine_layout import LINE, NOTE, WIDTH, lay_out, rows_of
from tests.contract.stack.state_machine_shapes import Box, Line, State

ROOT = Path(__file__).resolve().parents[3]
DEFINITION, DRAWING = ROOT / "statemachine" / "search.asl.yaml", ROOT / "docs" / "architecture.svg"
MARGIN = 24
INK, FAINT, WAY, CAUGHT = "#2b2b33", "#63636e", "#4a4a55", "#b4483c"
WHITE = ("#ffffff", "#9a9aa6")
LOOKS = {"Choice": ("#ffffff", "#4a4a55"), "Map": ("#f6f7f9", "#c9ccd4")}
ASIDE = ("#fdf0ee", "#d88a80")
FUNCTIONS = (("#d6e6f7", "#5b8fc4"), ("#d5edd8", "#5a9e68"), ("#f8e3ac", "#b8892b"))


def draw(definition: str) -> str:
    """Draw a state machine, given as YAML, as SVG."""
    machine = yaml.safe_load(definition)
    frame = lay_out(machine).moved(MARGIN, MARGIN)
    functions = list(dict.fromkeys(name for box in frame.boxes if (name := _function(box.state))))
    looks = dict(zip(functions, FUNCTIONS, strict=True))
    width, height = frame.width + MARGIN, frame.height + MARGIN
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"',
        f'  viewBox="0 0 {width:g} {height:g}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="{INK}">',
        f"  <title>{escape(' '.join(machine['Comment'].split()))}</title>",
        f"  <defs>{_tip('way', WAY)}{_tip('caught', CAUGHT)}</defs>",
        f'  <rect width="{width:g}" height="{height:g}" rx="12" fill="#ffffff"/>',
        *(_box(box, looks) for box in frame.boxes if box.state["Type"] == "Map"),
        *(_line(line) for line in frame.lines),
        *(_box(box, looks) for box in frame.boxes if box.state["Type"] != "Map"),
        *_legend(looks, width - MARGIN),
        "</svg>\n",
    ])  # fmt: skip


def _function(state: State) -> str:
    """Name the function of a task, as its folder is named."""
    name = re.fullmatch(r"\$\{(\w+)Function\}", state.get("Resource", ""))
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name[1]).lower() if name else ""


def _tip(name: str, colour: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 1L10 5L0 9z" fill="{colour}"/></marker>'
    )


def _box(box: Box, looks: dict[str, tuple[str, str]]) -> str:
    fill, stroke = looks.get(_function(box.state)) or (ASIDE if box.aside else LOOKS.get(box.state["Type"], WHITE))
    text = _map_text(box) if box.state["Type"] == "Map" else _text(box)
    comment = escape(" ".join(box.state["Comment"].split()))
    return f'  <g><title>{comment}</title>{_shape(box)} fill="{fill}" stroke="{stroke}" stroke-width="1.4"/>{text}</g>'


def _shape(box: Box) -> str:
    if box.state["Type"] == "Choice":
        x, y, right, bottom = box.x, box.y, box.right, box.bottom
        corners = [(x + 14, y), (right - 14, y), (right, box.middle), (right - 14, bottom), (x + 14, bottom)]
        return f'<polygon points="{" ".join(f"{a:g},{b:g}" for a, b in [*corners, (x, box.middle)])}"'
    return f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" rx="8"'


def _map_text(box: Box) -> str:
    at_once = f"at most {box.state['MaxConcurrency']}" if "MaxConcurrency" in box.state else "as many as allowed"
    each = _faint(f"for every {box.name.partition(' every ')[2]}, {at_once} at once", ' dx="10"')
    place = f'x="{box.x + 14:g}" y="{box.y + 22:g}"'
    return f'<text {place}><tspan font-weight="bold">{escape(box.name)}</tspan>{each}</text>'


def _text(box: Box) -> str:
    """Write the name in the middle of a box and, below it, who does it and how long it may take."""
    rows, x = rows_of(box.name), box.x + box.width / 2
    note = f"then: {box.state['Next']}" if box.aside and "Next" in box.state else ""
    if box.state["Type"] == "Task":
        note = f"{_function(box.state) or 'DynamoDB'}, {box.state['TimeoutSeconds']} s"
    elif box.state["Type"] == "Wait":
        note = f"{box.state['Seconds']} s, then: {box.state['Next']}"
    first = box.middle + 4.5 - LINE * (len(rows) - 1) / 2 - (NOTE / 2 if note else 0)
    weight = "" if box.aside else ' font-weight="bold"'
    spans = [f'<tspan x="{x:g}" y="{first + LINE * at:g}"{weight}>{escape(row)}</tspan>' for at, row in enumerate(rows)]
    spans += [_faint(note, f' x="{x:g}" y="{first + LINE * len(rows) - 1:g}"')] if note else []
    return f'<text text-anchor="middle">{"".join(spans)}</text>'


def _faint(text: str, place: str) -> str:
    return f'<tspan{place} font-size="11" fill="{FAINT}">{escape(text)}</tspan>'


def _line(line: Line) -> str:
    name, colour = ("caught", CAUGHT) if line.dashed else ("way", WAY)
    (x, y), (end_x, end_y) = line.start, line.end
    look = ' stroke-dasharray="5 4"' * line.dashed + f' marker-end="url(#{name})"' * line.arrow
    path = f'<path d="M{x:g} {y:g}L{end_x:g} {end_y:g}" fill="none" stroke="{colour}" stroke-width="1.5"{look}/>'
    place = f'x="{x + 8:g}" y="{y + (18 if x == end_x else -6):g}"'
    return f'  {path}<text {place} font-size="11" fill="{colour}">{line.label}</text>' if line.label else f"  {path}"


def _legend(looks: dict[str, tuple[str, str]], right: float) -> list[str]:
    """Explain the colours, in the corner that the questions at the beginning leave free."""
    x, rows = right - WIDTH, []
    for row, (name, (fill, stroke)) in enumerate(looks.items()):
        y = MARGIN + 22 * row
        swatch = f'<rect x="{x:g}" y="{y}" width="22" height="14" rx="3" fill="{fill}" stroke="{stroke}"/>'
        rows.append(f'  {swatch}<text x="{x + 32:g}" y="{y + 11}" font-size="12">{name}</text>')
    y = MARGIN + 22 * len(rows) + 7
    caught = Line((x, y), (x + 22, y), dashed=True)
    return [*rows, f'{_line(caught)}<text x="{x + 32:g}" y="{y + 4}" font-size="12">caught when it fails</text>']


if __name__ == "__main__":
    DRAWING.write_text(draw(DEFINITION.read_text("utf-8")), "utf-8")
