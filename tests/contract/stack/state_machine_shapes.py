"""What the drawing of a state machine is made of: boxes, lines, and the frames that hold them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

State = dict[str, Any]


@dataclass(frozen=True)
class Box:
    """A state as a rectangle; a Map's holds others."""

    name: str
    state: State
    width: float
    height: float
    x: float = 0
    y: float = 0
    aside: bool = False

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> float:
        """The height at which lines leave to the right."""
        return self.y + self.height / 2


@dataclass(frozen=True)
class Line:
    """A straight line; what happens on failure is dashed, and a label says why it is taken."""

    start: tuple[float, float]
    end: tuple[float, float]
    label: str = ""
    dashed: bool = False
    arrow: bool = True


@dataclass
class Frame:
    """The boxes and lines of a state machine or of one Map within it."""

    boxes: list[Box] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    @property
    def width(self) -> float:
        """How wide it all is."""
        return max(box.right for box in self.boxes)

    @property
    def height(self) -> float:
        """How high it all is."""
        return max(box.bottom for box in self.boxes)

    def moved(self, x: float, y: float) -> Self:
        """Give the same frame at another place."""
        boxes = [replace(box, x=box.x + x, y=box.y + y) for box in self.boxes]
        lines = [
            replace(line, start=(line.start[0] + x, line.start[1] + y), end=(line.end[0] + x, line.end[1] + y))
            for line in self.lines
        ]
        return replace(self, boxes=boxes, lines=lines)
