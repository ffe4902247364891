"""The caveats of a result: what its facts make doubtful, and what a constraint leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from goldpan.kinds.repositories.constraint_texts import mention_caveat, unverified_caveat, violated_caveat
from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR, days_since
from goldpan.kinds.repositories.models import Repository, ScoreTask
from goldpan.text import suspicious

MIN_DOUBTED_STARS = 2000
"""Below, few forks or contributors are usual."""
MIN_FORKS_A_STAR = 0.005
MIN_CONTRIBUTORS = 2
STALE_PUSH_DAYS = 180
OLD_STARS_DAYS = 365


def caveats(repository: Repository, now: datetime) -> tuple[str, ...]:
    """List the caveats of a repository, one sentence each."""
    found = (
        _stars_look_bought(repository),
        _stale(repository, now),
        _archived(repository),
        _old_stars(repository, now),
        next((caveat for text in _prompt_texts(repository) if (caveat := suspicious(text))), None),
    )
    return tuple(caveat for caveat in found if caveat)


def _prompt_texts(repository: Repository) -> Iterator[str | None]:
    """Yield the texts of the repository that are part of the language model's prompt."""
    yield from (
        repository.readme,
        repository.curator_text,
        repository.description,
        *repository.topics,
        *(repository.tree or ()),
    )


def _stars_look_bought(repository: Repository) -> str | None:
    stars, forks, contributors = repository.stars, repository.forks, repository.contributors
    if stars is None or stars < MIN_DOUBTED_STARS:
        return None
    if forks is not None and forks < MIN_FORKS_A_STAR * stars:
        return f"Stars may be bought: {stars:,} stars but {forks:,} forks."
    if contributors is not None and contributors < MIN_CONTRIBUTORS:
        return (
            f"Stars may be bought: {stars:,} stars but {contributors or 'no'} contributor{'' if contributors else 's'}."
        )
    return None


def _stale(repository: Repository, now: datetime) -> str | None:
    days = days_since(repository, "pushed_at", now)
    if days is None or days < STALE_PUSH_DAYS:
        return None
    return f"Last push {days / DAYS_A_YEAR * 12:.0f} months before it was looked at."


def _archived(repository: Repository) -> str | None:
    return "Archived: read-only at GitHub." if repository.archived else None


def _old_stars(repository: Repository, now: datetime) -> str | None:
    day = repository.observed.get("stars")
    if day is None or (now.date() - day).days < OLD_STARS_DAYS:
        return None
    return f"Its stars were counted on {day.isoformat()}."


def constraint_caveats(task: ScoreTask) -> Iterator[str]:
    """List what the constraints of the question leave open, and what it breaks of them."""
    if task.unverified:
        yield unverified_caveat(task.unverified)
    if task.mentions:
        yield mention_caveat(task.mentions)
    if task.violated:
        yield violated_caveat(task.violated)
