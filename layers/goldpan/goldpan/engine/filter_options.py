"""The filters of a kind as people set them: the options of the command, the fields of a form, the arguments of a tool.

The model of the filters says it all: the metadata `Option` of each field names it for people, and the type of the field
says what values it takes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Literal, get_args, get_origin

from pydantic import BaseModel, Field

from goldpan.config import pattern_in_words

ValueType = Literal["text", "integer", "day", "flag"]


@dataclass(frozen=True)
class Option:
    """The metadata of a filter: what it does, and an example or a name of its value.

    `name` is that of the option, by default that of the field. Two fields with the same name are the ends of a range,
    which is written as `2020..2024`.
    """

    help: str
    metavar: str
    name: str = ""


MAX_VALUES = 10
"""The most values of a filter that is a list."""
VISIBLE = r"^[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$"
MUST_BE_VISIBLE = pattern_in_words("must begin with a visible character and have no control characters")
Excluded = Annotated[
    tuple[Annotated[str, Field(max_length=50, pattern=VISIBLE), MUST_BE_VISIBLE], ...],
    Field(max_length=MAX_VALUES, description='As "not X" in a question.'),
    Option("Nothing that is this.", "NAME"),
]
"""A filter that several kinds have."""


@dataclass(frozen=True)
class FilterOption(Option):
    """A filter as an option: `fields` are the fields of the model that it sets, two for a range."""

    fields: tuple[str, ...] = ()
    type: ValueType = "text"
    is_repeatable: bool = False
    choices: tuple[str, ...] = ()

    @property
    def is_range(self) -> bool:
        """Whether the value is a range, with one field for each end."""
        return len(self.fields) > 1

    @property
    def form(self) -> tuple[object, ...]:
        """What values it takes, whatever its help says."""
        return self.fields, self.type, self.is_repeatable, self.choices


def filter_options(model: type[BaseModel]) -> tuple[FilterOption, ...]:
    """Return the options of the fields of a model, such as the filters of a kind, in their order."""
    made: dict[str, FilterOption] = {}
    for field, info in model.model_fields.items():
        given = next((each for each in info.metadata if isinstance(each, Option)), None)
        said = given or Option(info.description or "", "VALUE")
        name, types = said.name or field, tuple(_leaf_types(info.annotation))
        takes: ValueType = (
            "flag" if bool in types else "integer" if int in types else "day" if date in types else "text"
        )
        choices = tuple(str(value) for each in types if get_origin(each) is Literal for value in get_args(each))
        forms = (info.annotation, *get_args(info.annotation))
        fields, is_repeatable = (field,), any(get_origin(each) is tuple for each in forms)
        if name in made:
            made[name] = replace(made[name], fields=(*made[name].fields, field))
        else:
            made[name] = FilterOption(said.help, said.metavar, name, fields, takes, is_repeatable, choices)
    return tuple(made.values())


def _leaf_types(annotation: object) -> Iterator[object]:
    """Yield the types that an annotation is made of, without its metadata."""
    if hasattr(annotation, "__metadata__"):
        yield from _leaf_types(get_args(annotation)[0])
    elif get_origin(annotation) is Literal or not get_args(annotation):
        yield annotation
    else:
        for each in get_args(annotation):
            yield from _leaf_types(each)
