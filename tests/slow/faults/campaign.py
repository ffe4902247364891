"""All cases, in the order of the page."""

from __future__ import annotations

from collections import Counter

from tests.slow.faults import dialect_cases, form_cases, github_cases, model_cases, store_cases, table_cases
from tests.slow.faults.case import Case


def _in_order(cases: list[Case]) -> tuple[Case, ...]:
    upstreams = list(dict.fromkeys(case.upstream for case in cases))
    twice = [title for title, times in Counter(case.title for case in cases).items() if times > 1]
    if twice:
        message = f"two cases of one name: {twice}"
        raise ValueError(message)
    return tuple(sorted(cases, key=lambda case: upstreams.index(case.upstream)))


CASES = _in_order(
    [
        *github_cases.CASES,
        *dialect_cases.CASES,
        *form_cases.CASES,
        *model_cases.CASES,
        *store_cases.CASES,
        *table_cases.CASES,
    ]
)
