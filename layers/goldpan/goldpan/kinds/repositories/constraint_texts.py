"""How an answer names the rules, constraints and filters: what they dropped, and what could not be verified."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from goldpan.config import CoarseFilter
from goldpan.kinds.repositories.candidates import default_rules, rule_name
from goldpan.kinds.repositories.constraints import Constraints

MAX_RULES = 6
"""The rules that one sentence lists, those that dropped the most first."""
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


def unverified_caveat(unverified: Sequence[str]) -> str:
    """Say which facts are unknown, or too old, to verify what was asked for."""
    facts = dict.fromkeys(FACTS.get(rule_name(name), "topics") for name in unverified)
    return f"Not verified, for lack of a current fact: {', '.join(facts)}."


def mention_caveat(mentions: Sequence[str]) -> str:
    """Say which excluded terms the repository mentions."""
    return f"Mentions {', '.join(mentions)}, which was to be left out."


def violated_caveat(violated: Sequence[str]) -> str:
    """Say which facts are other than asked for, of a repository that is compared all the same."""
    facts = dict.fromkeys(FACTS.get(rule_name(name), name) for name in violated)
    return f"Not what was asked for: {', '.join(facts)}."


def dropped_warnings(dropped: Mapping[str, int], constraints: Constraints, rules: CoarseFilter) -> tuple[str, ...]:
    """Say in one sentence what each rule dropped, and how to widen."""
    ordered = sorted(dropped.items(), key=lambda item: (-item[1], item[0]))[:MAX_RULES]
    defaults = default_rules(constraints, rules)
    texts = {
        rule: _default_phrase(rule, rules) if rule in defaults else _phrase(rule, constraints) for rule, _ in ordered
    }
    parts = [f"{count} {texts[rule]}" for rule, count in ordered]
    ways = ["config.coarse_filter (--config) widens"] if any(rule in defaults for rule, _ in ordered) else []
    if any(rule not in defaults for rule, _ in ordered):
        ways.append("fewer constraints (ignore, --ignore) or filters widen")
    return (f"Left out: {', '.join(parts)}; {'; '.join(ways)}.",)


def _default_phrase(rule: str, rules: CoarseFilter) -> str:
    return {
        "stars": f"had fewer than {rules.min_stars or 0:,} stars",
        "pushed": f"no push in {rules.pushed_within_months} months",
        "age": f"were more than {rules.max_age_years} years old",
        "readme": "had no README",
        "archived": "were archived",
        "trivial fork": "were forks with few stars and forks of their own",
    }[rule]


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
        "copy": lambda: "had the name and the description of another result",
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
