"""Reads GitHub's descriptions by tables of facts, so that a malformed fact affects no other.

GitHub's schemas allow null almost everywhere, also as the member of a list. A null is an unknown fact. A value that the
schemas do not allow is left out and counted, and so is a repository without a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from goldpan.contracts.validation_errors import describe_requirement
from goldpan.errors import Unavailable
from goldpan.kinds.repositories.models import Moment, Repository

Node = Mapping[str, object]
"""An object of a response."""
Facts = Mapping[str, str | Callable[[Node], object]]
"""Where each fact is: a path such as `license.spdx_id`, or a function that reads it."""
MAX_NAME_CHARS = 200
_MOMENT: TypeAdapter[datetime] = TypeAdapter(Moment)
Model = TypeVar("Model", bound=BaseModel)


@dataclass
class Unread:
    """What could not be read from a response, with the reasons: searches, repositories, and single facts."""

    searches: list[str] = field(default_factory=list)
    repositories: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)

    @property
    def failures(self) -> tuple[str, ...]:
        """How many searches and repositories were left out, and why the first ones were."""
        return _counted(self.searches, "search", "searches") + _counted(self.repositories, "repository", "repositories")

    @property
    def notes(self) -> tuple[str, ...]:
        """How many facts were left out, and why the first one was."""
        return _counted(self.facts, "fact", "facts")


def _counted(reasons: list[str], one: str, many: str) -> tuple[str, ...]:
    if not reasons:
        return ()
    return (f"GitHub's response was read without {len(reasons)} {one if len(reasons) == 1 else many} ({reasons[0]})",)


def read_all(items: Iterable[object], read: Callable[[Node, Unread], Repository], unread: Unread) -> list[Repository]:
    """Read the repositories of a list; a member that is not one is left out and counted."""
    repositories = []
    for item in items:
        try:
            repositories.append(read(_object(item), unread))
        except (TypeError, Unavailable) as error:
            unread.repositories.append(str(error))
    return repositories


def read_facts(node: Node, facts: Facts, unread: Unread) -> dict[str, object]:
    """Read the facts that have a value, by name; one that cannot be read is left out and counted."""
    values = dict[str, object]()
    for name, place in facts.items():
        try:
            value = at(node, *place.split(".")) if isinstance(place, str) else place(node)
        except (TypeError, ValueError) as error:
            unread.facts.append(f"{name} {error}")
            continue
        if value is not None:
            values[name] = value
    return values


def validated(model: type[Model], values: Mapping[str, object], unread: Unread) -> Model:
    """Make a model of facts; a fact that is not valid is left out and counted."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        wrong = {str(row["loc"][0]): describe_requirement(row) for row in error.errors(include_url=False)}
        unread.facts += [f"{name} {requirement}" for name, requirement in wrong.items()]
        return model.model_validate({name: value for name, value in values.items() if name not in wrong})


def make_repository(values: Mapping[str, object], unread: Unread) -> Repository:
    """Make a repository of its facts. Raises `Unavailable` without a name."""
    name = values.get("full_name")
    if not isinstance(name, str) or len(name) > MAX_NAME_CHARS or "" in name.split("/", 1) or "/" not in name:
        raise Unavailable("full_name must be owner/name")
    return validated(Repository, values, unread)


def at(node: object, *names: str) -> object:
    """Return the value under these names, one within the other; None if one of them is null or missing."""
    value = node
    for name in names:
        if value is None:
            return None
        value = _object(value).get(name)
    return value


def moment_at(node: Node, *names: str) -> datetime | None:
    """Return a time. Raises `ValueError` or `TypeError`."""
    value = at(node, *names)
    try:
        return None if value is None else _MOMENT.validate_python(value)
    except ValidationError as error:
        raise ValueError("must be a time") from error


def text_or_none(value: object) -> str | None:
    """Return a text that is not empty; None for anything else."""
    return value if isinstance(value, str) and value else None


def whole_number(value: object) -> int:
    """Return a number, 0 for anything else."""
    return value if isinstance(value, int) else 0


def members(value: object) -> list[Node]:
    """Return the objects of a list, without the nulls among them."""
    return [_object(item) for item in list_of(value) if item is not None]


def list_of(value: object) -> list[object]:
    """Return a list; a null is an empty one."""
    if not isinstance(value, list | None):
        message = f"must be a list, not {_type_name(value)}"
        raise TypeError(message)
    return value or []


def _object(value: object) -> Node:
    if not isinstance(value, Mapping):
        message = f"must be an object, not {_type_name(value)}"
        raise TypeError(message)
    return value


def _type_name(value: object) -> str:
    return "null" if value is None else type(value).__name__
