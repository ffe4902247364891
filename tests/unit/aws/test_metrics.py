"""The metrics of real calls: in CloudWatch's embedded metric format, by the documented names and dimensions."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from goldpan.aws.counts import COUNTS
from goldpan.aws.metrics import COUNTED, measure_call
from goldpan.engine.deadlines import Deadline
from goldpan.engine.events import Stage
from goldpan.kinds.repositories.models import RepositorySearch
from goldpan.kinds.repositories.ports import Found
from snapshot_restore_py import get_after_restore

from tests.support.factories import ListedSource, repository
from tests.unit.aws.doors import Context, door, event, load, sample_ports
from tests.unit.aws.emf import metric_lines, metrics_of, metrics_written
from tests.unit.aws.marked import STAGES

TRACE, CALL = "1-65f0c1a2-0123456789abcdef01234567", Context().aws_request_id


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    COUNTS.taken()


class CountingSource(ListedSource):
    """A source whose store counts, and which may fail after that."""

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Count, and give the lists."""
        for name in ("CacheHit", "CacheHit", "CacheFailed"):
            COUNTS.add(name)
        return super().search(searches, deadline)


class BrokenSource(CountingSource):
    """A source that counts and then breaks as nobody foresaw."""

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Break."""
        super().search(searches, deadline)
        raise ZeroDivisionError


@pytest.mark.parametrize("stage", STAGES)
def test_a_call_is_measured_by_its_stage(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    """Every door writes one duration in the format of CloudWatch, by the word of its stage, and its cold start once."""
    call = door(STAGES[stage], sample_ports())
    call(event(stage))
    first = metrics_written(capsys)
    call(event(stage))
    ((where, duration),) = first["Duration"]
    assert where == {"stage": stage}
    assert 0 <= duration < 30_000
    assert first["ColdStart"] == [({"stage": stage}, 1.0)]
    assert "ColdStart" not in metrics_written(capsys)


def test_the_wait_for_another_search_is_a_stage_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """Who asks whose turn it is does not make translating look fast."""
    given = {"stage": "begin", "key": "answer:1", "owner": "an-execution", "request": {"query": "Rust web framework"}}
    door("query_translator", sample_ports())(given)
    assert [where for where, _ in metrics_written(capsys)["Duration"]] == [{"stage": "begin"}]


def test_what_is_counted_during_a_call_is_written_when_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    """What stores count stands in the one line of the call, by its stage, and is counted anew for the next call."""
    door("scout", sample_ports(source=CountingSource([repository()])))(event("scout"))
    (line,) = metric_lines(capsys)
    assert {name: value for name, _, value in metrics_of([line]) if name in COUNTED} == {
        "CacheHit": 2,
        "CacheFailed": 1,
    }
    door("scout", sample_ports(source=ListedSource([repository()])))(event("scout"))
    assert {*metrics_written(capsys)} == {"Duration", "ColdStart"}


def test_what_was_counted_is_written_where_the_call_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    """A call that ends in an exception tells what was counted until then."""
    with pytest.raises(ZeroDivisionError):
        door("scout", sample_ports(source=BrokenSource()))(event("scout"))
    assert metrics_written(capsys)["CacheHit"] == [({"stage": "scout"}, 2)]


def test_what_was_counted_before_the_snapshot_belongs_to_no_call(capsys: pytest.CaptureFixture[str]) -> None:
    """After a restore a function begins to count anew; else every copy of the snapshot would tell the same again."""
    before = len(get_after_restore())
    load("screener")
    COUNTS.add("CacheFailed")
    for hook, given, named in list(get_after_restore())[before:]:
        hook(*given, **named)
    door("screener", sample_ports())(event("rank"))
    assert "CacheFailed" not in metrics_written(capsys)


@pytest.mark.parametrize("stage", ["hush-question", 5, ["rank"], None])
def test_a_wrong_stage_is_no_dimension(stage: object, capsys: pytest.CaptureFixture[str]) -> None:
    """An event of another form is measured as unknown: its words make no metric of their own."""
    with pytest.raises((ValueError, TypeError)):
        door("screener", sample_ports())({**event("score"), "stage": stage})
    assert [where for where, _ in metrics_written(capsys)["Duration"]] == [{"stage": "unknown"}]


def test_all_counts_of_a_call_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """However much is counted, a call writes one line beside those of the answer, well below 100 metrics."""
    for stage in STAGES:
        measure_call(stage, "an-id", 0.25, dict.fromkeys(COUNTED, 2), cold=True)
        (line,) = metric_lines(capsys)
        told = {name: value for name, _, value in metrics_of([line])}
        assert told == {"Duration": 250, "ColdStart": 1, **dict.fromkeys(COUNTED, 2)}


@pytest.mark.parametrize("traced", [None, f"Root={TRACE};Parent=53995c3f42cd8ad8;Sampled=1"])
def test_metrics_and_log_lines_of_a_request_share_its_trace(
    traced: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All lines of one request are found by the id of its trace, which is no dimension."""
    if traced:
        monkeypatch.setenv("_X_AMZN_TRACE_ID", traced)
    door("screener", sample_ports())(event("assemble"))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"_aws", "message"} <= {key for line in lines for key in line}
    assert {line.get("xray_trace_id") for line in lines} == {TRACE if traced else None}
    assert {line["function_request_id"] for line in lines if {*line} & {"Duration", "message"}} == {CALL}
    assert not [line for line in lines if "_id" in json.dumps(line.get("_aws"))]


@pytest.mark.parametrize(("named", "namespace"), [(None, "goldpan"), ("", "goldpan"), ("Goldpan-2", "Goldpan-2")])
def test_metrics_are_in_the_namespace_of_the_stack(
    named: str | None, namespace: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every line of a call and of its answer is in the namespace that the environment names, else in `goldpan`."""
    if named is not None:
        monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", named)
    door("screener", sample_ports())(event("assemble"))
    lines = metric_lines(capsys)
    assert len(lines) > 1
    assert {told["Namespace"] for line in lines for told in line["_aws"]["CloudWatchMetrics"]} == {namespace}
