"""Read a question for repositories with the wishes of later rounds."""

from collections.abc import Iterable
from datetime import date
from functools import partial

from goldpan.contracts import SearchRequest
from goldpan.engine.interpretation import part, part_id
from goldpan.kinds.repositories.categories import go_together
from goldpan.kinds.repositories.likeness import LIKE, reference_repository
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.question.lexicon import cues, repository_words
from goldpan.kinds.repositories.question.reader import Reading, read_question
from goldpan.kinds.repositories.vocabulary import vocabulary
from goldpan.kinds.wishes import SEPARATOR, WishRules, read_with_wishes

ALTERNATIVES = frozenset({"languages", "licenses"})
"""The constraints of which one value is enough; so is one platform, of those that do not go together."""
RANGES = (("min_stars", "max_stars"), ("created_after", "created_before"), ("pushed_after", "pushed_before"))


def read_rounds(request: SearchRequest, today: date) -> tuple[Reading, str]:
    """Return the reading of the question with the wishes, and its text."""
    read = partial(_read, today=today, strict_stars=request.config.star_intent == "strict")
    rules = WishRules(KIND, read, subjects, cues("feedback"), _are_alternatives, RANGES)
    return read_with_wishes(request, rules)[:2]


def subjects(reading: Reading) -> tuple[str, ...]:
    """Return the subjects, in the order of the question."""
    return tuple(" ".join(term.words) for term in reading.terms if term.part == "subject")


def _read(text: str, ignore: Iterable[str], *, today: date, strict_stars: bool) -> Reading:
    """Read a text, also one for what is like exactly one repository, whose name no other rule may read otherwise."""
    ignored = frozenset(ignore)
    asked, _, wishes = text.partition(SEPARATOR)
    name = reference_repository(asked)
    value = f"{LIKE}{name}"
    if name is None or part_id("likeness", value) in ignored:
        return read_question(text, today=today, known=repository_words, ignore=ignored, strict_stars=strict_stars)
    reading = Reading(parts=(part("likeness", value),), likenesses=(name,))
    if not wishes:
        return reading
    said = read_question(wishes, today=today, known=repository_words, ignore=ignored, strict_stars=strict_stars)
    return said.model_copy(update={"parts": (*reading.parts, *said.parts), "likenesses": (name, *said.likenesses)})


def _are_alternatives(name: str, old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Report whether one of the values is enough, so that new ones take the place of the old ones."""
    platforms = vocabulary().platforms
    if name == "platforms":
        return not any(go_together(platforms[one], platforms[other]) for one in old for other in new)
    return name in ALTERNATIVES
