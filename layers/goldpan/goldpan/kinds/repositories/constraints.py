"""What the results of a question must meet, and the filters of a request."""

from datetime import date
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from goldpan.config import Frozen, pattern_in_words
from goldpan.contracts.validation_errors import suggest
from goldpan.engine.filter_options import MAX_VALUES, Excluded, Option
from goldpan.kinds.repositories.licenses import licenses, resolve_license
from goldpan.kinds.repositories.vocabulary import language_names


class Constraints(Frozen):
    """What every result must meet; empty or None is open. Days are inclusive."""

    languages: tuple[str, ...] = ()
    """Languages as GitHub names them; the repository's must be one of them."""
    platforms: tuple[str, ...] = ()
    """Platforms of the vocabulary, one of which the repository must fit by its language or by naming it."""
    licenses: tuple[str, ...] = ()
    """SPDX identifiers, one of which the repository must have."""
    min_stars: int | None = None
    max_stars: int | None = None
    preferred_max_stars: int | None = None
    preferred_max_age_years: int | None = None
    """What is within the preferred limits comes first; the rest of what fits follows as a group of its own."""
    created_after: date | None = None
    created_before: date | None = None
    pushed_after: date | None = None
    pushed_before: date | None = None
    pushed_within_days: int | None = None
    topics: tuple[str, ...] = ()
    archived: bool | None = None
    excluded_terms: tuple[str, ...] = ()
    excluded_languages: tuple[str, ...] = ()
    excluded_topics: tuple[str, ...] = ()
    excluded_licenses: tuple[str, ...] = ()


MIN_MISSPELT = 4
"""Letters of a language whose misspelling is noticed; shorter names are too near to others."""


def _iso_date(value: object) -> date:
    try:
        return value if isinstance(value, date) else date.fromisoformat(str(value))
    except ValueError as error:
        raise ValueError("must be a day such as 2026-01-31") from error


def _known_license(name: str) -> str:
    if not resolve_license(name):
        allowed = "an SPDX identifier such as MIT, or one of the families permissive and copyleft"
        identifiers = dict.fromkeys(spdx for ids in licenses().ids.values() for spdx in ids)
        raise ValueError(f"is unknown; allowed: {allowed}{suggest(name, (*identifiers, *sorted(licenses().families)))}")
    return name


def _not_misspelt(name: str) -> str:
    """Refuse a name that differs from a known language in a letter too many or missing, or in the order of its letters.

    A replaced letter makes another language, such as Cython; GitHub has many that the vocabulary has not.
    """
    typed, known = name.lower(), language_names()
    for each in () if typed in known else sorted(known):
        shorter, longer = sorted((each, typed), key=len)
        has_one_more = shorter in {longer[:place] + longer[place + 1 :] for place in range(len(longer))}
        if len(each) >= MIN_MISSPELT and (has_one_more or sorted(each) == sorted(typed)):
            raise ValueError(f"is unknown; did you mean {known[each]}?")
    return name


Stars = Annotated[int, Field(ge=0, le=10_000_000)]
Day = Annotated[date, Field(ge=date(1970, 1, 1), le=date(2999, 12, 31)), BeforeValidator(_iso_date)]
Language = Annotated[
    str,
    Field(max_length=50, pattern=r"^[A-Za-z0-9][A-Za-z0-9 +#.'*()/-]*$"),
    pattern_in_words("must be the name of a language as GitHub writes it, such as C++ or Vim Script"),
    AfterValidator(_not_misspelt),
]
License = Annotated[str, Field(max_length=50), AfterValidator(_known_license)]
Topic = Annotated[
    str,
    Field(max_length=50, pattern=r"^[A-Za-z0-9][A-Za-z0-9 -]*$"),
    pattern_in_words("must have letters, digits, hyphens and spaces only, and begin with a letter or digit"),
    AfterValidator(lambda name: "-".join(name.lower().split())),
]


class Filters(Frozen):
    """What every result must be; a result whose fact is unknown stays, marked unverified."""

    language: Annotated[Language | None, Option("Only this language, such as Rust.", "NAME")] = None
    """As GitHub names it, or an alternative name of the vocabulary."""
    license: Annotated[License | None, Option("Only this licence: MIT, ..., permissive, copyleft.", "SPDX")] = None
    """An SPDX identifier, or a family such as "permissive"."""
    min_stars: Annotated[Stars | None, Option("At least this number of stars.", "N")] = None
    max_stars: Annotated[Stars | None, Option("At most this number of stars.", "N")] = None
    pushed_since: Annotated[Day | None, Option("Pushed on this day or later.", "DAY")] = None
    created_since: Annotated[Day | None, Option("Created on this day or later.", "DAY")] = None
    topics: Annotated[
        tuple[Topic, ...], Field(max_length=MAX_VALUES), Option("Only with this topic.", "TOPIC", "topic")
    ] = ()
    """All of which the repository must have."""
    exclude: Excluded = ()

    @model_validator(mode="after")
    def _range_not_empty(self) -> Self:
        if self.min_stars is not None and self.max_stars is not None and self.min_stars > self.max_stars:
            raise ValueError(f"min_stars ({self.min_stars:,}) is above max_stars ({self.max_stars:,})")
        return self
