"""The values of a library: its papers, what a search of it returns, and the passages that ground an answer."""

from typing import Annotated

from pydantic import Field

from goldpan.config import Frozen
from goldpan.kinds.papers.constraints import Names, YearRange
from goldpan.kinds.papers.models import PaperFacts, PaperIds

MAX_QUERY = 500
"""Characters of a query; a longer one is refused."""
NO_IDS = PaperIds()
"""Shared, because pydantic copies a default that is not hashable, for each paper."""


class LibraryPaper(PaperFacts):
    """A paper or a note of the user, as it was imported."""

    id: str
    """Unique in its project: the user's own id, else made from the origin and the place there."""
    abstract: str = ""
    summary: str = ""
    """What the user, or a tool of theirs, wrote about the paper; of a note its whole text."""
    tags: tuple[str, ...] = ()
    ids: PaperIds = Field(default_factory=lambda: NO_IDS)


class LibraryFilters(YearRange):
    """What a paper must have, in addition to the words of the query; names match whole words, in any case."""

    authors: Names = ()
    """All of which a paper must have."""
    venues: Names = ()
    """One of which a paper must have."""
    tags: Names = ()
    """All of which a paper must have."""


NO_FILTERS = LibraryFilters()


class LibraryHit(Frozen):
    """A paper that a search of one library found."""

    project: str
    paper: LibraryPaper
    score: float
    """The weighted score: matches in the title count 3, in the abstract 2, in the summary 1. Orders the results."""
    relevance: Annotated[float, Field(ge=0, le=1)]
    """The same on the scale of all kinds."""
    excerpt: str = ""
    """Fifty characters either side of the first match, the matched words between `**`."""


class FoundInLibrary(Frozen):
    """What a search of a library says of its results."""

    query: str
    count: int
    """All papers that match, also beyond the limit."""
    encoder: str | None = None
    """The encoder whose vectors took part; null where words alone decided."""
    notes: tuple[str, ...] = ()


class LibraryResult(FoundInLibrary):
    """The result of a search of one library."""

    results: tuple[LibraryHit, ...]


class Chunk(Frozen):
    """A passage of a paper of a library, with what is needed to cite it."""

    project: str
    document: str
    """The id of the paper."""
    start: int
    """The first character, in the text of the paper: title, abstract and summary, with an empty line between."""
    end: int
    text: str
    score: Annotated[float, Field(ge=0, le=1)]
    citation: str
