"""How the results of a kind are shown: what every format, page, tool and saved search reads.

A kind lists its values once, as attributes with a label and a format. The application decides how each format looks,
and knows no kind. `goldpan.engine.kind_description` gives the same as JSON, for pages.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from operator import attrgetter
from typing import Any, Generic, Literal, TypeVar, cast

from goldpan.config import Frozen
from goldpan.contracts import Basis, FoundBy, Unit

Result_contra = TypeVar("Result_contra", contravariant=True)
Section_contra = TypeVar("Section_contra", contravariant=True)
Value = str | int | float | bool | date | tuple[str, ...] | None
Format = Literal["text", "count", "score", "share", "date", "year", "flag", "list", "names", "address"]
"""What a value is: `score` is 0 to 10, `share` 0 to 1; `names` are those of people; a `flag` is shown by its label."""


@dataclass(frozen=True)
class Attribute(Generic[Result_contra]):
    """A value of a result, None if it is not known.

    `path` is where it stands in the JSON of a result, with dots between fields; by default it is `name`. `value`
    computes it instead. What is `free_text` could hold anything: agents get it only where it is marked as quoted.
    `help` says in a sentence what it measures. `link` is the address that a value leads to, with {} in its place.
    """

    name: str
    label: str = ""
    format: Format = "text"
    path: str = ""
    value: Callable[[Result_contra], Value] | None = None
    free_text: bool = False
    help: str = ""
    link: str = ""

    def read(self, result: Result_contra) -> Value:
        """Return the value of a result."""
        if self.value is not None:
            return self.value(result)
        return cast("Value", attrgetter(self.path or self.name)(result))


@dataclass(frozen=True)
class Column(Attribute[Result_contra]):
    """An attribute with a column of its own: always, from a medium width (1), or on a wide terminal only (2).

    Without room it is listed below the result. `heading` is its title, by default the label.
    """

    priority: Literal[0, 1, 2] = 0
    heading: str = ""

    @property
    def title(self) -> str:
        """The title of the column."""
        return self.heading or self.label.capitalize()


@dataclass(frozen=True)
class Line:
    """A line of text below a result or a section, and what it is."""

    label: str
    text: str


@dataclass(frozen=True)
class Facet:
    """An attribute by which the results on a page can be filtered.

    `steps` group numbers by the least value, and dates by the greatest age in days (None: any); without them each
    value is one. `by_value` orders the values by themselves, the greatest first, not by their number of results.
    `terms` is where the section lists the terms that are looked for in the texts of a result.
    """

    label: str
    path: str = ""
    format: Format = "text"
    steps: tuple[tuple[int | None, str], ...] = ()
    by_value: bool = False
    terms: str = ""


@dataclass(frozen=True)
class ExportFormat(Generic[Result_contra]):
    """A format of one kind, such as a bibliography; `render` makes the whole text."""

    name: str
    media_type: str
    suffix: str
    render: Callable[[Sequence[Result_contra]], str]


class Judgement(Frozen):
    """How well something fits the question, and why."""

    relevance: Unit
    reasoning: str
    basis: Basis
    """Whether a language model judged it, or the rules alone."""
    caveats: tuple[str, ...] = ()


class RankedResult(Judgement):
    """What a result of every kind says of its place, beside its facts."""

    unverified: tuple[str, ...] = ()
    """The constraints that its facts leave open; it is placed lower for them."""
    found_by: tuple[FoundBy, ...] = ()


@dataclass(frozen=True)
class Presentation(Generic[Result_contra, Section_contra]):
    """How the results of a kind are shown; every result has `relevance`, `reasoning` and `caveats` as well."""

    singular: str
    plural: str
    title: Attribute[Result_contra]
    identity: Attribute[Result_contra]
    """By which two searches are compared."""
    address: Attribute[Result_contra]
    columns: tuple[Column[Result_contra], ...]
    facts: tuple[Attribute[Result_contra], ...] = ()
    """Further values: in one line, with details only if there is a description."""
    details: tuple[Attribute[Result_contra], ...] = ()
    """Values that a page lists below a result."""
    description: Attribute[Result_contra] | None = None
    """What its authors say about it in a line."""
    text: Attribute[Result_contra] | None = None
    """What its authors say about it at length, shown with details."""
    links: Callable[[Result_contra], Mapping[str, str]] = lambda _: {}
    """Web addresses by what they lead to."""
    lines: Callable[[Result_contra], Iterable[Line]] = lambda _: ()
    """Further lines, above the reason."""
    caveats: Callable[[Result_contra], Iterable[str]] = attrgetter("caveats")
    section_lines: Callable[[Section_contra], Iterable[Line]] = lambda _: ()
    """What the results have in common."""
    dropped: Mapping[str, str] = field(default_factory=dict)
    """Why results were left out, in a few words for each rule that may be in `Section.dropped`."""
    facets: tuple[Facet, ...] = ()
    export: tuple[Attribute[Result_contra], ...] = ()
    """The columns of a spreadsheet behind the rank."""
    formats: tuple[ExportFormat[Result_contra], ...] = ()
    is_liked_by_title: bool = False
    """Whether the question `like “TITLE”` finds what is like a result."""


def name_people(names: Sequence[str]) -> str:
    """Name the only one, or both of two, or the first with "et al.", as a list that goes on ends; "" without any."""
    return f"{names[0]} et al." if len(names) > 2 or "et al." in names[1:] else " and ".join(names)  # noqa: PLR2004


AnyPresentation = Presentation[Any, Any]
AnyAttribute = Attribute[Any]
AnyColumn = Column[Any]
"""Those of a kind that is known by its name only."""
RELEVANCE: Column[object] = Column("relevance", "relevance", "share")
REASONING: Attribute[object] = Attribute("reasoning", "why")
CAVEATS: Attribute[object] = Attribute("caveats", "caveats", "list")
