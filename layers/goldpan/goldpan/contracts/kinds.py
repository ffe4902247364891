"""What the contracts read of a kind, to validate a request and to parse an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pydantic import BaseModel

from goldpan.config import Frozen
from goldpan.contracts.validation_errors import suggest
from goldpan.kind_table import KindTable


class KindContract(Protocol):
    """The part of a kind that a request may name; `goldpan.engine.kind.Kind` describes the attributes."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def sources(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def filters(self) -> type[Frozen]: ...  # noqa: D102
    @property
    def sorts(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def continues(self) -> bool: ...  # noqa: D102
    @property
    def library_source(self) -> str: ...  # noqa: D102
    @property
    def require_comparable(self) -> Callable[[str], str] | None: ...  # noqa: D102
    @property
    def section(self) -> type[BaseModel]: ...  # noqa: D102


TABLE: KindTable[KindContract] = KindTable()


def require_known(names: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Return each name once. Raises `ValueError` with the first name that is not allowed."""
    unknown = next((name for name in names if name not in allowed), None)
    if unknown is not None:
        message = f"{unknown!r} is unknown; allowed: {', '.join(allowed)}{suggest(unknown, allowed)}"
        raise ValueError(message)
    return tuple(dict.fromkeys(names))
