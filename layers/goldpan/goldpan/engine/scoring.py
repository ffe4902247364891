"""What the kinds share when they score: tasks without a result, and what a language model answers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, Field

from goldpan.contracts import SearchRequest, Usage
from goldpan.engine.feedback import question_and_wishes
from goldpan.engine.presentation import Judgement
from goldpan.engine.stage_values import FAILED, TaskFailure
from goldpan.infra.llm.answers import Number, on_scale
from goldpan.text import places_of, words

OUT_OF_TIME = "the time for scoring was up"
QUOTE_NOT_FOUND = "The language model quoted words that it was not shown; they were removed."
REASON_CHARS = 300
MAX_TEXT = 3000
"""Characters of a reason or a quote of a model, which is asked for a tenth of it."""
MAX_GAIN = 0.75
"""How far a model's relevance may be above that of the rules."""
_PLACED = re.compile(r"(“[^“”]+”(?: \(for “[^“”]+”\))?) in the ([a-z ]+)")
"""Evidence that is words, and where they are."""
_QUOTED = re.compile(r"“([^“”]+)”|\"([^\"]+)\"")
_OMISSION = re.compile(r"\.{3}|…")
JudgementT = TypeVar("JudgementT", bound=Judgement)


def matches(evidence: Iterable[str]) -> str:
    """Write evidence as a sentence, in which the words of one place stand together."""
    words: dict[str, list[str]] = {}
    for each in evidence:
        placed = _PLACED.fullmatch(each)
        words.setdefault(f" in the {placed[2]}" if placed else each, []).append(placed[1] if placed else "")
    parts = [" and ".join(filter(None, (", ".join(named[:-1]), named[-1]))) + place for place, named in words.items()]
    return f"Matches {'; '.join(parts)}."


def reason_and_usage(failure: TaskFailure, *, asks_llm: bool) -> tuple[str, Usage]:
    """Say why a scoring task has no result, and count the call of the language model that had started."""
    started = asks_llm and failure.failure == "timeout"
    return f"the scoring {FAILED}" if failure.failure == "failed" else OUT_OF_TIME, Usage(llm_calls=int(started))


class ScoreAnswer(BaseModel):
    """What the language model may return about one candidate."""

    relevance: Annotated[Number, AfterValidator(on_scale(1))]
    reasoning: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
    quote: Annotated[str, Field(max_length=MAX_TEXT)] | None = None


def judged(
    by_rules: JudgementT, answer: ScoreAnswer, shown: Mapping[str, object], request: SearchRequest, *, is_marked: bool
) -> JudgementT:
    """Put what a model answered about what it was shown in the place of the judgement of the rules.

    Its relevance is at most `MAX_GAIN` above theirs, and not above it if a text is marked as speaking to a model.
    """
    most = by_rules.relevance if is_marked else by_rules.relevance + MAX_GAIN
    text, question = " ".join(_texts(shown)), question_and_wishes(request)
    reason, is_removed = _checked_reason(answer, text, by_rules.reasoning, question)
    own = {"basis": "llm", "reasoning": reason, "caveats": (QUOTE_NOT_FOUND,) if is_removed else ()}
    return by_rules.model_copy(update=own | {"relevance": round(min(answer.relevance, most), 4)})


def _texts(shown: object) -> Iterator[str]:
    """Yield each name and value of an object that was shown as JSON."""
    if isinstance(shown, Mapping):
        shown = tuple(shown.items())
    if isinstance(shown, list | tuple):
        for each in shown:
            yield from _texts(each)
    elif shown is not None:
        yield str(shown)


def _checked_reason(answer: ScoreAnswer, text: str, by_rules: str, question: str) -> tuple[str, bool]:
    """Return a model's reason with its quote, and whether a quote was removed that the text does not have.

    The reason of the rules takes the place of one that holds such a quote, or other quoted words that neither the text
    nor the question has.
    """
    reason, quote = " ".join(answer.reasoning.split()), " ".join((answer.quote or "").split())
    own, asked = words(text), words(question)
    is_invented = not _has_quote(own, quote)
    within = [double or single for double, single in _QUOTED.findall(reason)]
    others = any(not (_has_quote(own, one) or _has_quote(asked, one)) for one in within)
    if others or (is_invented and quote.casefold() in reason.casefold()):
        return by_rules, True
    reason = reason[:REASON_CHARS]
    is_added = words(quote) and not is_invented and quote not in reason
    return f"{reason} (“{quote[:REASON_CHARS]}”)" if is_added else reason, is_invented


def _has_quote(text: Sequence[str], quote: str) -> bool:
    """Report whether the words of a text have those of a quote, which may leave out some ("fast ... and small")."""
    return all(places_of(part, text) for part in map(words, _OMISSION.split(quote)) if part)
