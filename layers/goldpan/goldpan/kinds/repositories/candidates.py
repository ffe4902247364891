"""Candidates: merge the batches of all strategies by reciprocal rank fusion, drop some by coarse rules, fetch facts.

score = sum over the strategies of weight / (60 + rank), from Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion
Outperforms Condorcet and Individual Rank Learning Methods", SIGIR 2009, with their constant 60. A strategy that finds
a repository twice, or at two sources, votes once, with the better rank.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce

from goldpan.config import CoarseFilter
from goldpan.contracts import FAILED_STATUSES, FoundBy, SourceStatus, StageError, Unit
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.kinds.checks import Check
from goldpan.kinds.repositories.constraint_checks import check
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR, days_since
from goldpan.kinds.repositories.models import CATALOGUE, Batch, Repository
from goldpan.kinds.repositories.repository_text import present_names
from goldpan.text import words

RRF_CONSTANT = 60
MAX_ERRORS = 8


@dataclass(frozen=True)
class Candidate:
    """A repository merged from all batches, the votes for it, and how it fits the question once that is known."""

    repository: Repository
    agreement: float
    """The fused score."""
    found_by: tuple[FoundBy, ...]
    relevance: Unit = 1.0
    """By rules alone."""
    evidence: tuple[str, ...] = ()
    """The words that earned the relevance."""
    missing: tuple[str, ...] = ()
    found: Check = field(default_factory=Check)
    """How it meets the constraints."""


def fuse(batches: Iterable[Batch], weights: Mapping[str, float]) -> tuple[Candidate, ...]:
    """Merge all repositories of the batches by full name, ignoring case, best score first."""
    ranks: dict[str, dict[str, int]] = {}
    records: dict[str, Repository] = {}
    for batch in batches:
        for rank, repository in enumerate(batch.candidates, start=1):
            key = repository.full_name.lower()
            votes = ranks.setdefault(key, {})
            votes[batch.status.strategy] = min(rank, votes.get(batch.status.strategy, rank))
            known = records.get(key)
            records[key] = _merge(known, repository) if known and known != repository else repository
    found = list[Candidate]()
    for key, votes in ranks.items():
        found_by = tuple(FoundBy(strategy=strategy, rank=rank) for strategy, rank in sorted(votes.items()))
        score = sum(weights.get(vote.strategy, 0.0) / (RRF_CONSTANT + vote.rank) for vote in found_by)
        found.append(Candidate(records[key], score, found_by))
    return tuple(sorted(found, key=order))


def with_known_facts(
    candidates: Sequence[Candidate], rows: Iterable[SourceStatus], dependencies: Dependencies, deadline: Deadline
) -> tuple[Candidate, ...]:
    """Fill unknown facts from the catalogue, if it has answered beside another source, whatever its searches found."""
    if not {CATALOGUE} < {row.source for row in rows if row.status not in FAILED_STATUSES}:
        return tuple(candidates)
    names = [each.repository.full_name for each in candidates]
    pairs = zip(candidates, dependencies.sources[CATALOGUE].look_up(names, deadline).lists, strict=True)
    return tuple(replace(each, repository=reduce(_merge, found, each.repository)) for each, found in pairs)


def answering_source(rows: Sequence[SourceStatus]) -> str:
    """Return the source whose facts count, the first that has answered: a catalogue is the last."""
    return next((row.source for row in rows if row.status not in FAILED_STATUSES), "")


def order(candidate: Candidate) -> tuple[float, int, str]:
    """Return the sort key of what no relevance tells apart: agreement, then stars, then the name."""
    return (-candidate.agreement, -(candidate.repository.stars or 0), candidate.repository.full_name.lower())


def _merge(first: Repository, second: Repository) -> Repository:
    """Fill the unknown facts of the first record from the second, each with its day of observation."""
    filled = {name: value for name, value in vars(second).items() if getattr(first, name) is None}
    days = {name: day for name, day in second.observed.items() if name in filled}
    return first.model_copy(update={**filled, "observed": {**first.observed, **days}})


WRITTEN = ("curator_text", "note", "note_by")
"""What others than its owner say of a repository, which GitHub does not know."""
MIN_FORKS, MIN_SHARE_OF_PARENT = 10, 0.5
"""A fork below both is trivial: forks of its own, and stars as a share of its parent's."""


