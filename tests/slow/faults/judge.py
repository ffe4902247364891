"""Compares the result of a search with what its case expects, quotes it for docs/reliability.md, and tries the next."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from goldpan.local import entry_points as library

from tests.slow.faults.case import KEY, TOKEN, Answered, Case, Problem, Seen, World

MAX_SECONDS_LATE = 20.0
"""A search that waits without a deadline never ends; a busy machine may be late by much less."""
USUAL = ("No language model is configured", "GITHUB_TOKEN is not set")
"""Warnings of every answer without a key or a token."""
UNAVAILABLE, UNTIMED = 503, "5"
"""The status that always has Retry-After, and its seconds where no source gave a time."""


def judge(case: Case, seen: Seen) -> tuple[str, str]:
    """Compare the result with the case; return its status and the quotes for the page."""
    assert seen.seconds < seen.max_seconds + MAX_SECONDS_LATE
    calls = seen.model_calls if case.upstream == "The language model" else seen.github_calls
    assert case.calls[0] <= calls <= case.calls[1]
    text = json.dumps([seen.body, seen.logs], ensure_ascii=False)
    assert not [secret for secret in (TOKEN, KEY, "Traceback", 'File "', ".py") if secret in text]
    return _problem(case.expect, seen) if isinstance(case.expect, Problem) else _answer(case.expect, seen)


def _problem(expect: Problem, seen: Seen) -> tuple[str, str]:
    assert (seen.status, seen.body.get("type")) == (expect.status, f"urn:goldpan:problem:{expect.name}"), seen.body
    if expect.retry_after is None:
        assert seen.retry_after == (UNTIMED if seen.status == UNAVAILABLE else "")
    else:
        assert expect.retry_after[0] <= int(seen.retry_after) <= expect.retry_after[1]
        assert "; try again at 20" in seen.body["detail"]
    quotes = [f"“{_find(pattern, [seen.body['detail']])}”" for pattern in expect.says]
    return f"{seen.status} {expect.name}", "; ".join([*quotes, *["Retry-After"] * bool(seen.retry_after)])


def _answer(expect: Answered, seen: Seen) -> tuple[str, str]:
    assert seen.status == 200, seen.body
    results = seen.body["repositories"]["results"]
    assert results
    assert {result["basis"] for result in results} == set(expect.basis)
    said = [text for text in seen.body["warnings"] if not text.startswith("Left out: ")]
    warnings = [text for text in said if not text.startswith(USUAL)]
    assert len(warnings) == len(expect.warnings), warnings
    errors = [f"{row['stage']}: {row['error']}" for row in seen.body["errors"]]
    patterns = [f"^{stage}: .*{pattern}" for stage, pattern in expect.errors.items()]
    quotes = [*_match(expect.warnings, warnings), *_match(patterns, errors)]
    quotes = [f"“{text}”" for text in quotes] + [f"log: “{text}”" for text in _match(expect.logs, seen.logs)]
    basis = " and ".join({"llm": "the model", "rules": "rules"}[each] for each in expect.basis)
    return f"200, scored by {basis}", "; ".join([_rows(expect, seen.body["sources"]), *quotes])


def _match(patterns: Iterable[str], texts: list[str]) -> list[str]:
    """Find a text for every pattern, and a pattern for every text."""
    assert [text for text in texts if not any(re.search(pattern, text) for pattern in patterns)] == []
    return [_find(pattern, texts) for pattern in patterns]


def _rows(expect: Answered, rows: list[Mapping[str, Any]]) -> str:
    assert {row["strategy"]: row["status"] for row in rows} == dict(expect.rows)
    quoted = {}
    for row in rows:
        assert bool(row["retry_at"]) == (row["status"] == "rate_limited")
        pattern = expect.details.get(row["strategy"], expect.details.get("*"))
        assert bool(pattern) == bool(row["detail"]), row["detail"]
        quoted[row["strategy"]] = f"{row['status']} (“{_find(pattern, [row['detail']])}”)" if pattern else row["status"]
    if len(set(quoted.values())) == 1:
        return f"all {next(iter(quoted.values()))}"
    return ", ".join(f"{name} {text}" for name, text in quoted.items())


def _find(pattern: str, texts: Iterable[str]) -> str:
    """Return the words that a pattern matches."""
    matches = [match for text in texts if (match := re.search(pattern, text))]
    assert matches, f"{pattern!r} is not in {texts}"
    return matches[0].group(0)


def is_blocked(world: World, _: Seen) -> None:
    """The next search sends GitHub no request before its time, and reports that time again."""
    again = world.search()
    assert (again.status, again.github_calls) == (429, 0)
    assert again.retry_after


def recovers(world: World, _: Seen) -> None:
    """The next search is answered completely, once the upstream works again."""
    world.github.clear_faults()
    world.llm.clear_faults()
    again = world.search()
    assert {row["status"] for row in again.body["sources"]} == {"ok"}
    assert again.body["errors"] == []


def as_without_a_model(world: World, seen: Seen) -> None:
    """The section is that of a search without a language model."""
    without = replace(world.runtime, dependencies=replace(world.runtime.dependencies, llm=None))
    answer = library.search(world.request(), runtime=without)
    assert seen.body["repositories"] == json.loads(answer.to_json())["repositories"]


def is_not_cached(_: World, seen: Seen) -> None:
    """The answer is not an older one."""
    assert seen.body["cached"] is False
