"""What an answer says of the order of its papers: what was ordered by rules, or cut."""

from collections.abc import Iterable, Iterator, Mapping

from goldpan.engine.scoring import not_judged
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperVerdict, Shortlist
from goldpan.kinds.papers.results import PaperCollection

FEW_RESULTS, MAX_RULES = 5, 6
"""Number of results below which an answer says what the constraints dropped; number of rules that it lists."""


def ordered_by_rules(shortlist: Shortlist, given: Mapping[str, PaperVerdict]) -> Iterable[str]:
    """Count what the language model did not score although it was asked to, and what it was not asked about."""
    if not any(task.ask_llm for task in shortlist.tasks):
        return ()
    ids = [candidate.merged.id for task in shortlist.tasks for candidate in task.candidates]
    by_rules = sum(name not in given or given[name].basis == "rules" for name in ids)
    return not_judged(by_rules, len(ids), sum(len(task.candidates) for task in shortlist.further), "papers")


def dropped_warnings(dropped: Mapping[str, int], constraints: Constraints, section: PaperCollection) -> Iterator[str]:
    """Say in one sentence what each constraint dropped, and how to widen, where there are few results."""
    if len(section.results) >= FEW_RESULTS:
        return
    ordered = sorted(dropped.items(), key=lambda item: (-item[1], item[0]))[:MAX_RULES]
    parts = [f"{count} {broken_text(rule, constraints)}" for rule, count in ordered]
    if parts:
        yield f"Left out: {', '.join(parts)}; fewer constraints (ignore, --ignore) or filters widen."


def broken_text(rule: str, constraints: Constraints) -> str:
    """Describe what breaks a rule, with what was asked for."""
    first, last = constraints.year_from, constraints.year_to
    texts = {
        "year": f"not from {_years(first, last)}",
        "venue": f"not at {' or '.join(constraints.venues)}",
        "author": f"not by {' and '.join(constraints.authors)}",
        "type": "of another type",
        "open access": "without open access" if constraints.open_access else "with open access",
    }
    return texts.get(rule, f"about {rule.removeprefix('not ')}")


def _years(first: int | None, last: int | None) -> str:
    if first is None or last is None:
        return f"{first} or later" if last is None else f"{last} or earlier"
    return str(first) if first == last else f"{first} to {last}"
