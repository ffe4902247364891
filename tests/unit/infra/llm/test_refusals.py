"""Error responses of any form are read: what they say, and when to come back."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from goldpan.infra.json_text import read_json
from goldpan.infra.llm.refusals import Refusal, read_refusal
from goldpan.infra.redaction import MAX_MESSAGE

from tests.support.fakes import START


def read(body: object, status: int = 400, **headers: str) -> Refusal:
    """Read an error response; a text is its body, anything else is written as JSON."""
    content = (body if isinstance(body, str) else json.dumps(body)).encode()
    value = None if isinstance(body, str) else read_json(content)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return read_refusal(status, given, content, value, START)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "No \n such key"}}, "No such key"),
        ({"error": "model not found"}, "model not found"),
        ([{"error": {"message": "as Google writes it"}}], "as Google writes it"),
        ({"object": "error", "message": "as vLLM writes it"}, "as vLLM writes it"),
        ({"detail": [{"loc": ["body"]}]}, "[{'loc': ['body']}]"),
        ("404 page not found", "404 page not found"),
        ("<html>Bad gateway</html>", "no message"),
        ({"error": {"message": None, "code": {}, "type": [], "param": 7}}, "no message"),
        ({"error": {"message": "half a \ud800 character"}}, "half a \ufffd character"),
        ("x" * 20_000, "x" * MAX_MESSAGE),
        ("", "no message"),
    ],
)
def test_its_words_are_quoted(body: object, words: str) -> None:
    """In one line, shortened, whatever the types of its fields are."""
    refusal = read(body)
    assert refusal.words.startswith(words)
    assert len(refusal.words) <= MAX_MESSAGE


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7),
        ("1.5", 1.5),
        ("9" * 5000, 3600),
        ("Sat, 22 Aug 2026 12:10:30 GMT", 30),  # by the clock of the server, which is ten minutes ahead
        ("Sat, 22 Aug 2026 11:00:00 GMT", 0),
        ("Fri, 31 Dec 9999 23:59:59 -1200", None),
        ("soon", None),
        ("-3", None),
        ("\u0663", None),
        ("", None),
    ],
)
def test_the_time_to_come_back(value: str, seconds: float | None) -> None:
    """Retry-After is read as seconds or as a date, an hour at most; what is neither is left out."""
    retry_at = read({}, 429, retry_after=value, date="Sat, 22 Aug 2026 12:10:00 GMT").retry_at
    assert retry_at == (None if seconds is None else START + timedelta(seconds=seconds))


def test_an_error_with_status_200() -> None:
    """OpenRouter's code is the status."""
    assert [read({"error": {"code": code}}, 200).status for code in (429, "x", 7)] == [429, 502, 502]
