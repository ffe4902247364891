"""Recognises text that gives instructions to a language model, which only data of strangers could want to do."""

from __future__ import annotations

import re
import unicodedata

_INSTRUCTION = re.compile(
    r"ignore (?:all |any |your |the )*(?:previous |prior |above )*(?:instructions|prompts?)"
    r"|disregard (?:all |any |your |the )*(?:previous |prior |above )*(?:instructions|prompts?)"
    r"|you are (?:now )?(?:an?|the) (?:ai|assistant|language model|evaluator)"
    r"|(?:score|rate|give|assign)[^.\n]{0,40}\b10\b[^.\n]{0,20}(?:/ ?10|points|score|on (?:all|every))"
    r"|system prompt|respond only with|relevance[\"': ]+1(?:\.0)?\b",
    re.IGNORECASE,
)


def suspicious(text: str | None) -> str | None:
    """Return a caveat if a text gives instructions to a language model."""
    if text and _INSTRUCTION.search(_visible(text)):
        return "Its text speaks to a language model; it was treated as data."
    return None


def _visible(text: str) -> str:
    """Normalize letters and spaces, and remove invisible characters (category Cf), which could hide a word."""
    visible = (char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return " ".join("".join(visible).split())
