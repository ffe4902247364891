"""Read a question for papers by rules: what it is about, what the papers must and must not be, and the order."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial

from goldpan.kinds.papers.question import Concept, PaperSpan
from goldpan.kinds.papers.question.concepts import find_concepts
from goldpan.kinds.papers.question.lexicon import LEXICON, find_venues, paper_words
from goldpan.kinds.papers.question.limits import find_access_and_order, find_types, find_years
from goldpan.kinds.papers.question.people_and_papers import find_authors, find_likenesses
from goldpan.question.question_text import tidied
from goldpan.question.reader import QuestionReader, question_reader

STATED = "“{}” does not limit the papers, since the question is read as a statement: without its full stop it would."
MIN_CLAIM = 5
"""Words of a sentence that is a claim."""
ABBREVIATED = re.compile(r"\b[A-Z]\w*\.\s+(?:[A-Z]\w*\.?\s+)*[A-Z]\w*\.$")
"""The end of a text that is an abbreviated name, not the end of a sentence: "Phys. Rev. Lett."."""


def read_question(question: str, *, today: date, ignore: Iterable[str]) -> tuple[QuestionReader, list[PaperSpan], str]:
    """Read a question of any text: returns its reader, the spans, and the text that the steps left for the concepts."""
    reader = question_reader(tidied(question), LEXICON, paper_words, ignore, "papers")
    source, years = reader.source, partial(find_years, today=today)
    steps: list[Callable[[str], Sequence[PaperSpan]]] = [lambda _: find_likenesses(source), find_access_and_order]
    if _is_claim(source.text):
        steps.append(lambda rest: [one.unread(STATED.format(one.value)) for one in years(rest)])
    else:
        steps += [years, reader.negations.find, find_types, partial(find_authors, source=source)]
        steps += [partial(find_venues, original=source.text), years]
    find_terms = partial(find_concepts, source=source, guess=reader.foreign is None)
    return reader, *reader.read(steps, lambda rest, _: find_terms(rest), Concept)


def _is_claim(text: str) -> bool:
    """Report whether a text states something of the world and asks for nothing, so that its years are not of papers."""
    typed = [word.lower() for word in re.findall(r"[\w'-]+", text)]
    asks = any(word in LEXICON.words["request"] for word in typed)
    return text.endswith(".") and not ABBREVIATED.search(text) and len(typed) >= MIN_CLAIM and not asks
