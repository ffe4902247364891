"""Read feedback on an earlier search by rules: "more on evaluation, fewer surveys", "only since 2022"."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from goldpan.contracts import Interpretation
from goldpan.engine.interpretation import NOTHING, shown_parts
from goldpan.kinds.papers.constraints import MAX_VALUES, Constraints
from goldpan.kinds.papers.intent import MAX_CONCEPTS, Reading, parse_intent
from goldpan.kinds.papers.models import ParsedIntent
from goldpan.kinds.papers.question import cues
from goldpan.kinds.papers.question.limits import YEARS

SURVEY = "survey"


def apply_feedback(reading: Reading, feedback: str, *, today: date, ignore: Sequence[str] = ()) -> Reading:
    """Return the reading with what the feedback adds and excludes: new concepts come second, before the weaker ones."""
    broader, only = cues("feedback_scope").values()
    text = broader.sub(",", feedback)
    for instead, pattern in cues("feedback").items():
        text = pattern.sub(instead, text)
    said = parse_intent(text, today=today, ignore=ignore)
    base, restricts = reading.intent, only.search(feedback) is not None
    if broader.search(feedback) and len(base.concepts) > 1:
        base = base.model_copy(update={"concepts": base.concepts[:-1]})
    intent = _merged(base, _asked(said.intent, restricts=restricts), restricts=restricts)
    old = (part for part in reading.parts if _still_holds(part, reading, intent.constraints))
    notes = (note for note in said.notes if note != NOTHING)
    facts = (*reading.facts, *said.facts)
    return Reading(
        intent=intent,
        parts=shown_parts((*old, *said.parts)),
        notes=tuple(dict.fromkeys((*reading.notes, *notes))),
        facts=facts,
    )


def _still_holds(part: Interpretation, reading: Reading, merged: Constraints) -> bool:
    """Report whether a part applies to the merged constraints, where the feedback may replace its years and types."""
    own, fields = reading.intent.constraints, dict(reading.facts).get(part.id, ())
    if "types" in fields:
        return part.value.removeprefix("type ") in merged.types
    if "excluded_types" in fields:
        return part.value.removeprefix("not ") in merged.excluded_types
    return all(getattr(own, name) == getattr(merged, name) for name in fields if name in YEARS)


def _asked(said: ParsedIntent, *, restricts: bool) -> ParsedIntent:
    """Return what the feedback adds: "more surveys" excludes nothing else, "only surveys" does."""
    concepts = tuple(one for one in said.concepts if one not in said.constraints.authors)
    if "review" in said.constraints.types and not restricts:
        concepts = (*concepts, SURVEY)
    return said.model_copy(update={"concepts": concepts})


def _merged(intent: ParsedIntent, said: ParsedIntent, *, restricts: bool) -> ParsedIntent:
    constraints = _constraints(intent.constraints, said.constraints, restricts=restricts)
    excluded = {term.casefold() for term in said.constraints.excluded_terms}
    old = [one for one in intent.concepts if one.casefold() not in excluded and one not in said.concepts]
    concepts = (*old[:1], *said.concepts, *old[1:])[:MAX_CONCEPTS]
    return intent.model_copy(
        update={
            "concepts": concepts,
            "synonyms": {**intent.synonyms, **said.synonyms},
            "related": {**intent.related, **said.related},
            "exact": (*intent.exact, *said.exact),
            "weak": tuple(one for one in intent.weak if one in old),
            "methods": tuple(dict.fromkeys((*(one for one in intent.methods if one in old), *said.methods))),
            "meaning": " ".join(filter(None, (intent.meaning, said.meaning))),
            "constraints": constraints,
            "preferences": tuple(dict.fromkeys((*intent.preferences, *said.preferences))),
            "likes": tuple(dict.fromkeys((*said.likes, *intent.likes))),
        }
    )


def _constraints(old: Constraints, new: Constraints, *, restricts: bool) -> Constraints:
    """Join the lists; a year, or what is asked for now and was excluded before, follows the feedback."""
    fields: dict[str, object] = {}
    for name, value in new.model_dump(exclude_defaults=True).items():
        joined = (*getattr(old, name), *value) if isinstance(value, tuple) else value
        fields[name] = tuple(dict.fromkeys(joined))[:MAX_VALUES] if isinstance(joined, tuple) else joined
    merged = old.model_copy(update=fields)
    types = tuple(one for one in (merged if restricts else old).types if one not in new.excluded_types)
    excluded = tuple(one for one in merged.excluded_types if one not in new.types)
    contradict = (merged.year_from or 0) > (merged.year_to or 9999)
    years = {"year_from": new.year_from, "year_to": new.year_to} if contradict else {}
    return merged.model_copy(update={"types": types, "excluded_types": excluded, **years})
