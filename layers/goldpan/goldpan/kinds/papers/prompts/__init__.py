"""The language model's system prompts, one Markdown file a stage."""

from functools import cache
from pathlib import Path


@cache
def instructions(stage: str) -> str:
    """Read the system prompt of a stage."""
    return Path(__file__).with_name(f"{stage}.md").read_text("utf-8")
