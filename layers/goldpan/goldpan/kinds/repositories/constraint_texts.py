"""How an answer names the rules, constraints and filters: what they dropped, and what could not be verified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldpan.config import CoarseFilter
from goldpan.kinds.repositories.candidates import default_rules, rule_name
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import Repository

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


def asked_facts(repository: Repository, constraints: Constraints) -> tuple[str, ...]:
    """Say in a sentence what is known of the facts that the question limits, and when the last push was."""
    asked, pushed, created = constraints, repository.pushed_at, repository.created_at
    facts = (
        asked.licenses and repository.license and f"licence {repository.license}",
        (asked.min_stars, asked.max_stars) != (None, None) and repository.stars and f"{repository.stars:,} stars",
        (asked.created_after or asked.created_before) and created and f"created {created:%Y-%m-%d}",
        pushed and f"last push {pushed:%Y-%m-%d}",
    )
    said = ", ".join(str(fact) for fact in facts if fact)
    return (f"{said[0].upper()}{said[1:]}.",) if said else ()


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
    texts = _texts(constraints) | {rule: text for rule, text in _default_texts(rules).items() if rule in defaults}
    parts = [f"{count} {texts.get(rule) or _other_text(rule)}" for rule, count in ordered]
    ways = ["config.coarse_filter (--config) widens"] if any(rule in defaults for rule, _ in ordered) else []
    if any(rule not in defaults for rule, _ in ordered):
        ways.append("fewer constraints (ignore, --ignore) or filters widen")
    return (f"Left out: {', '.join(parts)}; {'; '.join(ways)}.",)


def _default_texts(rules: CoarseFilter) -> dict[str, str]:
    return {
        "stars": f"had fewer than {rules.min_stars or 0:,} stars",
        "pushed": f"no push in {rules.pushed_within_months} months",
        "age": f"were more than {rules.max_age_years} years old",
        "readme": "had no README",
        "archived": "were archived",
        "trivial fork": "were forks with few stars and forks of their own",
    }


def _texts(constraints: Constraints) -> dict[str, str]:
    low, high = constraints.min_stars, constraints.max_stars
    outside = (f"fewer than {low:,}" if low is not None else "", f"more than {high:,}" if high is not None else "")
    return {
        "stars": f"had {' or '.join(filter(None, outside))} stars",
        "language": f"were not in {' or '.join(constraints.languages)}",
        "platform": f"were not for {' or '.join(constraints.platforms)}",
        "license": "had another licence",
        "excluded license": "had an excluded licence",
        "excluded language": f"were in {' or '.join(constraints.excluded_languages)}",
        "pushed": "were last pushed outside the time asked for",
        "created": "were created outside the time asked for",
        "copy": "had the name and the description of another result",
        "vanished": "are no longer there",
        "archived": "were not archived" if constraints.archived else "were archived",
    }


def _other_text(rule: str) -> str:
    """Describe the rule of a topic or an excluded term."""
    excluded = rule.startswith("not ")
    return f"were {rule.removeprefix('not ').removeprefix('topic ')}" if excluded else f"lacked the {rule}"
