"""What an answer says in sentences: of what was left out or not judged, and of each repository's facts."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from goldpan.config import CoarseFilter
from goldpan.contracts import SourceStatus
from goldpan.counts import counted
from goldpan.engine.ranking import constraint_caveats
from goldpan.kinds.repositories.candidates import answering_source, default_rules
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR, days_since, may_be_idle
from goldpan.kinds.repositories.licenses import is_known_license
from goldpan.kinds.repositories.models import CATALOGUE, Repository, ScoreTask
from goldpan.kinds.repositories.present import DROPPED
from goldpan.text import suspicious

ALWAYS_DROPPED = {"copy", "vanished", "unconfirmed"}
"""What no constraint, filter or setting keeps."""
MIN_DOUBTED_STARS = 2000
"""Below, few forks or contributors are usual."""
FEW = {"forks": 0.005, "watchers": 0.002, "contributors": 0.0}
"""For a star; the least is two of each."""
STALE_PUSH_DAYS = 180
OLD_STARS_DAYS = 365
FACTS = {
    "stars": "number of stars",
    "created": "day of creation",
    "pushed": "last push",
    "license": "licence",
    "language": "language",
    "platform": "platform",
    "archived": "archived state",
}
"""The facts that a constraint rests on, for people; the other constraints rest on topics."""


def broken_text(rule: str, constraints: Constraints, rules: CoarseFilter) -> str:
    """Describe what breaks a rule or constraint, with its limits of stars or months."""
    texts, held = dict(DROPPED), default_rules(constraints, rules)
    low, high = (rules.min_stars, None) if "stars" in held else (constraints.min_stars, constraints.max_stars)
    outside = (f"fewer than {low:,}" if low is not None else "", f"more than {high:,}" if high is not None else "")
    texts["stars"] = f"with {' or '.join(filter(None, outside))} stars"
    texts["archived"] = "not archived" if constraints.archived else "archived"
    if "pushed" in held:
        texts["pushed"] = f"without a push in {rules.pushed_within_months} months"
    other = _topic_or_term(rule)
    return texts.get(rule, f"that are {other}" if rule.startswith("not ") else other)


def _topic_or_term(rule: str) -> str:
    """Describe what breaks a rule on a topic or an excluded term."""
    return rule.removeprefix("not ").removeprefix("topic ") if rule.startswith("not ") else f"without the {rule}"


def not_confirmed(shown: Iterable[ScoreTask], rows: Sequence[SourceStatus]) -> tuple[str, ...]:
    """Count in one sentence the results that no current source has confirmed, with their oldest day of observation."""
    source = answering_source(rows)
    alone = [task.repository for task in shown if {found.strategy for found in task.found_by} == {"known"}]
    days = [min(each.observed.values()) for each in alone if each.observed]
    if source == CATALOGUE or not days:  # its notice says so of all
        return ()
    facts = f"The facts of {counted(len(days), 'results')} are the catalogue's"
    return (f"{facts}, the oldest of {min(days)}: {source} did not confirm them.",)


def caveats(repository: Repository, now: datetime) -> Iterator[str]:
    """Yield the caveats of a repository, one sentence each."""
    stars = repository.stars or 0
    for field, share in FEW.items():  # stars can be bought, but there are other reasons too
        count = getattr(repository, field)
        if count is not None and stars >= MIN_DOUBTED_STARS and count < max(2, share * stars):
            yield f"{stars:,} stars but {counted(count, field)}, which is unusual."
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
    if caveat := speaks_to_a_model(repository):
        yield caveat


def speaks_to_a_model(repository: Repository) -> str | None:
    """Return a caveat if what is part of a language model's prompt gives instructions to it."""
    texts = (repository.readme, repository.curator_text, repository.description)
    return next(filter(None, map(suspicious, (*texts, *(repository.topics or ()), *(repository.tree or ())))), None)


def limit_caveats(task: ScoreTask) -> Iterator[str]:
    """Yield which constraints of a question the facts leave open, which they break, and what was to be left out."""
    open_facts = (FACTS.get(rule.removeprefix("excluded "), "topics") for rule in task.unverified)
    yield from constraint_caveats(open_facts, task.mentions)
    if task.violated:
        facts = FACTS | known_facts(task.repository)
        own = (facts.get(rule.removeprefix("excluded "), _topic_or_term(rule)) for rule in task.violated)
        yield f"Not what was asked for: {', '.join(dict.fromkeys(own))}."


def known_facts(repository: Repository) -> dict[str, str]:
    """Describe the facts of a repository that constraints limit, as far as they are known."""
    pushed, created, language = repository.pushed_at, repository.created_at, repository.language
    facts = {
        "license": f"licence {repository.license}" if is_known_license(repository.license) else None,
        "stars": f"{repository.stars:,} stars" if repository.stars is not None else None,
        "created": created and f"created {created:%Y-%m-%d}",
        "pushed": pushed and f"last push {pushed:%Y-%m-%d}",
        "language": language and f"language {language}",
        "platform": language and f"language {language}",
    }
    return {name: text for name, text in facts.items() if text}


def asked_facts(repository: Repository, constraints: Constraints) -> tuple[str, ...]:
    """Say in a sentence what is known of the facts that the question limits, and when the last push was."""
    limits = {
        "license": bool(constraints.licenses),
        "stars": (constraints.min_stars, constraints.max_stars) != (None, None),
        "created": bool(constraints.created_after or constraints.created_before),
        "pushed": True,
    }
    said = ", ".join(text for name, text in known_facts(repository).items() if limits.get(name))
    return (f"{said[0].upper()}{said[1:]}.",) if said else ()
