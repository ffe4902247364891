"""Reads GitHub's descriptions by tables of facts, so that a malformed fact affects no other.

GitHub's schemas allow null almost everywhere, also as the member of a list. A null is an unknown fact, and so is what
the schemas do not allow; a repository without a name is left out and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from goldpan.counts import counted
from goldpan.errors import Unavailable
from goldpan.kinds.repositories.models import Moment, Repository

Node = Mapping[str, object]
"""An object of a response."""
Facts = Mapping[str, str | Callable[[Node], object]]
"""Where each fact is: a path such as `license.spdx_id`, or a function that reads it."""
MAX_NAME_CHARS = 200
_MOMENT: TypeAdapter[datetime] = TypeAdapter(Moment)
Model = TypeVar("Model", bound=BaseModel)


def read_all(items: object, read: Callable[[Node], Repository]) -> tuple[list[Repository], tuple[str, ...]]:
    """Read the repositories of a list; how many members are none, and why the first is none, is the failure."""
    found, reasons = [], list[str]()
    for item in items if isinstance(items, list) else ():
        try:
            found.append(read(item if isinstance(item, Mapping) else {}))
        except Unavailable as error:
            reasons.append(str(error))
    without = counted(len(reasons), "repositories")
    return found, (f"GitHub's response was read without {without} ({reasons[0]})",) if reasons else ()


def read_facts(node: Node, facts: Facts) -> dict[str, object]:
    """Read the facts that have a value, by name."""
    values = (
        (name, at(node, *place.split(".")) if isinstance(place, str) else place(node)) for name, place in facts.items()
    )
    return {name: value for name, value in values if value is not None}


def validated(model: type[Model], values: Mapping[str, object]) -> Model:
    """Make a model of facts, without those that are not valid."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        wrong = {str(row["loc"][0]) for row in error.errors(include_url=False)}
        return model.model_validate({name: value for name, value in values.items() if name not in wrong})


def make_repository(values: Mapping[str, object]) -> Repository:
    """Make a repository of its facts. Raises `Unavailable` without a name."""
    name = values.get("full_name")
    if not isinstance(name, str) or len(name) > MAX_NAME_CHARS or "" in name.split("/", 1) or "/" not in name:
        raise Unavailable("full_name must be owner/name")
    return validated(Repository, values)


def at(node: object, *names: str) -> object:
    """Return the value under these names, one within the other; None if one of them is missing or no object."""
    for name in names:
        node = node.get(name) if isinstance(node, Mapping) else None
    return node


def moment_at(node: Node, *names: str) -> datetime | None:
    """Return a time; None if there is none that can be read."""
    try:
        return _MOMENT.validate_python(at(node, *names))
    except ValidationError:
        return None


def text_or_none(value: object) -> str | None:
    """Return a text that is not empty; None for anything else."""
    return value if isinstance(value, str) and value else None


def whole_number(value: object) -> int:
    """Return a number, 0 for anything else."""
    return value if isinstance(value, int) else 0


def members(value: object) -> list[Node]:
    """Return the objects of a list, without anything else in it."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
