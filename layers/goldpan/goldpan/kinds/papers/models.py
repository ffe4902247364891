"""The values of the papers kind: what one stage passes to the next, and its section of the answer."""

from functools import partial
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue

from goldpan.config import Frozen
from goldpan.contracts import FoundBy
from goldpan.engine import stage_values
from goldpan.engine.payload import BATCHES_BYTES, WebLink, truncate_json
from goldpan.engine.presentation import Judgement
from goldpan.kinds.papers.constraints import Constraints, PaperType

KIND = "papers"
LIBRARY, HYBRID = "library", "hybrid"
"""The source of the user's own papers, and the strategies that search it: by words, and by words and meaning."""
LIBRARY_QUERIES = 2
"""Queries of one search of a library."""
MAX_TITLE_BYTES, MAX_VENUE_BYTES, MAX_AUTHOR_BYTES, MAX_ABSTRACT_BYTES, MAX_AUTHORS = 600, 200, 100, 1200, 20
"""What a paper carries between stages; a longer text is truncated, as JSON."""
Domain = Literal["general", "computer_science", "medicine", "physics", "mathematics", "social_science"]
Preference = Literal["influential", "recent"]
Title = Annotated[str, AfterValidator(partial(truncate_json, max_bytes=MAX_TITLE_BYTES))]


class SystemIds(Frozen):
    """The identifiers of a paper in the systems of which goldpan knows the rules."""

    doi: str | None = None
    """In lower case, without an address."""
    arxiv: str | None = None
    """Without its version."""
    pmid: str | None = None
    pmcid: str | None = None
    openalex: str | None = None
    semantic_scholar: str | None = None
    corpus: str | None = None
    """Semantic Scholar's number of the paper."""
    google_scholar: str | None = None


class PaperIds(SystemIds):
    """The identifiers of a paper, in their normalised form (see `goldpan.kinds.papers.identifiers`)."""

    other: dict[str, str] = {}
    """Identifiers of a user's library and of systems that no rule knows, by their system."""


ID_SYSTEMS = tuple(SystemIds.model_fields)


class Publication(Frozen):
    """What a bibliography says of where a paper appeared, beside its venue; None is unknown."""

    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    """Such as "12-34", or the number of an article that has no pages."""
    publisher: str | None = None
    editors: tuple[str, ...] = ()
    organisations: tuple[str, ...] = ()
    """The authors and editors that their source knows as no persons, where the names alone do not tell."""
    isbn: str | None = None
    issn: str | None = None
    language: str | None = None
    license: str | None = None
    """By its address or its name, as the source writes it."""
    notices: tuple[str, ...] = ()
    """Retractions and corrections, such as "Correction: 10.1000/xyz"."""


PUBLICATION = tuple(Publication.model_fields)


class PaperFacts(Publication):
    """What a paper is; None is unknown."""

    title: str
    authors: tuple[str, ...] = ()
    """In the order of the paper: "Ada Lovelace", or "García Márquez, Gabriel" where the comma alone tells the parts.

    A list that is cut off ends with "et al."."""
    year: int | None = None
    venue: str | None = None
    type: PaperType | None = None
    abstract: str | None = None
    url: WebLink = None
    pdf_url: WebLink = None
    ids: PaperIds = PaperIds()
    citations: int | None = None
    open_access: bool | None = None


class Paper(PaperFacts):
    """One record of a paper from one source."""

    source: str
    title: Title
    snippet: str | None = None
    """An excerpt where the source has no abstract."""
    retracted: bool | None = None


class PaperVersion(Frozen):
    """One form in which a paper appeared, such as a preprint and its publication."""

    type: PaperType | None = None
    year: int | None = None
    venue: str | None = None
    url: WebLink = None
    doi: str | None = None
    arxiv: str | None = None


