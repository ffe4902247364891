"""The options that a model of filters makes, and what a page reads of a kind."""

import json
from datetime import date
from typing import Annotated, Literal, cast

from goldpan.config import Frozen
from goldpan.engine.filter_options import Option, filter_options
from goldpan.engine.kind import AnyKind
from goldpan.engine.kind_description import describe_kind
from goldpan.kinds.registry import all_kinds
from pydantic import Field

from tests.support import toy_kind

AGE = Option("Age in years, as 2..5.", "AGES", "age")


class Filters(Frozen):
    """Filters of each type."""

    age_from: Annotated[Annotated[int, Field(ge=0)] | None, AGE] = None
    age_to: Annotated[int | None, AGE] = None
    colours: Annotated[tuple[Literal["red", "blue"], ...], Field(max_length=3), Option("Of it.", "NAME", "colour")] = ()
    sold_since: Annotated[date | None, Option("Sold since.", "DAY")] = None
    wooden: bool | None = None
    maker: Annotated[str | None, Field(description="Whose it is.")] = None


def test_the_type_of_a_filter_says_what_its_option_takes() -> None:
    """Numbers, days, flags, choices and texts, also with metadata inside; two fields with one name are a range."""
    found = {option.name: option for option in filter_options(Filters)}
    types = {"age": "integer", "colour": "text", "sold_since": "day", "wooden": "flag", "maker": "text"}
    assert {name: option.type for name, option in found.items()} == types
    assert found["colour"].choices == ("red", "blue")
    assert [name for name, option in found.items() if option.is_repeatable] == ["colour"]
    assert {name: option.fields for name, option in found.items() if option.is_range} == {"age": ("age_from", "age_to")}
    assert found["maker"].help == "Whose it is."


TOYS = cast("AnyKind", toy_kind.KIND)


def test_every_kind_is_described_as_json() -> None:
    """No function or model is left in it; every value has its place in a result, and every column a heading."""
    for kind in (*all_kinds(), TOYS):
        described = json.loads(json.dumps(describe_kind(kind)))
        assert described["name"] == kind.name
        listed = [each for name in ("columns", "facts", "details", "export") for each in described[name]]
        assert all(each["path"] for each in (described["title"], described["identity"], described["address"], *listed))
        assert all(each["heading"] for each in described["columns"])
    assert described["title"]["path"] == "name"
    assert not described["is_comparable"]
    assert not described["is_analyzable"]
