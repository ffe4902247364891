"""What a first search of repositories would load, for a server and for the snapshot of a function."""

from datetime import date

from goldpan.kinds.repositories import likeness, stages, translate_llm
from goldpan.kinds.repositories.analysis import analyze
from goldpan.kinds.repositories.question.lexicon import repository_words
from goldpan.kinds.repositories.question.reader import read_question
from goldpan.kinds.repositories.sources import readers

QUESTIONS = ("popular kuberntes parser since 2025, MIT, >5k, not Java", "\u4e0d")
"""Questions that need every table to be read."""
LOADED = (analyze, likeness, translate_llm, readers, stages)
"""The code that only some questions or a language model need, that of an analysis, and that of the stages."""


def prime() -> None:
    """Load the tables that a question is read by."""
    for question in QUESTIONS:
        read_question(question, today=date.min, known=repository_words)
