"""The client of a language model behind an OpenAI-compatible endpoint, in JSON mode."""

from __future__ import annotations

import json
import re
from typing import Annotated

import httpx2
import openai
from pydantic import BaseModel, BeforeValidator, Field

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CredentialRejected, TimedOut
from goldpan.infra.bounded_client import BoundedClient
from goldpan.infra.llm.port import Completion, LanguageModelFailed, Prompt
from goldpan.infra.settings import LLMEndpoint
from goldpan.infra.threads import run_with_deadline
from goldpan.text import replace_lone_surrogates

MAX_TOKENS = 10_000_000
"""No call has more; a larger or a negative number of tokens is not counted."""
MAX_MESSAGE = 160
ONE_CALL = Usage(llm_calls=1)
_KEY = re.compile(r"\bsk-[\w*.-]+")
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(?P<inner>.*?)\n?\s*```\s*\Z", re.DOTALL | re.IGNORECASE)


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


def _plausible(value: object) -> object:
    return None if isinstance(value, int) and not 0 <= value <= MAX_TOKENS else value


Tokens = Annotated[int | None, BeforeValidator(_plausible)]


class _Usage(BaseModel):
    prompt_tokens: Tokens = None
    completion_tokens: Tokens = None


class _Response(BaseModel):
    """The fields of a completion that are read; the SDK returns it unchecked."""

    choices: Annotated[list[_Choice], Field(min_length=1)]
    usage: Annotated[_Usage, BeforeValidator(lambda value: {} if value is None else value)] = _Usage()


class OpenAIModel:
    """A model behind the chat completions API; safe between threads."""

    def __init__(self, endpoint: LLMEndpoint, transport: httpx2.BaseTransport | None = None) -> None:
        self._endpoint = endpoint
        self._client = openai.OpenAI(
            api_key=endpoint.key.get_secret_value(),
            base_url=endpoint.base_url,
            max_retries=0,  # each call is counted, and a verdict by rules is better than a late one
            http_client=BoundedClient(transport),
        )

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoint.model

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Call the model once. Raises `LanguageModelFailed` with the cost, or `CredentialRejected`."""
        if not deadline.left:
            raise LanguageModelFailed("no time was left to ask the language model", Usage())
        if self._client.is_closed():
            raise LanguageModelFailed("the language model could not be asked (its connections are closed)", Usage())
        try:
            response = run_with_deadline(lambda: self._post(prompt, deadline.left), deadline)
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            message = f"{self._endpoint.key_name}: {self._endpoint.base_url} rejected it ({self._message(error)})"
            raise CredentialRejected(message) from error
        except (openai.APITimeoutError, TimedOut) as error:
            raise LanguageModelFailed("the language model did not answer in time", ONE_CALL) from error
        except openai.APIStatusError as error:
            message = f"the language model answered {error.status_code} ({self._message(error)})"
            raise LanguageModelFailed(message, ONE_CALL) from error
        except (openai.APIError, httpx2.HTTPError, ValueError) as error:
            message = f"the language model could not be asked ({self._message(error)})"
            raise LanguageModelFailed(message, ONE_CALL) from error
        return _read(response)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _message(self, error: Exception) -> str:
        """Return the provider's message in one line, without the key, which some providers repeat."""
        message = " ".join(str(error).split()).replace(self._endpoint.key.get_secret_value(), "[key]")
        return str(replace_lone_surrogates(_KEY.sub("[key]", message)))[:MAX_MESSAGE]

    def _post(self, prompt: Prompt, seconds: float) -> object:
        """Send the body as a dictionary: the SDK does not check its own types, and they cost a third of the call."""
        body = {
            "model": self._endpoint.model,
            "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
            "max_tokens": prompt.max_tokens,
            "response_format": {"type": "json_object"},
            "temperature": 0,
            **({} if self._endpoint.thinking else {"thinking": {"type": "disabled"}}),
        }
        response: object = self._client.post(
            "/chat/completions", cast_to=object, body=body, options={"timeout": max(0.001, seconds)}
        )
        return response


def _read(raw: object) -> Completion:
    """Read the JSON object of a completion; anything else is a failure, which cost something all the same."""
    try:
        response = _Response.model_validate(json.loads(raw) if isinstance(raw, str) else raw)
    except ValueError as error:  # the SDK returns text if the content type is not JSON's
        raise LanguageModelFailed("the language model's completion is not in the promised form", ONE_CALL) from error
    usage = Usage(
        llm_calls=1,
        input_tokens=response.usage.prompt_tokens or 0,
        output_tokens=response.usage.completion_tokens or 0,
    )
    choice = response.choices[0]
    content = choice.message.content or ""
    if not content.strip():
        raise LanguageModelFailed("the language model answered with blank content", usage)
    fenced = _FENCE.match(content)
    try:
        data = replace_lone_surrogates(json.loads(fenced.group("inner") if fenced else content))
    except ValueError as error:
        reason = " (truncated at max_tokens)" if choice.finish_reason == "length" else ""
        raise LanguageModelFailed(f"the language model's answer is not JSON{reason}", usage) from error
    if not isinstance(data, dict):
        kind = type(data).__name__
        raise LanguageModelFailed(f"the language model answered with a JSON {kind}, not an object", usage)
    return Completion(data, usage)
