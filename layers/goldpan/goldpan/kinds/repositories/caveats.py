"""What an engineer should know before choosing a repository."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime

from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR, days_since
from goldpan.kinds.repositories.models import Repository

MANY_STARS = 2000
MIN_FORKS_A_STAR = 0.005
MIN_CONTRIBUTORS = 2
STALE_DAYS = 180
OLD_STARS_DAYS = 365
_COMMANDS = re.compile(
    r"ignore (?:all |any |your |the )*(?:previous |prior |above )*(?:instructions|prompts?)"
    r"|disregard (?:all |any |your |the )*(?:previous |prior |above )*(?:instructions|prompts?)"
    r"|you are (?:now )?(?:an?|the) (?:ai|assistant|language model|evaluator)"
    r"|(?:score|rate|give|assign)[^.\n]{0,40}\b10\b[^.\n]{0,20}(?:/ ?10|points|score|on (?:all|every))"
    r"|system prompt|respond only with|relevance[\"': ]+1(?:\.0)?\b",
    re.IGNORECASE,
)


def caveats(repository: Repository, now: datetime) -> tuple[str, ...]:
    """List what speaks against trusting the facts, each in a sentence."""
    found = [
        _stars_look_bought(repository),
        _stale(repository, now),
        _archived(repository),
        _old_stars(repository, now),
    ]
    found.append(next((caveat for text in _texts(repository) if (caveat := suspicious(text))), None))
    return tuple(caveat for caveat in found if caveat)


def suspicious(text: str | None) -> str | None:
    """Say so where a text speaks to a language model rather than to a person."""
    if text and _COMMANDS.search(_as_it_reads(text)):
        return "Its text speaks to a language model; it was treated as data."
    return None


def _texts(repository: Repository) -> Iterator[str | None]:
    """Give all that a stranger wrote and the language model is shown."""
    yield from (repository.readme, repository.description, *repository.topics, *(repository.tree or ()))


def _as_it_reads(text: str) -> str:
    """Write a text in plain letters and blanks, without what nobody sees."""
    seen = (sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")
    return " ".join("".join(seen).split())


def _stars_look_bought(repository: Repository) -> str | None:
    stars, forks, contributors = repository.stars, repository.forks, repository.contributors
    if stars is None or stars < MANY_STARS:
        return None
    if forks is not None and forks < MIN_FORKS_A_STAR * stars:
        return f"Stars may be bought: {stars:,} stars but {forks:,} forks."
    if contributors is not None and contributors < MIN_CONTRIBUTORS:
        return f"Stars may be bought: {stars:,} stars but {contributors} contributors."
    return None


def _stale(repository: Repository, now: datetime) -> str | None:
    days = days_since(repository, "pushed_at", now)
    if days is None or days < STALE_DAYS:
        return None
    return f"Last push {days / DAYS_A_YEAR * 12:.0f} months before it was looked at."


def _archived(repository: Repository) -> str | None:
    return "Archived: read-only at GitHub." if repository.archived else None


def _old_stars(repository: Repository, now: datetime) -> str | None:
    day = repository.observed.get("stars")
    if day is None or (now.date() - day).days < OLD_STARS_DAYS:
        return None
    return f"Its stars were counted on {day.isoformat()}."
