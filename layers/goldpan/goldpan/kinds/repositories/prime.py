"""What a first search of repositories would load, for a server and for the snapshot of a function."""

from __future__ import annotations

from datetime import date

from goldpan.kinds.repositories import likeness, stages, translate_llm
from goldpan.kinds.repositories.analysis import analyze
from goldpan.kinds.repositories.question.lexicon import repository_words
from goldpan.kinds.repositories.question.reader import load_all, read_question
from goldpan.kinds.repositories.sources import readers

LOADED = (analyze, likeness, translate_llm, readers, stages)
"""The code that only some questions or a language model need, that of an analysis, and that of the stages."""


def prime() -> None:
    """Load the tables that a question is read by."""
    load_all()
    read_question("kuberntes", today=date.min, known=repository_words)
