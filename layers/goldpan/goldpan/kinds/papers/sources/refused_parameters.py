"""Parameters that a source refuses by name: a request is repeated once without one, and the next ones go without it."""

import re
from collections.abc import Callable, Iterable, Mapping

from goldpan.errors import Refused
from goldpan.infra.http import HttpResponse

NEEDED = frozenset(
    {"search", "search.semantic", "query", "query.bibliographic", "q", "search_query", "id_list", "engine", "api_key"}
)
"""What a request asks for, and its key: without one of these it would be another request."""

LISTS = frozenset({"select", "fields", "filter"})
"""The parameters that are lists, whose members are refused one by one."""


class RefusedParameters:
    """The parameters, and the members of their lists, that one source has refused in this process."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._names: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Say without what the source is asked."""
        return (f"{self._title} refused {', '.join(self._names)}, and was asked without",) if self._names else ()

    def send(self, params: Mapping[str, str], call: Callable[[Mapping[str, str]], HttpResponse]) -> HttpResponse:
        """Send a request without the parameters refused before; remember one refused now if that helps."""
        given = _without(params, self._names)
        try:
            return call(given)
        except Refused as refused:
            message, optional = str(refused), {name: value for name, value in given.items() if name not in NEEDED}
            members = [_name(member) for name in LISTS for member in optional.get(name, "").split(",")]
            name = _first_named(message, members) or _first_named(message, optional)
            if name is None:
                raise
        response = call(_without(given, (name,)))
        self._names = tuple(dict.fromkeys((*self._names, name)))
        return response


def _first_named(message: str, names: Iterable[str]) -> str | None:
    found = {name: re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", message) for name in names if name}
    places = {name: at.start() for name, at in found.items() if at}
    return min(places, key=places.__getitem__, default=None)


def _name(member: str) -> str:
    """Return the name of a field, or of a filter such as `type:book`."""
    return member.partition(":")[0]


def _without(params: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    kept = {name: value for name, value in params.items() if name not in names}
    for name in LISTS & kept.keys():
        kept[name] = ",".join(member for member in kept[name].split(",") if _name(member) not in names)
    return {name: value for name, value in kept.items() if value or name not in LISTS}
