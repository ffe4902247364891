"""All cases, in the order of the page."""

from __future__ import annotations

from tests.slow.faults import dynamodb_cases, github_cases, model_cases, sqlite_cases
from tests.slow.faults.case import Case

_ALL = [*github_cases.CASES, *model_cases.CASES, *sqlite_cases.CASES, *dynamodb_cases.CASES]
_UPSTREAMS = list(dict.fromkeys(case.upstream for case in _ALL))
CASES: tuple[Case, ...] = tuple(sorted(_ALL, key=lambda case: _UPSTREAMS.index(case.upstream)))
