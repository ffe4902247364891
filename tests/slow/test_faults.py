"""The fault campaign: however an upstream fails, the client receives what docs/reliability.md describes."""

import re

import pytest

from tests.slow.faults.page import CASES, row_of, rows_of_page

PARAMETERS = [
    pytest.param(number, id=re.sub(r"\W+", "-", case.title).strip("-"), marks=[pytest.mark.short] * case.short)
    for number, case in enumerate(CASES)
]


@pytest.mark.parametrize("number", PARAMETERS)
def test_the_result_is_that_of_the_page(number: int) -> None:
    """The search ends as its case expects, and as its row of the page describes."""
    row = row_of(number)
    assert rows_of_page().get(CASES[number].title) == row, "run `make reliability`, and review what changed"


@pytest.mark.short
def test_the_page_has_every_case_and_no_other() -> None:
    """The page lists the cases of the campaign in their order, each once."""
    assert list(rows_of_page()) == [case.title for case in CASES]
    assert len({case.title for case in CASES}) == len(CASES)
