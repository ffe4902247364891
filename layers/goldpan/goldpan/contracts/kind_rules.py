"""The filters and the order of a request, parsed by the kinds that it asks for, and whether one continues a search."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from goldpan.contracts.kinds import TABLE, KindContract, require_known
from goldpan.contracts.validation_errors import suggest

MIN_COMPARED, MAX_COMPARED = 2, 4
"""How many results a comparison has."""
Ability = tuple[str, Callable[[KindContract], bool]]
CONTINUES: Ability = ("continues a search", lambda kind: kind.continues)
SEARCHES_LIBRARIES: Ability = ("searches libraries", lambda kind: bool(kind.library_source))
ABILITIES: Mapping[str, Ability] = {
    "previous_strategies": CONTINUES,
    "feedback": CONTINUES,
    "project_id": SEARCHES_LIBRARIES,
    "library_only": SEARCHES_LIBRARIES,
}
"""The fields of a request that are for some kinds only: what these do, and whether a kind does it."""
Model = TypeVar("Model", bound=BaseModel)


def parse_filters(filters: Mapping[str, object], kinds: Sequence[str]) -> dict[str, object]:
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
        parsed |= select_filters(kind.filters, filters).model_dump(mode="json", exclude_defaults=True)
    return parsed


def select_filters(model: type[Model], filters: Mapping[str, object]) -> Model:
    """Parse those of the filters that a kind has."""
    return model.model_validate({name: value for name, value in filters.items() if name in model.model_fields})


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
        raise ValueError(f"is for a search of {able} alone" if able else "no kind compares its results")
    parsed = tuple(map(compare, names))
    again = next((name for i, name in enumerate(parsed) if name.lower() in {n.lower() for n in parsed[:i]}), None)
    if again is not None:
        raise ValueError(f"names {again} more than once; must be {MIN_COMPARED} to {MAX_COMPARED} different ones")
    if not MIN_COMPARED <= len(parsed) <= MAX_COMPARED:
        raise ValueError(f"must be {MIN_COMPARED} to {MAX_COMPARED} different ones, not {len(parsed)}")
    return parsed


def require_able_kind(field: str, given: object, kinds: Sequence[str]) -> object:
    """Return what was given, if one of the requested kinds can do what the field is for. Raises `ValueError`."""
    does, is_able = ABILITIES[field]
    if not any(is_able(TABLE.get(name)) for name in kinds):
        able = " or ".join(kind.name for kind in TABLE.all() if is_able(kind))
        raise ValueError(
            f"is for a search of {able}, which kinds (--kind) does not name" if able else f"no kind {does}"
        )
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
