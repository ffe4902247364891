"""What the contracts read of a kind, and the fields of a request that its kinds parse: filters, orders, comparisons."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError, to_json

from goldpan.config import Frozen
from goldpan.contracts.validation_errors import suggest
from goldpan.kind_table import KindTable

DEFAULT_SORT, DEFAULT_PREFERENCE = "relevance", "balanced"
MAX_QUERY_CHARS, MAX_LONG_QUERY_CHARS = 500, 5000
"""Characters of a question, and of one that may be a whole abstract."""
MIN_COMPARED, MAX_COMPARED = 2, 4
"""How many results a comparison has."""
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class KindContract:
    """The part of a kind that a request may name."""

    name: str
    sources: tuple[str, ...]
    """The sources that a request may name for this kind."""
    section: type[BaseModel]
    """The model of its section of the answer."""
    filters: type[Frozen] = Frozen
    """The filters that a request may have for this kind, each with a default; none by default."""
    sorts: tuple[str, ...] = (DEFAULT_SORT,)
    """The orders that a request may ask for."""
    preferences: tuple[str, ...] = (DEFAULT_PREFERENCE,)
    """What the order by relevance may prefer."""
    max_query_chars: int = MAX_QUERY_CHARS
    """Characters of a question for this kind."""
    continues: bool = False
    """Whether a request may continue an earlier search, by `previous_strategies` and `feedback`."""
    library_source: str = ""
    """The source that searches the library of a request's project; empty if the kind searches no libraries."""
    require_comparable: Callable[[str], str] | None = None
    """Return the id of a result that is to be compared, or raise `ValueError`; None if the kind compares none."""


TABLE: KindTable[KindContract] = KindTable()
ABILITIES: Mapping[str, Callable[[KindContract], bool]] = {
    **dict.fromkeys(("previous_strategies", "feedback"), lambda kind: kind.continues),
    **dict.fromkeys(("project_id", "library_only"), lambda kind: bool(kind.library_source)),
}
"""The fields of a request that are for some kinds only, and whether a kind is one of them."""


def require_known(names: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Return each name once. Raises `ValueError` with the first name that is not allowed."""
    unknown = next((name for name in names if name not in allowed), None)
    if unknown is not None:
        raise ValueError(f"{unknown!r} is unknown; allowed: {', '.join(allowed)}{suggest(unknown, allowed)}")
    return tuple(dict.fromkeys(names))


def parse_filters(filters: Mapping[str, object], kinds: Sequence[str], *, strict: bool = False) -> dict[str, object]:
    """Return the filters as plain JSON values, without those that equal their default. Raises `ValueError`."""
    requested = [TABLE.get(name) for name in kinds]
    known = [name for kind in requested for name in kind.filters.model_fields]
    allowed = "; ".join(f"{', '.join(kind.filters.model_fields) or 'none'} for {kind.name}" for kind in requested)
    wrong = list[InitErrorDetails]()
    for name in sorted(filters.keys() - known):
        owners = " and ".join(kind.name for kind in TABLE.all() if name in kind.filters.model_fields)
        problem = f"is a filter of {owners}, which kinds (--kind) does not name" if owners else "is unknown"
        said = {"problem": problem, "allowed": allowed, "suggestion": suggest(name, known)}
        error = PydanticCustomError("filter", "{problem}; allowed: {allowed}{suggestion}", said)
        wrong.append(InitErrorDetails(type=error, loc=(name,), input=filters[name]))
    if wrong:
        raise ValidationError.from_exception_data("filters", wrong)
    parsed: dict[str, object] = {}
    for kind in requested:
        parsed |= select_filters(kind.filters, filters, strict=strict).model_dump(mode="json", exclude_defaults=True)
    return parsed


def select_filters(model: type[Model], filters: Mapping[str, object], *, strict: bool = False) -> Model:
    """Parse those of the filters that a kind has; strictly, a number or a boolean in another JSON type is wrong."""
    selected = {name: value for name, value in filters.items() if name in model.model_fields}
    return model.model_validate_json(to_json(selected), strict=True) if strict else model.model_validate(selected)


def parse_choice(
    noun: str, choices_of: Callable[[KindContract], tuple[str, ...]], given: str, kinds: Sequence[str]
) -> str:
    """Return what was given if it is a choice of one of the requested kinds. Raises `ValueError`."""
    allowed = tuple(dict.fromkeys(choice for name in kinds for choice in choices_of(TABLE.get(name))))
    owners = [kind.name for kind in TABLE.all() if given in choices_of(kind)]
    if owners and given not in allowed:
        named = f"{given!r} is {noun} of {' and '.join(owners)}, which kinds (--kind) does not name"
        raise ValueError(f"{named}; allowed: {', '.join(allowed)}")
    return require_known((given,), allowed)[0]


def require_comparable(names: Sequence[str], kinds: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the results to compare if there are 2 to 4 that the kind can have. Raises `ValueError`."""
    compare = TABLE.get(kinds[0]).require_comparable if len(kinds) == 1 else None
    if compare is None:
        able = " or ".join(kind.name for kind in TABLE.all() if kind.require_comparable)
        raise ValueError(f"is for a search of {able} alone")
    parsed = tuple(map(compare, names))
    again = next((name for i, name in enumerate(parsed) if name.lower() in {n.lower() for n in parsed[:i]}), None)
    if again is not None:
        raise ValueError(f"names {again} more than once; must be {MIN_COMPARED} to {MAX_COMPARED} different ones")
    if not MIN_COMPARED <= len(parsed) <= MAX_COMPARED:
        raise ValueError(f"must be {MIN_COMPARED} to {MAX_COMPARED} different ones, not {len(parsed)}")
    return parsed


def require_able_kind(field: str, given: object, kinds: Sequence[str]) -> object:
    """Return what was given, if one of the requested kinds can do what the field is for. Raises `ValueError`."""
    is_able = ABILITIES[field]
    if not any(is_able(TABLE.get(name)) for name in kinds):
        able = " or ".join(kind.name for kind in TABLE.all() if is_able(kind))
        raise ValueError(f"is for a search of {able}, which kinds (--kind) does not name")
    return given


def require_library_alone(kinds: Sequence[str], sources: Sequence[str] | None, project_id: str | None) -> None:
    """Raise `ValueError` if there is no library to search alone, or if other sources are named as well."""
    if project_id is None:
        raise ValueError("needs project_id: the project whose library is searched")
    searched = [kind for name in kinds if (kind := TABLE.get(name)).library_source]
    others = [name for kind in searched for name in sources or () if name in {*kind.sources} - {kind.library_source}]
    if others:
        raise ValueError(f"searches the library alone, but sources names {', '.join(others)}")


PARSED_BY_KINDS: Mapping[str, Callable[..., object]] = {
    "compare": require_comparable,
    "filters": parse_filters,
    "sort": partial(parse_choice, "an order", lambda kind: kind.sorts),
    "preference": partial(parse_choice, "a preference", lambda kind: kind.preferences),
    **{field: partial(require_able_kind, field) for field in ABILITIES},
}
"""The fields of a request that depend on its kinds: what parses a given value, with the names of the kinds."""
