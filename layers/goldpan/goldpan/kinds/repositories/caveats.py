"""The caveats of a repository: what its facts make doubtful, and what a constraint leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from goldpan.counts import counted
from goldpan.kinds.repositories.constraint_checks import Check
from goldpan.kinds.repositories.constraint_texts import FACTS, fact_name, known_facts
from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR, days_since, may_be_idle
from goldpan.kinds.repositories.models import Repository
from goldpan.text import suspicious

MIN_DOUBTED_STARS = 2000
"""Below, few forks or contributors are usual."""
FEW = {"forks": 0.005, "watchers": 0.002, "contributors": 0.0}
"""For a star; the least is two of each."""
STALE_PUSH_DAYS = 180
OLD_STARS_DAYS = 365


def caveats(repository: Repository, now: datetime) -> Iterator[str]:
    """Yield the caveats of a repository, one sentence each."""
    yield from _star_caveats(repository)
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


def _star_caveats(repository: Repository) -> Iterator[str]:
    """Yield what is unusual about the stars, as figures; stars can be bought, but there are harmless reasons too."""
    stars = repository.stars or 0
    for field, share in FEW.items():
        count = getattr(repository, field)
        if count is not None and stars >= MIN_DOUBTED_STARS and count < max(2, share * stars):
            yield f"{stars:,} stars but {counted(count, field)}, which is unusual."


def constraint_caveats(repository: Repository, found: Check) -> Iterator[str]:
    """Yield which constraints of a question the facts leave open, which they break, and what was to be left out."""
    if found.unverified:
        names = dict.fromkeys(FACTS.get(fact_name(name), "topics") for name in found.unverified)
        yield f"Not verified, for lack of a current fact: {', '.join(names)}."
    if found.mentioned:
        yield f"Mentions {', '.join(found.mentioned)}, which was to be left out."
    if found.violated:
        facts = known_facts(repository)
        own = (facts.get(fact := fact_name(name)) or FACTS.get(fact, name) for name in found.violated)
        yield f"Not what was asked for: {', '.join(dict.fromkeys(own))}."
