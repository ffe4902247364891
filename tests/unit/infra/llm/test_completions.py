"""What a call of a language model gives: the one JSON object of an answer, an error of any form, and its cost."""

import json
from datetime import timedelta
from typing import Any

import pytest
from goldpan.config import TokenPrice
from goldpan.contracts import Usage
from goldpan.infra.http import read_json
from goldpan.infra.llm.completions import MAX_ANSWER, CutWhileThinking, is_error, read_completion
from goldpan.infra.llm.port import LanguageModelFailed
from goldpan.infra.llm.prices import is_priced, with_cost
from goldpan.infra.llm.refusals import Refusal, read_refusal
from goldpan.infra.redaction import MAX_MESSAGE, register_secret

from tests.support.fakes import START

OTHER_BODIES: list[object] = [None, [], {"choices": []}, {"choices": [{"message": 1}]}]
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
        f"Here you are, as asked:\n\n```json\n{OBJECT}\n```\nAnything else?",
    ],
)
def test_the_object_is_found(content: str) -> None:
    """In a fence, after thoughts with or without their beginning, and in prose."""
    assert read_completion(completion(content)).data["relevance"] == 0.5


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        (completion("It fits."), "is not JSON"),
        (completion("It fits.", finish_reason="length"), "is not JSON .truncated at max_tokens.$"),
        (completion(f"{OBJECT}\nor {OBJECT}"), "is not JSON"),
        (completion(f"<think>Perhaps {OBJECT}"), "is not JSON"),
        (completion("[1]"), "a JSON list, not an object"),
        (completion('{"a":' * 700 + "1" + "}" * 700), "is not JSON"),
        (completion("x" * (MAX_ANSWER + 1)), f"longer than {MAX_ANSWER} characters"),
        (completion(" "), "blank content"),
        (completion(["parts"]), "not in the promised form"),
        *((body, "promised form") for body in OTHER_BODIES),
    ],
)
def test_what_is_no_answer_is_named(body: object, failure: str) -> None:
    """A guess is never made, and no nesting, length or number ends in a traceback."""
    with pytest.raises(LanguageModelFailed, match=failure) as failed:
        read_completion(body)
    assert type(failed.value) is LanguageModelFailed


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (None, (0, 0)),
        ({"prompt_tokens": 7, "completion_tokens": None}, (7, 0)),
        ({"prompt_tokens": 10_000_001, "completion_tokens": -1}, (0, 0)),
    ],
)
def test_the_tokens_of_a_call(usage: object, tokens: tuple[int, int]) -> None:
    """What no call can have is not counted; an answer that was cut before it began was spent on thinking."""
    with pytest.raises(CutWhileThinking, match=r"\(truncated at max_tokens\)$") as failed:
        read_completion({"choices": [{"message": {}, "finish_reason": "length"}], "usage": usage})
    assert (failed.value.usage.input_tokens, failed.value.usage.output_tokens) == tokens


def test_a_secret_in_an_answer_is_replaced() -> None:
    """A model may repeat what stands in a README, or in an address."""
    register_secret("key-of-the-model")
    assert read_completion(completion('{"reasoning": "It has key-of-the-model."}')).data == {
        "reasoning": "It has [key]."
    }


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
        ("9" * 5000, 3600),
        ("Sat, 22 Aug 2026 12:10:30 GMT", 30),  # by the clock of the server, which is ten minutes ahead
        ("Sat, 22 Aug 2026 11:00:00 GMT", 0),
        ("Mon, 24 Aug 2026 11:00:00 GMT", 3600),
        ("1.5", 1.5),
        ("Fri, 31 Dec 9999 23:59:59 -1200", None),
        ("soon", None),
        ("\u0663", None),
    ],
)
def test_the_time_to_come_back(value: str, seconds: float | None) -> None:
    """Retry-After is read as seconds or as a date, an hour at most; what is neither is left out."""
    retry_at = read({}, 429, retry_after=value, date="Sat, 22 Aug 2026 12:10:00 GMT").retry_at
    assert retry_at == (None if seconds is None else START + timedelta(seconds=seconds))


def test_an_error_with_status_200() -> None:
    """OpenRouter's code is the status; what has choices is a completion all the same."""
    bodies = [{"error": {}, "choices": []}, {"error": "late"}, {"error": "late", "choices": [{}]}]
    assert [is_error(body) for body in bodies] == [False, True, False]
    assert [read({"error": {"code": code}}, 200).status for code in (429, "x", 7)] == [429, 502, 502]


SPENT = Usage(llm_calls=3, input_tokens=1_000_000, output_tokens=2_000_000)
OWN = {"own-model": TokenPrice(input=2, output=8), "gpt-4.1-nano": TokenPrice(input=0, output=0)}


def test_the_cost_of_tokens_in_and_out() -> None:
    """A model without a price costs 0 too, and can be distinguished from a free one."""
    for model, cost, priced in (
        ("deepseek-flash", 2.70, True),  # the models that a key alone selects, by their providers' prices
        ("gpt-4.1-mini", 3.60, True),
        ("own-model", 18.00, True),
        ("gpt-4.1-nano", 0, True),  # a price of the request comes first
        ("unknown", 0, False),
    ):
        assert with_cost(SPENT, model, OWN) == SPENT.model_copy(update={"cost_usd": pytest.approx(cost)})
        assert is_priced(model, OWN) is priced
