"""The parts of a reading as an answer shows them, and what becomes of them where a language model read the question."""

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import get_args

from goldpan.contracts.validation_errors import count_characters
from goldpan.engine.payload import truncate_json
from goldpan.errors import InvalidRequest
from goldpan.known import Interpretation, PartKind
from goldpan.text import words

WISH: PartKind = "wish"
PART_KINDS: tuple[PartKind, ...] = get_args(PartKind)
"""In the order in which an answer lists them."""
MAX_ID_NAME = 100
MAX_PARTS, PART_BYTES = 40, 120
"""The maximum of an answer's interpretation, and of each text and value in it."""
NOTHING = "The question has no word to search for."
FOREIGN = (
    "The question was read as {}, by a table of words{}; a language model (LLM_API_KEY, DEEPSEEK_API_KEY or"
    " OPENAI_API_KEY) would read the rest."
)
NO_MODEL = (
    "No language model is configured: the question was translated and the results were ordered by rules alone; "
    "LLM_API_KEY, LLM_BASE_URL and LLM_MODEL configure one."
)
UNUSED = "By the rules, the wish “{}” changes nothing of the search for {}: it names nothing to add or leave out."
IGNORED = "Nothing is ignored for “"
UNKNOWN_ID = IGNORED + "{}”: no entry of the interpretation has this id."
DIFFERS = "“{}” is not used: the language model reads it otherwise than the rules."
_ANSWERED_BY_MODEL = (NOTHING, FOREIGN.partition("{}")[0], UNUSED.partition("{}")[0], f"{IGNORED}term:")
"""How the notes begin that do not hold where a language model read the question."""
_FACT = re.compile(r"(?:not|in|by|type) ")


def part_id(kind: str, value: str) -> str:
    """Make the identifier of a part: its kind and the beginning of its value, without spaces and commas."""
    name = re.sub(r"[\s,]+", "-", value.casefold()).strip("-")
    return f"{kind}:{name[:MAX_ID_NAME]}"


def part(kind: PartKind, value: str, text: str = "") -> Interpretation:
    """Make a part; its text is the value unless given."""
    return Interpretation(id=part_id(kind, value), kind=kind, text=text or value, value=value)


def shown_parts(parts: Iterable[Interpretation]) -> tuple[Interpretation, ...]:
    """Return each part once, in the order of the kinds, as many as an answer shows, with texts of a bounded size."""
    once: dict[str, Interpretation] = {}
    for one in parts:
        once.setdefault(one.id, one)
    shown = sorted(once.values(), key=lambda one: PART_KINDS.index(one.kind))[:MAX_PARTS]
    cut = partial(truncate_json, max_bytes=PART_BYTES)
    return tuple(one.model_copy(update={"text": cut(one.text), "value": cut(one.value)}) for one in shown)


def doubtful_parts(
    parts: Iterable[Interpretation], wanted: Iterable[str | None], refused: Iterable[str] | None
) -> tuple[Interpretation, ...]:
    """Return the constraints that a language model reads as refused, and the exclusions that it reads as wanted."""
    if refused is None:
        return ()
    against = {"constraint": list(map(words, refused)), "exclusion": [words(text) for text in wanted if text]}
    return tuple(one for one in parts if is_about(one) in against.get(one.kind, ()))


def is_about(one: Interpretation) -> list[str]:
    """Return the words of what a part asks for, limits or leaves out."""
    return words(_FACT.sub("", one.value))


def shown_by_model(
    parts: Iterable[Interpretation], notes: Iterable[str], texts: Iterable[str], doubtful: Sequence[Interpretation]
) -> tuple[tuple[Interpretation, ...], tuple[str, ...]]:
    """Return the parts and notes where a model searches for these texts instead; the doubtful parts limit nothing."""
    others = [one for one in parts if one.kind not in {"term", "unread", "correction"}]
    known = {one.value.casefold() for one in others if one.kind != WISH}
    terms = (part("term", text) for text in texts if text.casefold() not in known)
    unread = (part("unread", one.value, one.text) for one in doubtful)
    held = (note for note in notes if not note.startswith(_ANSWERED_BY_MODEL))
    return shown_parts([*terms, *others, *unread]), (*held, *(DIFFERS.format(one.text) for one in doubtful))


def no_subject(query: str, parts: Iterable[Interpretation], results: str, example: str) -> InvalidRequest:
    """Make the error of a question that leaves nothing to search for, without its words."""
    return InvalidRequest(f"query: {_why_nothing(parts, results, example)} (given {count_characters(query)})")


def _why_nothing(parts: Iterable[Interpretation], results: str, example: str) -> str:
    shown = [*parts]
    kinds = {one.kind for one in shown}
    if kinds == {"unread"} and not all(one.text.isascii() for one in shown):
        return "holds no word that is known without a language model: ask in English, or configure one (LLM_API_KEY)"
    if "exclusion" in kinds:
        return f"contains only exclusions: add what the {results} should be about, such as “{example}”"
    if "constraint" in kinds:
        return f"only limits the {results} and has no word for their subject: add one, such as “{example}”"
    return f"holds no word to search for: say what the {results} should be about, such as “{example}”"
