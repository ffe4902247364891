"""Holds what came back against what a case expects, and gives the words of it that the page shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from tests.slow.faults.case import Answered, Case, Ended
from tests.slow.faults.world import KEY, SECONDS, TOKEN, Seen

A_LITTLE = 1.0
"""What an answer may take beyond `max_seconds`, on a machine that is busy with other tests."""
USUAL = ("No language model is configured", "GITHUB_TOKEN is not set")
"""Warnings of every answer without a key or a token."""


def judge(case: Case, seen: Seen) -> dict[str, str]:
    """Hold what came back against the case; gives what was seen, for the page."""
    assert seen.seconds < int(str(case.request.get("max_seconds", SECONDS))) + A_LITTLE
    calls = seen.model_calls if case.upstream == "The language model" else seen.github_calls
    fewest, most = case.calls
    assert fewest <= calls <= most
    _tells_no_secret(seen)
    if isinstance(case.expect, Ended):
        return _ended(case.expect, seen)
    return _answered(case.expect, seen)


def _tells_no_secret(seen: Seen) -> None:
    text = json.dumps([seen.body, seen.logs], ensure_ascii=False)
    for never in (TOKEN, KEY, "Traceback", 'File "', ".py"):
        assert never not in text


def _ended(expect: Ended, seen: Seen) -> dict[str, str]:
    assert (seen.status, seen.body.get("type")) == (expect.status, f"urn:goldpan:problem:{expect.problem}"), seen.body
    assert seen.body["status"] == seen.status
    if expect.retry_after is None:
        assert seen.retry_after == ""
    else:
        fewest, most = expect.retry_after
        assert fewest <= int(seen.retry_after) <= most
        assert "; try again at 20" in seen.body["detail"]
    said = [found(pattern, [seen.body["detail"]]) for pattern in expect.says]
    again = ["Retry-After"] if seen.retry_after else []
    return {"status": f"{seen.status} {expect.problem}", "said": "; ".join(_quoted(said) + again)}


def _answered(expect: Answered, seen: Seen) -> dict[str, str]:
    body = seen.body
    assert seen.status == 200, body
    results = body["repositories"]["results"]
    assert results
    assert {result["basis"] for result in results} == set(expect.by)
    if expect.caveat is not None:
        assert all(any(re.search(expect.caveat, caveat) for caveat in row["caveats"]) for row in results)
    rows = _rows(expect, body["sources"])
    warnings = [text for text in body["warnings"] if not text.startswith(USUAL)]
    errors = [f"{row['stage']}: {row['error']}" for row in body["errors"]]
    told = [*_told(expect.warns, warnings), *_told(_staged(expect.errors), errors)]
    logged = [f"log: {text}" for text in _quoted(_told(expect.logs, seen.logs))]
    by = " and ".join({"llm": "the model", "rules": "rules"}[basis] for basis in expect.by)
    return {"status": f"200, judged by {by}", "said": "; ".join([rows, *_quoted(told), *logged])}


def _staged(errors: Mapping[str, str]) -> list[str]:
    return [f"^{stage}: .*{pattern}" for stage, pattern in errors.items()]


def _told(patterns: Iterable[str], texts: list[str]) -> list[str]:
    """Find a text for every pattern, and a pattern for every text."""
    said = [found(pattern, texts) for pattern in patterns]
    assert [text for text in texts if not any(re.search(pattern, text) for pattern in patterns)] == []
    return said


def _rows(expect: Answered, rows: list[dict[str, object]]) -> str:
    assert {str(row["strategy"]): row["status"] for row in rows} == dict(expect.rows)
    said = {}
    for row in rows:
        strategy, status, detail = str(row["strategy"]), str(row["status"]), str(row["detail"])
        assert bool(row["retry_at"]) == (status == "rate_limited")
        pattern = expect.details.get(strategy, expect.details.get("*", ""))
        told = found(pattern, [detail]) if pattern else ""
        assert bool(pattern) == bool(detail), detail
        said[strategy] = f"{status} (“{told}”)" if told else status
    together = set(said.values())
    return f"all {together.pop()}" if len(together) == 1 else ", ".join(f"{name} {text}" for name, text in said.items())


def found(pattern: str, texts: Iterable[str]) -> str:
    """Give the words that a pattern finds."""
    told = list(texts)
    matches = [match for text in told if (match := re.search(pattern, text))]
    assert matches, f"{pattern!r} is nowhere in {told}"
    return matches[0].group(0)


def _quoted(texts: list[str]) -> list[str]:
    return [f"“{text}”" for text in texts]
