"""Read a question: its subject, constraints, exclusions and likenesses, corrected spelling and other languages."""

from goldpan.kinds.repositories.question.reading.constraints import Check, check, merge_filters
from goldpan.kinds.repositories.question.reading.found import Term
from goldpan.kinds.repositories.question.reading.parts import Part, Reading
from goldpan.kinds.repositories.question.reading.reader import read_question
from goldpan.kinds.repositories.question.reading.spelling import KnownWords

__all__ = ["Check", "KnownWords", "Part", "Reading", "Term", "check", "merge_filters", "read_question"]
