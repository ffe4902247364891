"""How an answer names the facts that constraints and filters limit, and what the rules dropped."""

from __future__ import annotations

from collections.abc import Mapping

from goldpan.config import CoarseFilter
from goldpan.kinds.repositories.candidates import default_rules, rule_name
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.present import DROPPED

MAX_RULES = 6
"""The rules that one sentence lists, those that dropped the most first."""
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


def fact_name(constraint: str) -> str:
    """Return the fact that a constraint limits, as in `FACTS`."""
    return rule_name(constraint).removeprefix("excluded ")


def known_facts(repository: Repository) -> dict[str, str]:
    """Describe the facts of a repository that constraints limit, as far as they are known."""
    pushed, created, language = repository.pushed_at, repository.created_at, repository.language
    facts = {
        "license": repository.license and f"licence {repository.license}",
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


def dropped_warnings(dropped: Mapping[str, int], constraints: Constraints, rules: CoarseFilter) -> tuple[str, ...]:
    """Say in one sentence what each rule dropped, and how to widen."""
    ordered = sorted(dropped.items(), key=lambda item: (-item[1], item[0]))[:MAX_RULES]
    defaults = default_rules(constraints, rules)
    texts = DROPPED | _limits(constraints) | {name: text for name, text in _defaults(rules).items() if name in defaults}
    parts = [f"{count} {texts.get(rule) or _other_text(rule)}" for rule, count in ordered]
    ways = ["config.coarse_filter (--config) widens"] if any(rule in defaults for rule, _ in ordered) else []
    if any(rule not in defaults for rule, _ in ordered):
        ways.append("fewer constraints (ignore, --ignore) or filters widen")
    return (f"Left out: {', '.join(parts)}; {'; '.join(ways)}.",)


def _defaults(rules: CoarseFilter) -> dict[str, str]:
    """Describe what the coarse rules drop, with their figures."""
    return {
        "stars": f"with fewer than {rules.min_stars or 0:,} stars",
        "pushed": f"without a push in {rules.pushed_within_months} months",
        "age": f"more than {rules.max_age_years} years old",
        "archived": "archived",
    }


def _limits(constraints: Constraints) -> dict[str, str]:
    """Describe what the constraints drop, with their values."""
    low, high = constraints.min_stars, constraints.max_stars
    outside = (f"fewer than {low:,}" if low is not None else "", f"more than {high:,}" if high is not None else "")
    return {
        "stars": f"with {' or '.join(filter(None, outside))} stars",
        "language": f"not in {' or '.join(constraints.languages)}",
        "platform": f"not for {' or '.join(constraints.platforms)}",
        "excluded language": f"in {' or '.join(constraints.excluded_languages)}",
        "pushed": "last pushed outside the time asked for",
        "archived": "not archived" if constraints.archived else "archived",
    }


def _other_text(rule: str) -> str:
    """Describe the rule of a topic or an excluded term."""
    excluded = rule.startswith("not ")
    return f"that are {rule.removeprefix('not ').removeprefix('topic ')}" if excluded else f"without the {rule}"
