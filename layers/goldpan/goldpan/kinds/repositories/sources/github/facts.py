"""Reads the facts of a repository one by one, so that one that GitHub gives in another form costs nothing else.

GitHub's schemas allow null almost everywhere, also as the member of a list. A null is an unknown fact. A value that the
schemas do not allow is left out and counted, and so is a repository without a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pydantic import TypeAdapter, ValidationError

from goldpan.contracts.validation_errors import describe_requirement
from goldpan.errors import Unavailable
from goldpan.kinds.repositories.models import Repository

Node = Mapping[str, Any]
Read = Callable[[Node], object]
MAX_COUNT = 2**31 - 1
"""The largest Int of GraphQL."""
MAX_NAME_CHARS = 200
_MOMENT = TypeAdapter(datetime)


@dataclass
class Unread:
    """What could not be read from a response, with the reasons: searches, repositories, and single facts."""

    searches: list[str] = field(default_factory=list)
    repositories: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, parts: Iterable[Unread]) -> Unread:
        """Return what could not be read from several responses."""
        joined = cls()
        for part in parts:
            joined.searches += part.searches
            joined.repositories += part.repositories
            joined.facts += part.facts
        return joined

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


def readable(items: Iterable[object], read: Callable[[Node, Unread], Repository], unread: Unread) -> list[Repository]:
    """Read the repositories of a list; what is none is left out and counted."""
    repositories = []
    for item in items:
        try:
            repositories.append(read(_object(item), unread))
        except (TypeError, Unavailable) as error:
            unread.repositories.append(str(error))
    return repositories


def read_facts(node: Node, facts: Mapping[str, Read], unread: Unread) -> dict[str, object]:
    """Read the facts that have a value, by name; one that cannot be read is left out and counted."""
    values = dict[str, object]()
    for name, read in facts.items():
        try:
            value = read(node)
        except (TypeError, ValueError) as error:
            unread.facts.append(f"{name} {error}")
            continue
        if value is not None:
            values[name] = value
    return values


def validated(values: Mapping[str, object], unread: Unread) -> Repository:
    """Make a repository; a fact that is not valid is left out and counted. Raises `Unavailable` without a name."""
    name = values.get("full_name")
    if not isinstance(name, str) or len(name) > MAX_NAME_CHARS or "" in name.split("/", 1) or "/" not in name:
        raise Unavailable("full_name must be owner/name")
    try:
        return Repository.model_validate(values)
    except ValidationError as error:
        wrong = {str(row["loc"][0]): describe_requirement(row) for row in error.errors(include_url=False)}
        unread.facts += [f"{name} is invalid: {message}" for name, message in wrong.items()]
        return Repository.model_validate({name: value for name, value in values.items() if name not in wrong})


def at(*names: str) -> Read:
    """Read the value under these names, one within the other; None if one of them is null or missing."""

    def read(node: Node) -> object:
        value: object = node
        for name in names:
            if value is None:
                return None
            value = _object(value).get(name)
        return value

    return read


def count_at(*names: str) -> Read:
    """Read a number from 0 to the largest that GitHub can write."""
    value_at = at(*names)

    def read(node: Node) -> object:
        value = value_at(node)
        if value is not None and (type(value) is not int or not 0 <= value <= MAX_COUNT):  # a bool is an int too
            message = f"must be a number from 0 to {MAX_COUNT}"
            raise ValueError(message)
        return value

    return read


def read_count(node: Node, name: str, unread: Unread) -> int:
    """Read a number of this node, 0 if there is none."""
    found = read_facts(node, {name: count_at(name)}, unread).get(name)
    return found if isinstance(found, int) else 0


def moment_at(*names: str) -> Read:
    """Read a time, which becomes one in UTC; without a zone it is one."""
    value_at = at(*names)

    def read(node: Node) -> object:
        value = value_at(node)
        try:
            moment = None if value is None else _MOMENT.validate_python(value)
            return moment and (moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC))
        except (ValidationError, OverflowError) as error:
            raise ValueError("must be a time") from error

    return read


def members(value: object) -> list[Node]:
    """Return the objects of a list, without the nulls among them."""
    return [_object(item) for item in list_of(value) if item is not None]


def list_of(value: object) -> list[Any]:
    """Return a list; a null is an empty one."""
    if not isinstance(value, list | None):
        message = f"must be a list, not {_kind(value)}"
        raise TypeError(message)
    return value or []


def _object(value: object) -> Node:
    if not isinstance(value, Mapping):
        message = f"must be an object, not {_kind(value)}"
        raise TypeError(message)
    return value


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__
