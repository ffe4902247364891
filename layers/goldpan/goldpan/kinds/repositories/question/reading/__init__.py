"""Read a question: its subject, constraints, exclusions and likenesses, corrected spelling and other languages."""

from goldpan.kinds.repositories.question.reading.constraints import Check, check, merge_filters
from goldpan.kinds.repositories.question.reading.parts import Reading, Term
from goldpan.kinds.repositories.question.reading.reader import read_question

__all__ = ["Check", "Reading", "Term", "check", "merge_filters", "read_question"]
