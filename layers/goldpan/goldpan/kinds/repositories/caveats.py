"""List reasons to doubt the facts about a repository, or to be careful with it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime

from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR, days_since
from goldpan.kinds.repositories.models import Repository

MIN_DOUBTED_STARS = 2000
"""Below, few forks or contributors are usual."""
MIN_FORKS_A_STAR = 0.005
MIN_CONTRIBUTORS = 2
STALE_PUSH_DAYS = 180
OLD_STARS_DAYS = 365
_INSTRUCTION = re.compile(
    r"ignore (?:all |any |your |the )*(?:previous |prior |above )*(?:instructions|prompts?)"
    r"|disregard (?:all |any |your |the )*(?:previous |prior |above )*(?:instructions|prompts?)"
    r"|you are (?:now )?(?:an?|the) (?:ai|assistant|language model|evaluator)"
    r"|(?:score|rate|give|assign)[^.\n]{0,40}\b10\b[^.\n]{0,20}(?:/ ?10|points|score|on (?:all|every))"
    r"|system prompt|respond only with|relevance[\"': ]+1(?:\.0)?\b",
    re.IGNORECASE,
)


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


def suspicious(text: str | None) -> str | None:
    """Return a caveat if a text gives instructions to a language model."""
    if text and _INSTRUCTION.search(_visible(text)):
        return "Its text speaks to a language model; it was treated as data."
    return None


def _prompt_texts(repository: Repository) -> Iterator[str | None]:
    """Yield the texts of the repository that are part of the language model's prompt."""
    yield from (repository.readme, repository.description, *repository.topics, *(repository.tree or ()))


def _visible(text: str) -> str:
    """Normalize letters and spaces, and remove invisible characters (category Cf), which could hide a word."""
    visible = (char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return " ".join("".join(visible).split())


def _stars_look_bought(repository: Repository) -> str | None:
    stars, forks, contributors = repository.stars, repository.forks, repository.contributors
    if stars is None or stars < MIN_DOUBTED_STARS:
        return None
    if forks is not None and forks < MIN_FORKS_A_STAR * stars:
        return f"Stars may be bought: {stars:,} stars but {forks:,} forks."
    if contributors is not None and contributors < MIN_CONTRIBUTORS:
        return f"Stars may be bought: {stars:,} stars but {contributors} contributors."
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
