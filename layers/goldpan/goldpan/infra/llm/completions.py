"""Reads the completions of OpenAI-compatible endpoints: the one JSON object of the answer, and what it cost."""

import re
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from goldpan.contracts import Usage
from goldpan.infra.http import read_json
from goldpan.infra.llm.port import Completion, LanguageModelFailed
from goldpan.infra.redaction import redact_answer

MAX_TOKENS = 10_000_000
"""No call has more; a larger or a negative number of tokens is not counted."""
MAX_ANSWER = 100_000
"""Characters of an answer that are read, with what the model thought before it."""
ONE_CALL = Usage(llm_calls=1)
NOT_JSON = "the language model's answer is not JSON"
_THOUGHT = re.compile(r"</?think(?:ing)?>", re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


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


class CutWhileThinking(LanguageModelFailed):
    """The tokens were used up by thinking: with room for that, there may be an answer."""


def is_error(value: object) -> bool:
    """Whether the body of status 200 is an error: OpenRouter's are, once the model has begun."""
    return isinstance(value, dict) and bool(value.get("error")) and not value.get("choices")


def read_completion(value: object) -> Completion:
    """Read the JSON object of a completion. Raises `LanguageModelFailed`: anything else cost something all the same."""
    try:
        response = _Response.model_validate(value)
    except ValueError as error:
        raise LanguageModelFailed("the language model's completion is not in the promised form", ONE_CALL) from error
    usage = Usage(
        llm_calls=1, input_tokens=response.usage.prompt_tokens or 0, output_tokens=response.usage.completion_tokens or 0
    )
    choice = response.choices[0]
    content, is_cut = choice.message.content or "", choice.finish_reason == "length"
    try:
        return Completion(_read_object(redact_answer(content)), usage)
    except ValueError as error:
        thought = choice.message.reasoning or choice.message.reasoning_content or _THOUGHT.search(content)
        failed = CutWhileThinking if is_cut and (thought or not content.strip()) else LanguageModelFailed
        reason = f"{error}{' (truncated at max_tokens)' if is_cut else ''}"
        raise failed(reason, usage, is_of_the_text=choice.finish_reason == "content_filter") from error


def _read_object(content: str) -> dict[str, object]:
    """Read the object that the content is, or that stands in a fence or in prose, after what was thought.

    Raises `ValueError` that says what the content is instead.
    """
    if not content.strip():
        raise ValueError("the language model answered with blank content")
    if len(content) > MAX_ANSWER:
        raise ValueError(f"the language model's answer is longer than {MAX_ANSWER} characters")
    try:
        data = read_json(content.encode("utf-8", "replace"))
    except ValueError:
        data = _object_in(content)
    if isinstance(data, dict):
        return data
    raise ValueError(f"the language model answered with a JSON {type(data).__name__}, not an object")


def _object_in(text: str) -> object:
    """Read from the first brace after a thought to the last one: of two objects, neither is read."""
    ended = _END_OF_THOUGHT.search(text)  # some servers leave the beginning of the thought out
    found = _OBJECT.search(text, ended.end() if ended else 0)
    is_draft = ended is None and _THOUGHT.match(text.lstrip())
    if found is None or is_draft:
        raise ValueError(NOT_JSON)
    try:
        return read_json(found[0].encode("utf-8", "replace"))
    except ValueError as error:
        raise ValueError(NOT_JSON) from error
