"""Any OpenAI-compatible endpoint as a language model that answers in JSON."""

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
from goldpan.infra.http import TotalTimeoutTransport
from goldpan.infra.llm.port import Completion, LanguageModelFailed, Prompt
from goldpan.infra.llm.settings import LLMEndpoint
from goldpan.infra.threads import run_with_deadline
from goldpan.text import replace_lone_surrogates

MAX_TOKENS = 10_000_000
"""No model reads or writes more in one call; a larger or a negative number is none."""
CALLED = Usage(llm_calls=1)
_KEY = re.compile(r"\bsk-[\w*.-]+")
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(?P<inner>.*?)\n?\s*```\s*\Z", re.DOTALL | re.IGNORECASE)


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


def _countable(value: object) -> object:
    return None if isinstance(value, int) and not 0 <= value <= MAX_TOKENS else value


Count = Annotated[int | None, BeforeValidator(_countable)]


class _Tokens(BaseModel):
    prompt_tokens: Count = None
    completion_tokens: Count = None


class _Told(BaseModel):
    """What is read of a completion: the client gives it unchecked."""

    choices: Annotated[list[_Choice], Field(min_length=1)]
    usage: Annotated[_Tokens, BeforeValidator(lambda value: {} if value is None else value)] = _Tokens()


class OpenAIModel:
    """A model behind the chat completions API; may be shared between threads."""

    def __init__(self, endpoint: LLMEndpoint, transport: httpx2.BaseTransport | None = None) -> None:
        self._endpoint = endpoint
        self._client = openai.OpenAI(
            api_key=endpoint.key.get_secret_value(),
            base_url=endpoint.base_url,
            max_retries=0,  # every call is counted, and a verdict by rules is better than a late one
            http_client=httpx2.Client(transport=transport or TotalTimeoutTransport()),
        )

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoint.model

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Ask once; raises `LanguageModelFailed` with what it cost, or `CredentialRejected`."""
        if not deadline.left:
            raise LanguageModelFailed("no time was left to ask the language model", Usage())
        if self._client.is_closed():
            raise LanguageModelFailed("the language model could not be asked (its connections are closed)", Usage())
        try:
            reply = run_with_deadline(lambda: self._ask(prompt, deadline.left), deadline)
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            message = f"{self._endpoint.key_name}: {self._endpoint.base_url} rejected it ({self._said(error)})"
            raise CredentialRejected(message) from error
        except (openai.APITimeoutError, TimedOut) as error:
            raise LanguageModelFailed("the language model did not answer in time", CALLED) from error
        except openai.APIStatusError as error:
            message = f"the language model answered {error.status_code} ({self._said(error)})"
            raise LanguageModelFailed(message, CALLED) from error
        except (openai.APIError, httpx2.HTTPError, ValueError) as error:
            raise LanguageModelFailed(f"the language model could not be asked ({self._said(error)})", CALLED) from error
        return _read(reply)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _said(self, error: Exception) -> str:
        """Give the provider's words in one line, without the key, which some repeat."""
        said = " ".join(str(error).split()).replace(self._endpoint.key.get_secret_value(), "[key]")
        return str(replace_lone_surrogates(_KEY.sub("[key]", said)))[:160]

    def _ask(self, prompt: Prompt, seconds: float) -> object:
        """Send the body as it is: the client's own types of it are not checked, and cost a third of the call."""
        body = {
            "model": self._endpoint.model,
            "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
            "max_tokens": prompt.max_tokens,
            "response_format": {"type": "json_object"},
            "temperature": 0,
            **({} if self._endpoint.thinking else {"thinking": {"type": "disabled"}}),
        }
        told: object = self._client.post(
            "/chat/completions", cast_to=object, body=body, options={"timeout": max(0.001, seconds)}
        )
        return told


def _read(reply: object) -> Completion:
    """Read the object out of a completion; blank, cut or other content is a failure that was paid for."""
    try:
        told = _Told.model_validate(json.loads(reply) if isinstance(reply, str) else reply)
    except ValueError as error:  # a text is what came under another content type than that of JSON
        raise LanguageModelFailed("the language model's completion is not in the promised form", CALLED) from error
    spent = Usage(
        llm_calls=1, input_tokens=told.usage.prompt_tokens or 0, output_tokens=told.usage.completion_tokens or 0
    )
    choice = told.choices[0]
    content = choice.message.content or ""
    if not content.strip():
        raise LanguageModelFailed("the language model answered with blank content", spent)
    fenced = _FENCE.match(content)
    try:
        data = replace_lone_surrogates(json.loads(fenced.group("inner") if fenced else content))
    except ValueError as error:
        cut = " (cut at its length)" if choice.finish_reason == "length" else ""
        raise LanguageModelFailed(f"the language model's answer is not JSON{cut}", spent) from error
    if not isinstance(data, dict):
        kind = type(data).__name__
        raise LanguageModelFailed(f"the language model answered with a JSON {kind}, not an object", spent)
    return Completion(data, spent)
