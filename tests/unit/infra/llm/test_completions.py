"""The one JSON object of an answer is found; what is no answer is named, however it is made."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.infra.llm.completions import MAX_ANSWER, read_completion

OBJECT = '{"relevance": 0.5, "reasoning": "It has {braces}."}'


def completion(content: object, **more: Any) -> object:
    """Make a completion."""
    return {"choices": [{"message": {"content": content}, **more}]}


@pytest.mark.parametrize(
    "content",
    [
        OBJECT,
        f"```json\n{OBJECT}\n```",
        OBJECT.replace("{braces}", "</think>"),
        f'<think>\nPerhaps {{"relevance": 1}}?\n</think>\n{OBJECT.replace("{braces}", "</think>")}',
        f"It may fit.</think>{OBJECT}",
        f"Here you are {{as asked}}:\n\n```json\n{OBJECT}\n```\nAnything else?",
    ],
)
def test_the_object_is_found(content: str) -> None:
    """In a fence, after thoughts with or without their beginning, and in prose."""
    data = read_completion(completion(content)).data
    assert data is not None
    assert data["relevance"] == 0.5


@pytest.mark.parametrize(
    ("content", "failure"),
    [
        ("It fits.", "is not JSON"),
        (f"{OBJECT}\nor {OBJECT}", "several JSON objects"),
        (f"<think>Perhaps {OBJECT}", "is not JSON"),
        ("[1]", "a JSON list, not an object"),
        ("1" * 5000, "is not JSON"),
        ("[" * 20_000, "is not JSON"),
        ('{"a":' * 700 + "1" + "}" * 700, "is not JSON"),
        ("{" * 50_000, "is not JSON"),
        ("x" * (MAX_ANSWER + 1), f"longer than {MAX_ANSWER} characters"),
        (" ", "blank content"),
        (["parts"], "not in the promised form"),
    ],
)
def test_what_is_no_answer_is_named(content: object, failure: str) -> None:
    """A guess is never made, and no nesting, length or number ends in a traceback."""
    answer = read_completion(completion(content))
    assert answer.data is None
    assert failure in answer.failure


def test_a_body_of_another_form() -> None:
    """A body that is no completion is named."""
    bodies: list[object] = [None, [], {"choices": []}, {"choices": [{"message": 1}]}]
    for body in bodies:
        assert "promised form" in read_completion(body).failure
