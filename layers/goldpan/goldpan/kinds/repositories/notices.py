"""The warnings and errors of an answer: what was left out, and what the language model did not judge."""

from collections.abc import Iterable, Sequence

from goldpan.config import CoarseFilter
from goldpan.contracts import SourceStatus
from goldpan.counts import counted
from goldpan.engine.scoring import not_judged
from goldpan.kinds.repositories.candidates import answering_source, default_rules
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import CATALOGUE, ScoreTask, Shortlist, Verdict
from goldpan.kinds.repositories.present import DROPPED

MAX_RULES = 6
"""The rules that one sentence lists, those that dropped the most first."""
FEW_RESULTS = 5
"""Below, an answer says what each rule dropped."""
ALWAYS_DROPPED = {"copy", "vanished"}
"""What no constraint, filter or setting keeps."""
NEAREST = "Nothing meets all constraints; the nearest is {}, {}."


def dropped_by_rules(
    shortlisted: Shortlist, found: int, constraints: Constraints, rules: CoarseFilter
) -> tuple[str, ...]:
    """Say in one sentence what each rule dropped, and how to widen, if few results are left."""
    if not shortlisted.dropped or found >= FEW_RESULTS:
        return ()
    ordered = sorted(shortlisted.dropped.items(), key=lambda item: (-item[1], item[0]))[:MAX_RULES]
    defaults = default_rules(constraints, rules)
    parts = [f"{count} {broken_text(rule, constraints, rules)}" for rule, count in ordered]
    ways = ["config.coarse_filter widens"] if any(rule in defaults for rule, _ in ordered) else []
    if any(rule not in defaults | ALWAYS_DROPPED for rule, _ in ordered):
        ways.append("fewer constraints (ignore) or filters widen")
    return (f"Left out: {'; '.join([', '.join(parts), *ways])}.",)


def broken_text(rule: str, constraints: Constraints, rules: CoarseFilter) -> str:
    """Describe what breaks a rule or constraint, with its limits."""
    held, low, high = default_rules(constraints, rules), constraints.min_stars, constraints.max_stars
    defaults = {
        "stars": f"with fewer than {rules.min_stars or 0:,} stars",
        "pushed": f"without a push in {rules.pushed_within_months} months",
        "age": f"more than {rules.max_age_years} years old",
        "archived": "archived",
    }
    outside = (f"fewer than {low:,}" if low is not None else "", f"more than {high:,}" if high is not None else "")
    limits = {
        "stars": f"with {' or '.join(filter(None, outside))} stars",
        "language": f"not in {' or '.join(constraints.languages)}",
        "platform": f"not for {' or '.join(constraints.platforms)}",
        "excluded language": f"in {' or '.join(constraints.excluded_languages)}",
        "pushed": "last pushed outside the time asked for",
        "archived": "not archived" if constraints.archived else "archived",
    }
    thing = f"that are {rule.removeprefix('not ').removeprefix('topic ')}"
    other = thing if rule.startswith("not ") else f"without the {rule}"
    return (DROPPED | limits | {name: text for name, text in defaults.items() if name in held}).get(rule, other)


def not_confirmed(shown: Iterable[ScoreTask], rows: Sequence[SourceStatus]) -> tuple[str, ...]:
    """Count in one sentence the results that no current source has confirmed, with their oldest day of observation."""
    source = answering_source(rows)
    alone = [task.repository for task in shown if {found.strategy for found in task.found_by} == {"known"}]
    days = [min(each.observed.values()) for each in alone if each.observed]
    if source == CATALOGUE or not days:  # its notice says so of all
        return ()
    facts = f"The facts of {counted(len(days), 'results')} are the catalogue's"
    return (f"{facts}, the oldest of {min(days)}: {source} did not confirm them.",)


def ordered_by_rules(shortlisted: Shortlist, verdicts: Sequence[Verdict]) -> Iterable[str]:
    """Count what the language model did not score although it was asked to, and what it was not asked about."""
    if not any(task.ask_llm for task in shortlisted.tasks):
        return ()
    names = {task.repository.full_name for task in shortlisted.tasks}
    judged = {verdict.full_name for verdict in verdicts if verdict.basis == "llm"}
    return not_judged(len(names - judged), len(names), len(shortlisted.further), "repositories")
