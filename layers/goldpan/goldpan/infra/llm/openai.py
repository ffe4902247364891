"""The client of a language model behind an OpenAI-compatible endpoint: one call, and what its refusals teach."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import httpx2

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CredentialRejected, Misconfigured, RateLimited, TimedOut
from goldpan.infra.bounded_client import BoundedClient
from goldpan.infra.cancellation import ended_with
from goldpan.infra.json_text import read_json
from goldpan.infra.llm.completions import ONE_CALL, Answer, is_error, read_completion
from goldpan.infra.llm.dialects import Dialect, dialect_of
from goldpan.infra.llm.pauses import STOP, Pauses
from goldpan.infra.llm.port import Completion, LanguageModelFailed, Prompt
from goldpan.infra.llm.refusals import FORBIDDEN, MAX_WORDS, Refusal, read_refusal
from goldpan.infra.redaction import redact, register_address, register_secret
from goldpan.infra.settings import LLMEndpoint
from goldpan.infra.threads import run_with_deadline

try:
    import openai
except ModuleNotFoundError as error:  # an extra, because a search without a key does not need it
    message = "a language model is configured, which needs the extra `llm`: pip install 'goldpan-search[llm]'"
    raise Misconfigured(message) from error

if TYPE_CHECKING:
    from goldpan.infra.rate_limits.limiter import RateLimiter

OK = 200
MAX_COMPLETION = 4 * 1024 * 1024
"""Bytes of a completion, packed or not; none has nearly as many."""


class OpenAIModel:
    """A model behind the chat completions API; safe between threads."""

    def __init__(
        self,
        endpoint: LLMEndpoint,
        transport: httpx2.BaseTransport | None = None,
        rate_limiter: RateLimiter | None = None,
    ) -> None:
        register_secret(endpoint.key.get_secret_value())
        register_address(endpoint.base_url)
        self._endpoint = endpoint
        self._dialect = dialect_of(endpoint.base_url, endpoint.model)
        self._pauses = Pauses(endpoint, rate_limiter)
        self._is_accepted = False
        self._client = openai.OpenAI(
            api_key=endpoint.key.get_secret_value(),
            base_url=endpoint.base_url,
            max_retries=0,  # each call is counted, and made again only for what its refusal teaches
            http_client=BoundedClient(transport, MAX_COMPLETION),
        )

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoint.model

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Call the model, at most `prompt.attempts` times.

        Another attempt is made without a field that the endpoint refused, with room for thinking, or after a short
        Retry-After. Raises `LanguageModelFailed` with the cost, `CredentialRejected`, or `Cancelled` soon after the
        search was cancelled.
        """
        usage = Usage()
        for left in reversed(range(prompt.attempts)):
            self._check_allowed(deadline, usage)
            dialect = self._dialect
            response = self._post(dialect.body(self.name, prompt), deadline, usage)
            answer = _read(response, deadline.clock.now())
            if isinstance(answer, Refusal):
                usage += ONE_CALL
                teaches = self._learn_from_refusal(answer, dialect, deadline)
                if not (left and teaches):
                    raise self._failure(answer, prompt, usage)
                continue
            usage += answer.usage
            self._is_accepted = True
            self._pauses.note_answer()
            if answer.data is not None:
                return Completion(answer.data, usage)
            teaches = answer.cut_while_thinking and self._learn(dialect, dialect.with_room())
            if not (left and teaches):
                raise LanguageModelFailed(answer.failure, usage)
        raise LanguageModelFailed("no call of the language model was allowed", usage)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _check_allowed(self, deadline: Deadline, usage: Usage) -> None:
        """Wait for the end of a short pause; no call is made without time or connections, or in a longer pause."""
        try:
            self._pauses.wait(deadline)
        except RateLimited as pause:
            raise LanguageModelFailed(str(pause), usage) from pause
        if not deadline.left:
            raise LanguageModelFailed("no time was left to ask the language model", usage)
        if self._client.is_closed():
            message = "the language model could not be asked (its connections are closed)"
            raise LanguageModelFailed(message, usage)

    def _post(self, body: dict[str, object], deadline: Deadline, usage: Usage) -> httpx2.Response:
        """Send a body, and return the response of any status. Raises `LanguageModelFailed` if there is none."""
        seconds = max(0.001, deadline.left)

        def post() -> httpx2.Response:
            """Send the body as a dictionary: the SDK does not check its own types, which cost a third of the call."""
            path = "/chat/completions"
            with ended_with(deadline.clock):
                return self._client.post(path, cast_to=httpx2.Response, body=body, options={"timeout": seconds})

        try:
            return run_with_deadline(post, deadline)
        except openai.APIStatusError as error:
            return error.response
        except (openai.APITimeoutError, TimedOut) as error:
            raise LanguageModelFailed("the language model did not answer in time", usage + ONE_CALL) from error
        except (openai.APIError, httpx2.HTTPError, ValueError) as error:
            words = redact(str(error.__cause__ or error) or type(error).__name__)
            reason = " ".join(words.partition(" (")[0].split())  # without counts of bytes, so that equal reasons add up
            message = f"the language model could not be asked ({reason[:MAX_WORDS]})"
            self._pauses.note_failure(message, deadline.clock.now())
            raise LanguageModelFailed(message, usage + ONE_CALL) from error

    def _learn_from_refusal(self, refusal: Refusal, dialect: Dialect, deadline: Deadline) -> bool:
        """Note what a refusal says about all calls; returns whether a call after it could succeed."""
        now = deadline.clock.now()
        if refusal.is_of_all_calls:
            self._pauses.hold(max(now + STOP, refusal.retry_at or now), _describe(refusal), waits=False)
            return False
        if refusal.retry_at is not None:
            self._pauses.hold(refusal.retry_at, _describe(refusal), waits=True)
            return True
        if refusal.is_of_the_text:
            return False
        changed = dialect.without(refusal.param, refusal.text) if refusal.names_a_field else None
        if changed is not None and self._learn(dialect, changed):
            return True
        self._pauses.note_failure(_describe(refusal), now)
        return False

    def _learn(self, sent: Dialect, better: Dialect) -> bool:
        """Use a better dialect from now on, unless another call has learned since; returns whether a call differs."""
        if self._dialect is sent:
            self._dialect = better
        return self._dialect != sent

    def _failure(self, refusal: Refusal, prompt: Prompt, usage: Usage) -> LanguageModelFailed | CredentialRejected:
        """Return what a refusal means: the key is rejected, or this one call failed.

        A 403 without a reason means the key only if no call was accepted before, and no stranger's text was sent: else
        one README could end every search.
        """
        is_first = not (self._is_accepted or prompt.is_untrusted or refusal.is_of_the_text)
        if refusal.is_of_the_key or (refusal.status == FORBIDDEN and is_first):
            address = redact(self._endpoint.base_url)
            said = f"{refusal.status}: {refusal.words}"
            return CredentialRejected(f"{self._endpoint.key_name}: {address} rejected it ({said})")
        return LanguageModelFailed(_describe(refusal), usage)


def _describe(refusal: Refusal) -> str:
    return f"the language model answered {refusal.status} ({refusal.words})"


def _read(response: httpx2.Response, now: datetime) -> Answer | Refusal:
    """Read a body, whose depth the client has bounded; one that is not JSON is no completion, and may be an error."""
    try:
        value = read_json(response.content)
    except ValueError:
        value = None
    if response.status_code == OK and not is_error(value):
        return read_completion(value)
    headers = {name.lower(): text for name, text in response.headers.items()}
    return read_refusal(response.status_code, headers, response.content, value, now)
