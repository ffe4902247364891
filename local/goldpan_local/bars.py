"""Values drawn as blocks: a bar that grows to the right, a block that grows upwards."""

from __future__ import annotations

from rich.text import Text

EIGHTHS = " ▏▎▍▌▋▊▉█"
HEIGHTS = "▁▂▃▄▅▆▇█"
UNKNOWN = "·"
GOOD, FAIR = 0.7, 0.4
"""From these shares on a value is shown in green, in yellow; below in red."""
ASCII = str.maketrans(
    {
        **dict.fromkeys("▋▊▉█", "#"),
        **dict.fromkeys("▏▎▍▌", "-"),
        **dict(zip("▁▂▃▄▅▆▇", "_..-=+*", strict=True)),
        "·": "-",
        "…": "~",
        "“": '"',
        "”": '"',
    }
)
"""What stands for the blocks and signs where the output cannot show them."""


def colour(share: float) -> str:
    """Name the colour of a share between 0 and 1."""
    return "green" if share >= GOOD else "yellow" if share >= FAIR else "red"


def bar(share: float, width: int) -> Text:
    """Draw a share between 0 and 1 as a bar, padded to the width."""
    full, rest = divmod(round(share * width * 8), 8)
    drawn = "█" * full + (EIGHTHS[rest] if rest else "")
    return Text(drawn.ljust(width), colour(share))


def block(score: float | None) -> Text:
    """Draw a score of 0-10 as one block; a dot where it is unknown."""
    if score is None:
        return Text(UNKNOWN, "dim")
    return Text(HEIGHTS[min(int(score / 10 * len(HEIGHTS)), len(HEIGHTS) - 1)], colour(score / 10))
