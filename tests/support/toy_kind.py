"""A small kind of results, which proves that one more needs no change outside its own module and the registry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from goldpan.config import Frozen
from goldpan.contracts import FAILED_STATUSES, Basis, SearchRequest, Section, SourceStatus, Status
from goldpan.contracts.kinds import select_filters
from goldpan.engine import kind, stage_values, stages
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.filter_options import Option
from goldpan.engine.presentation import REASONING, RELEVANCE, Attribute, Column, Facet, Presentation, RankedResult
from goldpan.engine.ranking import divide
from goldpan.errors import SourcesFailed
from goldpan.infra.settings import Settings
from pydantic import Field

NAME, SOURCE = "toys", "toy_box"
ANTIQUE, LIKELY = 30, 0.1
MODULE = __name__


@dataclass(frozen=True)
class ToyBox:
    """A source of toys, by name with their age."""

    toys: Mapping[str, int] = field(default_factory=lambda: {"robot": 3, "kite": 5, "react puzzle": 1, "tin robot": 40})


class ToyFilters(Frozen):
    """The age in years that a toy may have."""

    max_age: Annotated[int | None, Field(ge=0), Option("Maximum age in years.", "YEARS")] = None


class ToyTask(stage_values.Task):
    """One search of the box, for the toys whose name has this word."""

    word: str
    max_age: int | None = None


class Toy(Frozen):
    """A toy and its age in years."""

    name: str
    age: int


class ToyTranslation(stage_values.Translation):
    """One task for each word of the question."""

    tasks: tuple[ToyTask, ...]


class ToyBatch(stage_values.Batch):
    """The toys of one task."""

    toys: tuple[Toy, ...] = ()


class ToyScoreTask(stage_values.Task):
    """One toy to score."""

    toy: Toy


class ToyShortlist(stage_values.Shortlist):
    """The toys to score, and the rows of all searches."""

    tasks: tuple[ToyScoreTask, ...]


class ToyVerdict(Frozen):
    """How well a toy fits; `note` says why there is no better answer."""

    name: str
    age: int
    relevance: float
    note: str = ""


class RankedToy(RankedResult):
    """A result, with the fields that every kind has."""

    name: str
    url: str
    age: int
    basis: Basis = "rules"


class ToySection(Section):
    """The ranked toys."""

    results: tuple[RankedToy, ...]
    weaker: tuple[RankedToy, ...] = ()


def translate(request: SearchRequest, _sources: Sequence[str], _: Dependencies, _deadline: Deadline) -> ToyTranslation:
    """Search the box once for each word."""
    words = dict.fromkeys(request.query.lower().split())
    max_age = select_filters(ToyFilters, request.filters).max_age
    return ToyTranslation(tasks=tuple(ToyTask(id=f"word-{word}", word=word, max_age=max_age) for word in words))


def scout(task: ToyTask, dependencies: Dependencies, _deadline: Deadline) -> ToyBatch:
    """Find the toys for one word."""
    box: ToyBox = dependencies.sources[SOURCE]
    oldest = float("inf") if task.max_age is None else task.max_age
    toys = tuple(Toy(name=name, age=age) for name, age in box.toys.items() if task.word in name and age <= oldest)
    return ToyBatch(status=_status(task, "ok" if toys else "empty"), toys=toys)


def shortlist(
    batches: Sequence[ToyBatch], _translation: Any, _request: SearchRequest, _: Dependencies, _deadline: Deadline
) -> ToyShortlist:
    """Merge the batches. Raises `SourcesFailed` if every one failed."""
    rows = tuple(batch.status for batch in batches)
    if all(row.status in FAILED_STATUSES for row in rows):
        raise SourcesFailed(f"{SOURCE}: {rows[0].detail}")
    toys = {toy.name: toy for batch in batches for toy in batch.toys}
    return ToyShortlist(tasks=tuple(ToyScoreTask(id=toy.name, toy=toy) for toy in toys.values()), sources=rows)


def score(task: ToyScoreTask, _request: SearchRequest, _: Dependencies, _deadline: Deadline) -> ToyVerdict:
    """Prefer new toys."""
    return ToyVerdict(name=task.toy.name, age=task.toy.age, relevance=1 / task.toy.age)


def rank(
    tasks: ToyShortlist, verdicts: Sequence[ToyVerdict], _: Any, request: SearchRequest, _now: datetime
) -> stage_values.KindResult:
    """Order the toys by relevance; antiques are weaker."""
    by_name = request.sort == "name"
    ordered = sorted(verdicts, key=lambda verdict: verdict.name if by_name else -verdict.relevance)
    toys = [
        RankedToy(
            name=item.name,
            url=f"https://toys.example/{item.name.replace(' ', '-')}",
            age=item.age,
            relevance=item.relevance,
            reasoning=item.note or "It is new.",
        )
        for item in ordered
    ]
    divided = divide(toys, lambda toy: toy.age < ANTIQUE, {"rules": LIKELY})
    section = ToySection(
        total_candidates=len(tasks.tasks),
        shortlisted=len(tasks.tasks),
        results=divided.results,
        weaker=divided.weaker,
        nothing_fits=divided.nothing_fits,
    )
    return stage_values.KindResult(kind=NAME, section=section, sources=tasks.sources)


def failed_batch(task: ToyTask, failure: stage_values.TaskFailure) -> ToyBatch:
    """Make the batch of a lost task."""
    return ToyBatch(status=_status(task, "unavailable", failure.failure))


def unscored(task: ToyScoreTask, failure: stage_values.TaskFailure) -> ToyVerdict:
    """Make the verdict of a lost task."""
    return ToyVerdict(name=task.toy.name, age=task.toy.age, relevance=0, note=f"It was not scored: {failure.failure}.")


def _status(task: ToyTask, status: Status, detail: str = "") -> SourceStatus:
    return SourceStatus(kind=NAME, strategy=task.word, source=SOURCE, status=status, detail=detail)


TITLE: Attribute[RankedToy] = Attribute("name", "toy")
ADDRESS: Attribute[RankedToy] = Attribute("url", format="address")
AGE: Column[RankedToy] = Column("age", "years", "count", heading="Age")
PRESENTATION: Presentation[RankedToy, ToySection] = Presentation(
    singular="toy",
    plural="toys",
    title=TITLE,
    identity=TITLE,
    address=ADDRESS,
    columns=(AGE, RELEVANCE),
    facets=(Facet("Age", "age", "count", ((4, "4 and more"), (0, "under 4"))),),
    export=(TITLE, ADDRESS, AGE, RELEVANCE, REASONING),
)
CONNECTOR = kind.Connector(
    settings=Settings,
    rate_limits={},
    connect=lambda names, *_: {SOURCE: ToyBox()} if SOURCE in names else {},
    plan=lambda _: {SOURCE: ToyBox()},
)
STAGES = stages.Stages(
    translate=translate,
    scout=scout,
    shortlist=shortlist,
    score=score,
    rank=rank,
    failed_batch=failed_batch,
    unscored=unscored,
    summaries=stages.Summaries(
        scout=lambda _: "scout finished",
        shortlist=lambda _: "shortlist finished",
        score=lambda _: "score finished",
        rank=lambda _: "rank finished",
        translate="translate finished",
    ),
)
KIND = kind.Kind(
    name=NAME,
    sources=(SOURCE,),
    default_sources=(SOURCE,),
    connector=lambda: CONNECTOR,
    models=stages.Models(ToyTask, ToyTranslation, ToyBatch, ToyShortlist, ToyScoreTask, ToyVerdict),
    section=ToySection,
    stages=lambda: STAGES,
    prime=lambda: list,
    filters=ToyFilters,
    sorts=("relevance", "name"),
    present=lambda: PRESENTATION,
)
