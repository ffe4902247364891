"""The caveats of a result: what its facts make doubtful, and what a constraint leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from goldpan.kinds.repositories.constraint_texts import mention_caveat, unverified_caveat, violated_caveat
from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR, days_since, may_be_idle
from goldpan.kinds.repositories.models import Repository, ScoreTask
from goldpan.text import suspicious

MIN_DOUBTED_STARS = 2000
"""Below, few forks or contributors are usual."""
MIN_FORKS_A_STAR = 0.005
MIN_CONTRIBUTORS = 2
STALE_PUSH_DAYS = 180
OLD_STARS_DAYS = 365


def caveats(repository: Repository, now: datetime) -> Iterator[str]:
    """Yield the caveats of a repository, one sentence each."""
    if (doubt := _doubt_about_stars(repository)) is not None:
        yield f"Stars may be bought: {repository.stars:,} stars but {doubt}."
    days = days_since(repository, "pushed_at", now)
    if days is not None and days >= STALE_PUSH_DAYS:
        yield f"Last push {days / DAYS_A_YEAR * 12:.0f} months before it was looked at."
    elif may_be_idle(repository, now):
        yield f"Its last known push was on {repository.pushed_at:%Y-%m-%d}; later ones are not known."
    if repository.archived:
        yield "Archived: read-only at GitHub."
    day = repository.observed.get("stars")
    if day is not None and (now.date() - day).days >= OLD_STARS_DAYS:
        yield f"Its stars were counted on {day.isoformat()}."
    # what is part of the language model's prompt
    texts = (repository.readme, repository.curator_text, repository.description)
    if caveat := next(filter(None, map(suspicious, (*texts, *repository.topics, *(repository.tree or ())))), None):
        yield caveat


def _doubt_about_stars(repository: Repository) -> str | None:
    stars, forks, contributors = repository.stars, repository.forks, repository.contributors
    if stars is None or stars < MIN_DOUBTED_STARS:
        return None
    if forks is not None and forks < MIN_FORKS_A_STAR * stars:
        return f"{forks:,} forks"
    if contributors is not None and contributors < MIN_CONTRIBUTORS:
        return f"{contributors or 'no'} contributor{'' if contributors else 's'}"
    return None


def constraint_caveats(task: ScoreTask) -> Iterator[str]:
    """List what the constraints of the question leave open, and what it breaks of them."""
    if task.unverified:
        yield unverified_caveat(task.unverified)
    if task.mentions:
        yield mention_caveat(task.mentions)
    if task.violated:
        yield violated_caveat(task.violated)