class MergedPaper(Frozen):
    """One paper, merged field by field from all its records."""

    id: str
    """The first of its DOI, arXiv id, PMID and other ids, with its system: `doi:10.1000/xyz`; else from its title."""
    paper: Paper
    ids: tuple[PaperIds, ...] = ()
    """The further identifiers of its records, in addition to those of `paper`."""
    sources: tuple[str, ...] = ()
    provenance: dict[str, str] = {}
    """The source of each field."""
    versions: tuple[PaperVersion, ...] = ()
    found_by: tuple[FoundBy, ...] = ()


class ParsedIntent(Frozen):
    """What a question asks for."""

    topic: str
    """The subject in a few words, as a title would name it."""
    concepts: tuple[str, ...]
    """The words and phrases that a paper should have, the most important first."""
    synonyms: dict[str, tuple[str, ...]] = {}
    """Other wordings of a concept, which are searched for too."""
    exact: tuple[str, ...] = ()
    """The concepts that were quoted, whose words stay together."""
    methods: tuple[str, ...] = ()
    original: tuple[str, ...] = ()
    """The words of the subject as typed in another language, or a whole title, for a query of their own."""
    domain: Domain = "general"
    constraints: Constraints = Constraints()
    preferences: tuple[Preference, ...] = ()
    """What changes the order: influential or recent work."""
    meaning: str = ""
    """The words whose meaning the papers should be close to."""
    likes: tuple[str, ...] = ()
    """Titles of papers that the results should be like, or their ids: a DOI, or `arXiv:` and an arXiv id."""
    wanted: tuple[str, ...] = ()
    """Those of them that are results themselves: nothing but their id was given."""


class PaperQuery(Frozen):
    """One query: what a paper should have, the rarest of it first of all."""

    concepts: tuple[tuple[str, ...], ...]
    """Each with its wordings, the best first."""
    exact: tuple[str, ...] = ()
    """The wordings that were quoted: their words stay together, and none is left out."""
    sentence: str = ""
    """The subject as it was asked for, for a source that ranks by any of its words or by its meaning."""


class SearchStrategy(Frozen):
    """The queries of a search, the best first, and the sources that they are sent to."""

    queries: Annotated[tuple[PaperQuery, ...], Field(min_length=1, max_length=4)]
    sources: tuple[str, ...]


class ScoutTask(stage_values.Task):
    """One source: its queries and the byte allowance of its batch."""

    strategy: str
    """How the source is searched: the name of an academic source, `library` or `hybrid`."""
    source: str
    queries: tuple[PaperQuery, ...]
    is_like_ids: bool = False
    """Whether the queries are the ids of papers, and what is wanted is like these."""
    constraints: Constraints = Constraints()
    project_id: str | None = None
    """The project whose library is searched."""
    byte_allowance: int = BATCHES_BYTES


class Batch(stage_values.Batch):
    """The status and the records of one scout task, best first."""

    papers: tuple[Paper, ...] = ()


class Translation(stage_values.Translation):
    """The question as an intent and a strategy, and the scout tasks to run."""

    intent: ParsedIntent
    strategy: SearchStrategy
    tasks: tuple[ScoutTask, ...]

    def continuation(self) -> dict[str, JsonValue]:
        """Return the strategy, and what the papers had to meet."""
        constraints = self.intent.constraints.model_dump(mode="json", exclude_defaults=True)
        return {**self.strategy.model_dump(mode="json", exclude_defaults=True), "constraints": constraints}


class Candidate(stage_values.Match):
    """One paper to score."""

    merged: MergedPaper


class ScoreTask(stage_values.Task):
    """Papers that are scored in one call, best first."""

    candidates: tuple[Candidate, ...]
    ask_llm: bool = False
    retries: int = 0
    """Further LLM calls for parts of these papers, if the provider refuses the text of one of them."""


class Shortlist(stage_values.Shortlist):
    """The scoring tasks, best first; its usage is that of the call for undecided duplicates."""

    tasks: tuple[ScoreTask, ...]
    further: tuple[ScoreTask, ...] = ()


class PaperVerdict(Judgement):
    """The score of one paper."""

    id: str


class Verdict(stage_values.Verdict):
    """The scores of one scoring task."""

    papers: tuple[PaperVerdict, ...]
