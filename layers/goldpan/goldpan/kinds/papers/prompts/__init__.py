"""The language model's system prompts: a base for each stage, and what a field of research adds to it."""

from functools import cache
from pathlib import Path

GENERAL = "general"


@cache
def instructions(stage: str, domain: str = GENERAL) -> str:
    """Read the system prompt of a stage, with what the domain adds."""
    folder = Path(__file__).parent
    base = (folder / f"{stage}.md").read_text("utf-8")
    if domain == GENERAL:
        return base
    return f"{base.rstrip()}\n\n{(folder / f'{domain}.md').read_text('utf-8')}"
