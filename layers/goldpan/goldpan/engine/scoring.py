"""What the kinds share when they score: tasks without a result, and what a language model answers."""

import re
from collections.abc import Iterable

from goldpan.contracts import Usage
from goldpan.engine.stage_values import FAILED, TaskFailure
from goldpan.text import places_of, words

OUT_OF_TIME = "the time for scoring was up"
QUOTE_NOT_FOUND = "The language model quoted words that are not in its text; they were removed."
REASON_CHARS = 300
MAX_GAIN = 0.75
"""How far a model's relevance may be above that of the rules."""
_PLACED = re.compile(r"(“[^“”]+”(?: \(for “[^“”]+”\))?) in the ([a-z ]+)")
"""Evidence that is words, and where they are."""
_QUOTED = re.compile(r"“([^“”]+)”|\"([^\"]+)\"")


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


def bounded(by_model: float, by_rules: float, *, is_marked: bool) -> float:
    """Return a model's relevance, at most `MAX_GAIN` above that of the rules, and not above it for a marked text."""
    return round(min(by_model, by_rules if is_marked else by_rules + MAX_GAIN), 4)


def checked_reason(
    reasoning: str, quote: str | None, text: str, by_rules: str, question: str | None = None
) -> tuple[str, bool]:
    """Return a model's reason with its quote, and whether a quote was removed that the text does not have.

    The reason of the rules takes the place of one that holds such a quote. With a question, what the reason itself
    quotes must be in the text or the question too.
    """
    reason, quote = " ".join(reasoning.split()), " ".join((quote or "").split())
    own, asked = words(text), words(question)
    is_invented = bool(quote) and not places_of(words(quote), own)
    within = [] if question is None else [double or single for double, single in _QUOTED.findall(reason)]
    others = any(not (places_of(words(one), own) or places_of(words(one), asked)) for one in within)
    if others or (is_invented and quote.casefold() in reason.casefold()):
        return by_rules, True
    reason = reason[:REASON_CHARS]
    is_added = quote and not is_invented and quote not in reason
    return f"{reason} (“{quote[:REASON_CHARS]}”)" if is_added else reason, is_invented
