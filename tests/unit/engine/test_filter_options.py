"""The options that a model of filters makes."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from goldpan.config import Frozen
from goldpan.engine.filter_options import Option, filter_options
from pydantic import Field

AGE = Option("Age in years, as 2..5.", "AGES", "age")


class Filters(Frozen):
    """Filters of each type."""

    age_from: Annotated[Annotated[int, Field(ge=0)] | None, AGE] = None
    age_to: Annotated[int | None, AGE] = None
    colours: Annotated[tuple[Literal["red", "blue"], ...], Field(max_length=3), Option("Of it.", "NAME", "colour")] = ()
    sold_since: Annotated[date | None, Option("Sold since.", "DAY")] = None
    wooden: bool | None = None
    maker: str | None = None


def test_the_type_of_a_filter_says_what_its_option_takes() -> None:
    """Numbers, days, flags, choices and texts are told apart, also with metadata inside of the type."""
    found = {option.name: option for option in filter_options(Filters)}
    assert {name: option.type for name, option in found.items()} == {
        "age": "integer",
        "colour": "text",
        "sold_since": "day",
        "wooden": "flag",
        "maker": "text",
    }
    assert found["colour"].choices == ("red", "blue")
    assert [name for name, option in found.items() if option.is_repeatable] == ["colour"]


def test_two_fields_with_the_name_of_one_option_are_a_range() -> None:
    """The first is where the range begins."""
    age = filter_options(Filters)[0]
    assert age.is_range
    assert age.fields == ("age_from", "age_to")
