"""Read a question for papers with the wishes of later rounds."""

from datetime import date

from goldpan.contracts import SearchRequest
from goldpan.contracts.kinds import DEFAULT_PREFERENCE
from goldpan.kinds.papers.intent import MAX_CONCEPTS, IntentParser, Reading, without_replaced
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.question import cues
from goldpan.kinds.papers.question.limits import YEARS
from goldpan.kinds.wishes import WishRules, read_with_wishes

ALTERNATIVES = frozenset({"types", "venues"})
"""The constraints of which one value is enough."""


def read_rounds(request: SearchRequest, today: date) -> Reading:
    """Return the reading with what the wishes add and exclude: new concepts come second, before the weaker ones."""
    rules = WishRules(
        kind=KIND,
        read=IntentParser(today).parse,
        subjects=lambda reading: reading.intent.concepts,
        cues=cues("feedback"),
        are_alternatives=lambda name, *_: name in ALTERNATIVES,
        ranges=(YEARS,),
    )
    reading, _, question = read_with_wishes(request, rules)
    old = [one for one in question.intent.concepts if one in reading.intent.concepts]
    new = [one for one in reading.intent.concepts if one not in old]
    concepts = (*old[:1], *new, *old[1:])[:MAX_CONCEPTS]
    reading = reading.model_copy(update={"intent": reading.intent.model_copy(update={"concepts": concepts})})
    return reading if request.preference == DEFAULT_PREFERENCE else _prefer(request.preference, reading, question)


def _prefer(given: str, reading: Reading, question: Reading) -> Reading:
    """Put a preference in the place of what the question says; those of the wishes stay."""
    wished = (one for one in reading.intent.preferences if one not in question.intent.preferences)
    kept = without_replaced(question, {"preferences"})
    parts = tuple(part for part in reading.parts if part in kept or part not in question.parts)
    intent = reading.intent.model_copy(update={"preferences": (given, *wished)})
    return reading.model_copy(update={"intent": intent, "parts": parts})
