"""How an answer names the rules, constraints and filters: what they dropped, and what could not be verified."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from goldpan.config import CoarseFilter
from goldpan.kinds.repositories.constraints import Constraints

FEW_RESULTS = 5
"""Below, or below the number that was asked for, an answer says what each rule dropped."""
MAX_RULES = 6
"""The rules that one sentence lists, those that dropped the most first."""
MAX_RULE_CHARS = 60
RULES = {
    "min_stars": "stars",
    "max_stars": "stars",
    "created_after": "created",
    "created_before": "created",
    "pushed_after": "pushed",
    "pushed_before": "pushed",
    "pushed_within": "pushed",
}
"""The names under which constraints of the same fact are counted together; any other is counted under its own."""
FACTS = {
    "stars": "number of stars",
    "created": "day of creation",
    "pushed": "last push",
    "license": "licence",
    "excluded license": "licence",
    "language": "language",
    "excluded language": "language",
    "platform": "platform",
    "archived": "archived state",
}
"""The facts that a rule rests on, for people; the other rules rest on topics."""


def rule_name(constraint: str) -> str:
    """Return the name under which an answer counts what a constraint dropped."""
    return RULES.get(constraint, constraint)[:MAX_RULE_CHARS]


def unverified_caveat(unverified: Sequence[str]) -> str | None:
    """Say which facts are unknown, or too old, to verify what was asked for."""
    facts = dict.fromkeys(FACTS.get(rule_name(name), "topics") for name in unverified)
    return f"Not verified, for lack of a current fact: {', '.join(facts)}." if facts else None


def mention_caveat(mentions: Sequence[str]) -> str | None:
    """Say which excluded terms the repository mentions."""
    return f"Mentions {', '.join(mentions)}, which was to be left out." if mentions else None


def dropped_warnings(
    dropped: Mapping[str, int], constraints: Constraints, rules: CoarseFilter, left: int, wanted: int
) -> tuple[str, ...]:
    """Say in one sentence what each rule dropped and how to widen, if few results are left."""
    if not dropped or left >= min(FEW_RESULTS, wanted):
        return ()
    ordered = sorted(dropped.items(), key=lambda item: (-item[1], item[0]))[:MAX_RULES]
    defaults = default_rules(constraints, rules)
    parts = [f"{count} {defaults[rule] if rule in defaults else _phrase(rule, constraints)}" for rule, count in ordered]
    ways = ["config.coarse_filter (--config) widens"] if any(rule in defaults for rule, _ in ordered) else []
    if any(rule not in defaults for rule, _ in ordered):
        ways.append("fewer constraints (ignore, --ignore) or filters widen")
    return (f"Left out: {', '.join(parts)}; {'; '.join(ways)}.",)


def default_rules(constraints: Constraints, rules: CoarseFilter) -> dict[str, str]:
    """Return the coarse rules that hold for a question, each with what it says of those that it drops.

    What the question or a filter says of the stars, the last push or the archived state holds instead.
    """
    open_stars = constraints.min_stars is None and constraints.max_stars is None
    pushed = (constraints.pushed_after, constraints.pushed_before, constraints.pushed_within_days)
    texts = {
        "stars": f"had fewer than {rules.min_stars:,} stars" if rules.min_stars and open_stars else None,
        "pushed": f"no push in {rules.pushed_within_months} months"
        if rules.pushed_within_months and not any(limit is not None for limit in pushed)
        else None,
        "age": f"were more than {rules.max_age_years} years old" if rules.max_age_years else None,
        "readme": "had no README" if rules.require_readme else None,
        "archived": "were archived" if rules.exclude_archived and constraints.archived is None else None,
        "trivial fork": "were forks with few stars and forks of their own" if rules.exclude_trivial_forks else None,
    }
    return {rule: text for rule, text in texts.items() if text}


def _phrase(rule: str, constraints: Constraints) -> str:
    named: dict[str, Callable[[], str]] = {
        "stars": lambda: f"had {_outside(constraints.min_stars, constraints.max_stars)} stars",
        "language": lambda: f"were not in {' or '.join(constraints.languages)}",
        "platform": lambda: f"were not for {' or '.join(constraints.platforms)}",
        "license": lambda: "had another licence",
        "excluded license": lambda: "had an excluded licence",
        "excluded language": lambda: f"were in {' or '.join(constraints.excluded_languages)}",
        "pushed": lambda: "were last pushed outside the time asked for",
        "created": lambda: "were created outside the time asked for",
        "archived": lambda: "were not archived" if constraints.archived else "were archived",
    }
    if rule in named:
        return named[rule]()
    if rule.startswith("not "):
        return f"were {rule.removeprefix('not ').removeprefix('topic ')}"
    return f"lacked the {rule}"


def _outside(low: int | None, high: int | None) -> str:
    if low is None:
        return f"more than {high:,}"
    return f"fewer than {low:,}" if high is None else f"fewer than {low:,} or more than {high:,}"
