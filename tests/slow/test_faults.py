"""The fault campaign: however an upstream fails, the client receives what docs/reliability.md describes."""

import os
import re
from pathlib import Path

import pytest

from tests.slow.faults.case import Case
from tests.slow.faults.judge import judge
from tests.slow.faults.page import CASES, RECORDS, record_of, row_of, rows_of_page
from tests.slow.faults.world import world_of

WRITING = os.environ.get(RECORDS)
PARAMETERS = [
    pytest.param(case, id=re.sub(r"\W+", "-", case.title).strip("-"), marks=[pytest.mark.short] * case.short)
    for case in CASES
]


@pytest.mark.parametrize("case", PARAMETERS)
def test_the_result_is_that_of_the_page(case: Case, tmp_path: Path) -> None:
    """The search ends as its case expects, and as its row of the page describes."""
    with world_of(case, tmp_path) as world:
        seen = world.search()
        row = row_of(case, *judge(case, seen))
        if case.after is not None:
            case.after(world, seen)
    if WRITING:
        record_of(Path(WRITING), case).write_text(row, "utf-8")
    else:
        assert rows_of_page().get(case.title) == row, "run `make reliability`, and review what changed"


@pytest.mark.short
@pytest.mark.skipif(bool(WRITING), reason="the page is being written")
def test_the_page_has_every_case_and_no_other() -> None:
    """The page lists the cases of the campaign in their order, each once."""
    assert list(rows_of_page()) == [case.title for case in CASES]
    assert len({case.title for case in CASES}) == len(CASES)
