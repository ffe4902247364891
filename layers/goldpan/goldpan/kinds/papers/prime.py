"""What a first search of papers would load, for a server and for the snapshot of a function."""

from datetime import date

from goldpan.kinds.papers import stages, translate_llm
from goldpan.kinds.papers.intent import IntentParser
from goldpan.kinds.papers.sources.connector import ENTRIES

QUESTIONS = (
    "surveys of retreival augmented generation by Ada Lovelace in Nature since 2020",
    "\u6df1\u5ea6\u5b66\u4e60",
)
"""Questions that need every table to be read."""
LOADED = (translate_llm, stages)
"""The code that only a language model needs, and that of the stages."""


def prime() -> None:
    """Load the tables that a question is read by, and the sources."""
    for entry in ENTRIES.values():
        entry.load()
    for question in QUESTIONS:
        IntentParser(date.min).parse(question)
