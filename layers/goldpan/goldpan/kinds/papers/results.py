"""The ranked papers of an answer."""

from goldpan.config import Frozen
from goldpan.contracts import Section, Unit
from goldpan.engine.presentation import RankedResult
from goldpan.kinds.papers.models import PaperFacts, PaperVersion


class RankedPaper(RankedResult, PaperFacts):
    """One result: what it is, how well it fits and why; a fact that is not known is null."""

    id: str
    """The first of its DOI, arXiv id, PMID and other ids, with its system, such as `doi:10.1000/xyz`."""
    abstract: str | None = None
    """Or an excerpt, where no source has the abstract; long ones are truncated."""
    score: Unit = 0.0
    """What the results are ordered by: the relevance with bounded terms for authority and recency, by the preference;
    less where a constraint is unverified, or where the paper mentions what was to be left out."""
    versions: tuple[PaperVersion, ...] = ()
    provenance: dict[str, str] = {}  # noqa: RUF012 - pydantic copies it
    """The source of each field."""


class Facet(Frozen):
    """A value and how many papers have it."""

    value: str
    count: int


class Facets(Frozen):
    """What the papers have in common; each list by count, then by value."""

    by_year: tuple[Facet, ...] = ()
    by_venue: tuple[Facet, ...] = ()
    top_authors: tuple[Facet, ...] = ()
    key_themes: tuple[Facet, ...] = ()
    """Words and phrases of the relevant papers."""


class PaperCollection(Section):
    """The ranked papers, and what they have in common."""

    results: tuple[RankedPaper, ...]
    weaker: tuple[RankedPaper, ...] = ()
    facets: Facets = Facets()
