"""What a first search of papers would load, for a server and for the snapshot of a function."""

from __future__ import annotations

from datetime import date

from goldpan.kinds.papers import stages, translate_llm
from goldpan.kinds.papers.question.reader import load_all, parse_intent
from goldpan.kinds.papers.sources.connector import ENTRIES

LOADED = (translate_llm, stages)
"""The code that only a language model needs, and that of the stages."""


def prime() -> None:
    """Load the tables that a question is read by, and the sources."""
    load_all()
    for entry in ENTRIES.values():
        entry.load()
    parse_intent("surveys of retreival augmented generation since 2020", today=date.min)
