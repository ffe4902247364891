"""`goldpan saved run NAME --atom FILE`: a feed of what is new, for feed readers."""

from datetime import timedelta
from xml.etree.ElementTree import fromstring

import pytest
from goldpan_local.saved import report
from goldpan_local.saved.log import LoggedResult, LoggedSection, Run
from goldpan_local.saved.report import ATOM, render_feed

from tests.support.fakes import START
from tests.support.local import HOSTILE

NAMES = {"atom": ATOM}


def logged(day: int, *ids: str, error: str | None = None) -> Run:
    """Make a run of that day with these results."""
    given = {"relevance": 0.5, "basis": "rules", "reasoning": HOSTILE}
    rows = ({"id": each, "title": f"T\ufffe\x00{each}", **given} for each in ids)
    results = tuple(map(LoggedResult.model_validate, rows))
    section = LoggedSection(before_deduplication=1, after_deduplication=1, shortlisted=1, results=results)
    sections = {} if error else {"repositories": section}
    return Run(at=START + timedelta(days=day), request={}, sections=sections, error=error)


def test_an_entry_keeps_its_id_and_says_when_it_was_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newest first, each result once; hostile text is text, and no sign that XML does not allow."""
    runs = [logged(0, "a", "b"), logged(1, error="down"), logged(2, "a", "c"), logged(3, "b", "c")]
    feed = fromstring(render_feed("motion", "React <animation> & more", runs))
    entries = feed.findall("atom:entry", NAMES)
    assert [each.findtext("atom:title", "", NAMES) for each in entries] == ["T b", "T c", "T a"]
    updated = [each.findtext("atom:updated", "", NAMES) for each in (feed, *entries)]
    assert updated == [runs[place].at.isoformat() for place in (3, 3, 2, 0)]
    assert feed.findtext("atom:subtitle", "", NAMES) == "React <animation> & more"
    assert not any(entry.findall("*//") for entry in entries)
    ids = [each.findtext("atom:id", "", NAMES) for each in (feed, *entries)]
    assert len({*ids}) == 4
    monkeypatch.setattr(report, "MAX_ENTRIES", 2)
    assert len(fromstring(render_feed("motion", "", runs)).findall("atom:entry", NAMES)) == 2
    first = fromstring(render_feed("motion", "", runs[:1]))
    assert {each.text for each in first.iterfind(".//atom:id", NAMES)} == {ids[0], ids[1], ids[3]}
