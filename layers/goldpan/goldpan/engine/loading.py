"""What is loaded when it is needed, so that a search of one kind waits for no other."""

from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Generic, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True)
class Loaded(Generic[Value]):
    """A value of a module that is imported when this is called, by `module:name`."""

    place: str

    def __call__(self) -> Value:
        """Import the module, and return the value."""
        value: Value = resolve_name(self.place)
        return value
