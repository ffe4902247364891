"""goldpan-data: what goldpan knows of words and of well-known repositories; README.md of its folder is the card.

Notes, categories and known words may be missing: the texts of the sources then count alone.
"""

from pathlib import Path

__version__ = "2026.11.29.5"
"""The day on which a file was last made; part of every cache key."""
FOLDER = Path(__file__).parent


def file(name: str) -> Path:
    """Return the path of a file, which may be missing."""
    return FOLDER / name


def read_text(name: str) -> str:
    """Return the content of a text file; empty if it is missing."""
    path = file(name)
    return path.read_text("utf-8") if path.is_file() else ""


def read_lines(name: str) -> list[str]:
    """Return the lines of a text file; none if it is missing."""
    return read_text(name).splitlines()
