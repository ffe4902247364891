"""What papers must be: the filters of a request, and the constraints that a question or its filters state."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from goldpan.config import Frozen
from goldpan.engine.filter_options import MAX_VALUES, MUST_BE_VISIBLE, VISIBLE, Excluded, Option

MIN_YEAR, MAX_YEAR = 1000, 2999
PaperType = Literal["article", "preprint", "review", "conference", "book", "chapter", "thesis", "dataset", "other"]
"""What a paper is; each source names it differently, and its module maps it to one of these."""
Year = Annotated[int, Field(ge=MIN_YEAR, le=MAX_YEAR)]
Name = Annotated[str, Field(min_length=1, max_length=100, pattern=VISIBLE), MUST_BE_VISIBLE]
Names = Annotated[tuple[Name, ...], Field(max_length=MAX_VALUES)]
YEARS = Option("2020, 2020..2024, 2020.. or ..2024.", "YEARS", "year")


class YearRange(Frozen):
    """The first and the last year; None is open."""

    year_from: Annotated[Year | None, YEARS] = None
    year_to: Annotated[Year | None, YEARS] = None

    @model_validator(mode="after")
    def _range_not_empty(self) -> Self:
        if self.year_from is not None and self.year_to is not None and self.year_from > self.year_to:
            raise ValueError(f"year_from ({self.year_from}) is after year_to ({self.year_to})")
        return self


class Filters(YearRange):
    """What every paper must be; a paper whose fact is unknown stays, marked unverified."""

    venues: Annotated[Names, Option("Only in one of these journals or conferences.", "NAME", "venue")] = ()
    """One of which must be the venue, by name or abbreviation."""
    authors: Annotated[Names, Option("Only by this author; all of them, if there are several.", "NAME", "author")] = ()
    """The authors that a paper must have, each of them."""
    types: Annotated[
        tuple[PaperType, ...],
        Field(max_length=MAX_VALUES),
        Option("Only of this type, such as review or preprint.", "TYPE", "type"),
    ] = ()
    open_access: Annotated[bool | None, Option("Only those that are (not) free to read.", "")] = None
    exclude: Excluded = ()


class Constraints(Frozen):
    """What every paper must meet; empty or None is open. Years are inclusive."""

    year_from: int | None = None
    year_to: int | None = None
    venues: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    types: tuple[PaperType, ...] = ()
    open_access: bool | None = None
    excluded_terms: tuple[str, ...] = ()
    excluded_types: tuple[PaperType, ...] = ()
    excluded_venues: tuple[str, ...] = ()
    excluded_authors: tuple[str, ...] = ()
    excluded_years: tuple[int, ...] = ()