def broken_rules(repository: Repository, rules: CoarseFilter, constraints: Constraints, now: datetime) -> Iterator[str]:
    """Yield the coarse rules that a repository breaks, then the constraints, by the names under which they are counted.

    What the question or a filter says of the stars, the last push or the archived state takes the place of the rule.
    """
    stars, forks, parent = repository.stars, repository.forks, repository.parent_stars if repository.fork else None
    has_few = stars is not None and parent is not None and stars < MIN_SHARE_OF_PARENT * parent
    is_broken = {
        "stars": stars is not None and stars < (rules.min_stars or 0),
        "pushed": _older(repository, "pushed_at", rules.pushed_within_months, now),
        "age": _older(repository, "created_at", rules.max_age_years and 12 * rules.max_age_years, now),
        "readme": repository.has_readme is False,
        "archived": bool(repository.archived),
        "trivial fork": has_few and forks is not None and forks < MIN_FORKS,
    }
    yield from (name for name, broken in is_broken.items() if broken and name in default_rules(constraints, rules))
    yield from check(repository, constraints, now.date()).violated


def _older(repository: Repository, field: str, months: int | None, now: datetime) -> bool:
    days = days_since(repository, field, now)
    return months is not None and days is not None and days > months * DAYS_A_YEAR / 12


def default_rules(constraints: Constraints, rules: CoarseFilter) -> frozenset[str]:
    """Return the coarse rules that hold for a question: what it says of a fact, or a filter, holds instead."""
    stars = constraints.min_stars is not None or constraints.max_stars is not None
    days = (constraints.pushed_after, constraints.pushed_before, constraints.pushed_within_days)
    held = {
        "stars": rules.min_stars and not stars,
        "pushed": rules.pushed_within_months and all(limit is None for limit in days),
        "age": rules.max_age_years,
        "readme": rules.require_readme,
        "archived": rules.exclude_archived and constraints.archived is None,
        "trivial fork": rules.exclude_trivial_forks,
    }
    return frozenset(rule for rule, holds in held.items() if holds)


def without_broken(
    candidates: Iterable[Candidate], broken: Callable[[Repository], Iterator[str]], dropped: Counter[str]
) -> list[Candidate]:
    """Return the candidates that break no rule, and count the others by the first rule that they break."""
    judged = [(candidate, next(broken(candidate.repository), None)) for candidate in candidates]
    dropped.update(rule for _, rule in judged if rule is not None)
    return [candidate for candidate, rule in judged if rule is None]


def without_copies(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Leave out the former names of other candidates, and what has the name and description of one with more stars."""
    present = {each.repository.full_name.lower() for each in candidates}
    named = [each for each in candidates if present_names().get(each.repository.full_name.lower()) not in present]

    def key(each: Candidate) -> tuple[str, ...]:
        full_name, described = each.repository.full_name.lower(), words(each.repository.description)
        return (full_name.partition("/")[2], *described) if described else (full_name,)

    most_starred = {key(each): each for each in sorted(named, key=lambda each: each.repository.stars or 0)}
    return [each for each in named if most_starred[key(each)] is each]


def enrich(
    candidates: Sequence[Candidate], source: str, dropped: Counter[str], dependencies: Dependencies, deadline: Deadline
) -> tuple[list[Candidate], tuple[StageError, ...]]:
    """Fetch the facts of the candidates from one source, whichever found them; a failed one stays, with an error.

    What is no longer there is dropped and counted, and what has the name of another candidate now is that one.
    """
    given = tuple(candidate.repository for candidate in candidates)
    result = dependencies.sources[source].enrich(given, deadline)
    enriched: dict[str, Candidate] = {}
    for candidate, repository in zip(candidates, result.repositories, strict=True):
        if repository is None:
            dropped["vanished"] += 1
            continue
        kept = {name: getattr(repository, name) or getattr(candidate.repository, name) for name in WRITTEN}
        described = replace(candidate, repository=repository.model_copy(update=kept))
        enriched.setdefault(repository.full_name.lower(), described)
    unique, now = [f"{source}: {failure}" for failure in dict.fromkeys(result.failures)], dependencies.clock.now()
    if len(unique) > MAX_ERRORS:
        unique = [*unique[:MAX_ERRORS], f"and {len(unique) - MAX_ERRORS} more like these"]
    return list(enriched.values()), tuple(StageError(stage="shortlist", error=text, timestamp=now) for text in unique)
