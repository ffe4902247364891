"""The language model's system prompts: in the folder `prompts` of each kind, a Markdown file for each stage."""

from functools import cache
from pathlib import Path


@cache
def instructions(kind: str, *names: str) -> str:
    """Read the system prompt of a stage, and what a further file adds to it."""
    folder = Path(__file__).with_name(kind) / "prompts"
    return "\n\n".join((folder / f"{name}.md").read_text("utf-8").strip() for name in names)
