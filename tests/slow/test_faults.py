"""The fault campaign: however an upstream fails, the asker gets what docs/reliability.md says."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.slow.faults.campaign import CASES
from tests.slow.faults.case import Case
from tests.slow.faults.judge import judge
from tests.slow.faults.page import RECORDS, record, row_of, rows_of_page
from tests.slow.faults.world import world_of

WRITING = os.environ.get(RECORDS)


@pytest.mark.enable_socket
@pytest.mark.parametrize("case", CASES, ids=lambda case: re.sub(r"\W+", "-", case.title).strip("-"))
def test_the_asker_gets_what_the_page_says(case: Case, tmp_path: Path) -> None:
    """However the upstream fails, the search ends as foreseen, in its seconds, and as its row of the page says."""
    with world_of(case, tmp_path) as world:
        answered = world.ask()
        seen = judge(case, answered)
        if case.then is not None:
            case.then(world, answered)
    if WRITING:
        record(Path(WRITING), case, seen)
    else:
        assert rows_of_page().get(case.title) == row_of(case, seen), "run `make reliability`, and read what changed"


@pytest.mark.skipif(bool(WRITING), reason="the page is being written")
def test_the_page_has_every_case_and_no_other() -> None:
    """The page lists the cases of the campaign, in its order."""
    assert list(rows_of_page()) == [case.title for case in CASES]
