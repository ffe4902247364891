"""Reads the completions of OpenAI-compatible endpoints: the one JSON object of the answer, and what it cost."""

import json
import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from goldpan.contracts import Usage
from goldpan.infra.http import read_json
from goldpan.infra.redaction import redact_answer

MAX_TOKENS = 10_000_000
"""No call has more; a larger or a negative number of tokens is not counted."""
MAX_ANSWER = 100_000
"""Characters of an answer that are read, with what the model thought before it."""
MAX_STARTS = 50
"""How many braces in prose are tried as the beginning of an object."""
ONE_CALL = Usage(llm_calls=1)
NOT_JSON = "the language model's answer is not JSON"
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(?P<inner>.*?)\n?\s*```\s*\Z", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"</?think(?:ing)?>", re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


class _Message(BaseModel):
    content: str | None = None
    reasoning: object = None
    reasoning_content: object = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


Tokens = Annotated[
    int | None,
    BeforeValidator(lambda value: None if isinstance(value, int) and not 0 <= value <= MAX_TOKENS else value),
]


class _Usage(BaseModel):
    prompt_tokens: Tokens = None
    completion_tokens: Tokens = None


class _Response(BaseModel):
    """The fields of a completion that are read."""

    choices: Annotated[list[_Choice], Field(min_length=1)]
    usage: Annotated[_Usage, BeforeValidator(lambda value: {} if value is None else value)] = _Usage()


@dataclass(frozen=True)
class Answer:
    """The JSON object of a completion, or why it has none; and what the call cost."""

    usage: Usage
    data: dict[str, object] | None = None
    failure: str = ""
    cut_while_thinking: bool = False
    """Whether the tokens were used up by thinking."""
    is_filtered: bool = False
    """Whether the provider withheld the answer because of a text."""


class _NoObjectError(ValueError):
    """The content is not one JSON object; the message says what it is instead."""


def is_error(value: object) -> bool:
    """Whether the body of status 200 is an error: OpenRouter's are, once the model has begun."""
    return isinstance(value, dict) and bool(value.get("error")) and not value.get("choices")


def read_completion(value: object) -> Answer:
    """Read the JSON object of a completion; anything else is a failure, which cost something all the same."""
    try:
        response = _Response.model_validate(value)
    except ValueError:
        return Answer(ONE_CALL, failure="the language model's completion is not in the promised form")
    usage = Usage(
        llm_calls=1, input_tokens=response.usage.prompt_tokens or 0, output_tokens=response.usage.completion_tokens or 0
    )
    choice = response.choices[0]
    content, is_cut = choice.message.content or "", choice.finish_reason == "length"
    thought = choice.message.reasoning or choice.message.reasoning_content or _THOUGHT.search(content)
    cut_while_thinking = is_cut and (bool(thought) or not content.strip())
    try:
        return Answer(usage, _read_object(redact_answer(content)))
    except _NoObjectError as error:
        reason = " (truncated at max_tokens)" if is_cut else ""
        is_filtered = choice.finish_reason == "content_filter"
        return Answer(usage, None, f"{error}{reason}", cut_while_thinking, is_filtered)


def _read_object(content: str) -> dict[str, object]:
    """Read the object that the content is, or that stands in a fence, after what was thought, or alone in prose."""
    if not content.strip():
        raise _NoObjectError("the language model answered with blank content")
    if len(content) > MAX_ANSWER:
        raise _NoObjectError(f"the language model's answer is longer than {MAX_ANSWER} characters")
    fenced = _FENCE.match(content)
    try:
        data = read_json((fenced.group("inner") if fenced else content).encode("utf-8", "replace"))
    except ValueError:
        data = _only_object(content)
    if not isinstance(data, dict):
        raise _NoObjectError(f"the language model answered with a JSON {type(data).__name__}, not an object")
    return data


def _only_object(text: str) -> object:
    """Return the one JSON object in prose after a thought; which of several is meant could only be guessed."""
    ended = _END_OF_THOUGHT.search(text)
    if ended:  # some servers leave the beginning of the thought out
        text = text[ended.end() :]
    elif _THOUGHT.match(text.lstrip()):
        raise _NoObjectError(NOT_JSON)  # a draft is no answer
    found: list[object] = []
    start, decoder = text.find("{"), json.JSONDecoder()
    for _ in range(MAX_STARTS):
        if start < 0:
            break
        try:
            _, end = decoder.raw_decode(text, start)
            found.append(read_json(text[start:end].encode("utf-8", "replace")))
        except (ValueError, RecursionError):
            end = start + 1
        start = text.find("{", end)
    if len(found) != 1:
        raise _NoObjectError("the language model answered with several JSON objects" if found else NOT_JSON)
    return found[0]
