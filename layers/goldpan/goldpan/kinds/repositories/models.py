"""The values of the repositories kind: what one stage passes to the next, and its section of the answer."""

from datetime import UTC, date, datetime
from operator import itemgetter
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue

from goldpan.config import Frozen
from goldpan.contracts import FoundBy, Score
from goldpan.engine import stage_values
from goldpan.engine.payload import BATCHES_BYTES, Address
from goldpan.engine.presentation import Judgement
from goldpan.kinds.repositories.constraints import Constraints

KIND = "repositories"
CATALOGUE = "catalogue"
"""The source that knows repositories from an earlier day; beside another one it has the strategy `known`."""
Strategy = Literal["stars", "recency", "expanded", "known", "named"]
Dimension = Literal["maturity", "activity", "documentation", "community", "ease_of_use", "maintenance"]
Matching = Literal["all", "any", "meaning", "category"]
"""How the words of a search are matched; those of the last are names of categories."""
MAX_LABEL_CHARS = 60
Label = Annotated[str, AfterValidator(itemgetter(slice(MAX_LABEL_CHARS)))] | None
DESCRIPTION_CHARS = 350
"""GitHub's own limit."""


def _shortened(text: str) -> str:
    return text if len(text) <= DESCRIPTION_CHARS else text[: DESCRIPTION_CHARS - 1] + "…"


def _in_utc(moment: datetime) -> datetime:
    """Convert a time to UTC; one without a zone is in UTC already."""
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError as error:
        raise ValueError("must be a time") from error


Description = Annotated[str, AfterValidator(_shortened)] | None
Moment = Annotated[datetime, AfterValidator(_in_utc)]
Count = Annotated[int, Field(ge=0, le=2**63 - 1)]
"""What an INTEGER of SQLite holds."""


class StarRange(Frozen):
    """The number of stars that the question asks for; None is open."""

    min: Annotated[int, Field(ge=0)] | None = None
    max: Annotated[int, Field(ge=0)] | None = None


class SearchParams(Frozen):
    """The question as parameters of a search for repositories."""

    keywords: tuple[str, ...]
    question: str = ""
    """The question as typed."""
    expanded_keywords: tuple[str, ...] = ()
    language: str | None = None
    star_range: StarRange | None = None
    created_after: date | None = None
    topics: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    """Words that weigh less than the keywords, such as "my team"; none of them is searched for."""
    typed: dict[str, str] = {}
    """Keywords as they were typed, where the spelling was corrected or the word translated; both are searched for."""
    meaning: str = ""
    """The words whose meaning the results should be close to."""
    constraints: Constraints = Constraints()
    likes: tuple[str, ...] = ()
    """Names of repositories that the results should be like."""

    def __hash__(self) -> int:
        """Hash the texts: what was typed is a dictionary, which has no hash."""
        return hash((self.question, self.meaning, self.keywords))


class RepositorySearch(Frozen):
    """One search: every word must occur, unless `match` says otherwise; the qualifiers have GitHub's meaning.

    A catalogue can also search for any of the words, for what is close in meaning to all of them together, and for the
    repositories of categories.
    """

    words: tuple[str, ...]
    match: Matching = "all"
    language: str | None = None
    license: str | None = None
    topics: tuple[str, ...] = ()
    stars: StarRange = StarRange()
    created_after: date | None = None
    created_before: date | None = None
    pushed_after: date | None = None
    sort: Literal["best_match", "stars", "updated"] = "best_match"


class ScoutTask(stage_values.Task):
    """One strategy at one source: its searches and the byte allowance of its batch."""

    strategy: Strategy
    source: str
    searches: tuple[RepositorySearch, ...]
    params: SearchParams
    byte_allowance: int = BATCHES_BYTES
    names: tuple[str, ...] = ()
    """The repositories to look up by their names instead, for the strategy `named`."""
    further_searches: int = 0
    """How many more may be made by the facts of what the question wants something like."""


class ReadmeOutline(Frozen):
    """The structure of a README, without its text."""

    characters: int
    headings: int
    code_blocks: int
    links: int
    images: int
    sections: tuple[str, ...] = ()
    """Of: install, usage, examples, api, contributing, license, docs."""


class KnownFacts(Frozen):
    """The facts of a repository that an input of a catalogue may have too; None is unknown."""

    full_name: str
    description: Description = None
    homepage: Address = None
    stars: Count | None = None
    forks: Count | None = None
    language: Label = None
    pushed_at: Moment | None = None
    created_at: Moment | None = None
    archived: bool | None = None
    license: Label = None
    releases: Count | None = None
    latest_release_at: Moment | None = None
    open_issues: Count | None = None
    closed_issues: Count | None = None
    watchers: Count | None = None
    contributors: Count | None = None


class Repository(KnownFacts):
    """Facts about a repository from one source; None is unknown."""

    url: Address = None
    topics: tuple[str, ...] | None = None
    fork: bool | None = None
    parent_stars: Count | None = None
    observed: dict[str, date] = {}
    """The day on which a fact was observed, if that was not today."""
    readme: str | None = None
    curator_text: Description = None
    """What the curator of a list says about it; a catalogue may have that in place of a README."""
    note: Description = None
    """What a language model wrote of it, in a catalogue."""
    note_by: Label = None
    """That model, and the day."""
    has_readme: bool | None = None
    readme_outline: ReadmeOutline | None = None
    tree: tuple[str, ...] | None = None
    latest_release_name: Label = None
    merged_pull_requests: Count | None = None
    recent_commits: Count | None = None

    @property
    def page(self) -> str:
        """The address of its page."""
        return self.url or f"https://github.com/{self.full_name}"

    def __hash__(self) -> int:
        """Hash the texts: the days of observation are a dictionary, which has no hash."""
        return hash((self.full_name, self.description, self.readme))


class Batch(stage_values.Batch):
    """The status and the candidates of one scout task, best first."""

    candidates: tuple[Repository, ...] = ()
    found_as: dict[str, str] = {}
    """The full name of what was looked up by its name, which may have changed since, by the name that was asked for."""


class Translation(stage_values.Translation):
    """The question as parameters, and the scout tasks to run."""

    params: SearchParams
    tasks: tuple[ScoutTask, ...] = ()

    def continuation(self) -> dict[str, JsonValue]:
        """Return the words that were searched for."""
        names = {"keywords", "expanded_keywords", "language", "topics"}
        return self.params.model_dump(mode="json", exclude_defaults=True, include=names)


class ScoreTask(stage_values.Task, stage_values.Match):
    """One repository to score: its facts, and the strategies that found it."""

    repository: Repository
    found_by: tuple[FoundBy, ...]
    missing: stage_values.Names = ()
    """The subjects of the question that nothing of the repository shows."""
    violated: stage_values.Names = ()
    """The constraints that the repository breaks; only a comparison keeps one that breaks any."""
    asked: bool = True
    """Whether there is a question that the repository could fit; a comparison may have none."""
    papers: dict[str, str] = {}
    """The papers that its README and its homepage name, by their identity, each with its evidence."""
    ask_llm: bool = False
    retries: int = 0
    """Further LLM calls for this repository, if the first one is refused for a reason that passes."""


class Shortlist(stage_values.Shortlist):
    """The scoring tasks, best first."""

    tasks: tuple[ScoreTask, ...]
    further: tuple[ScoreTask, ...] = ()


class Verdict(stage_values.Verdict, Judgement):
    """The scores of one repository."""

    full_name: str
    documentation: Score = None
    ease_of_use: Score = None
