"""The client of a language model behind an OpenAI-compatible endpoint: one call, and what its refusals teach."""

from collections.abc import Callable

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, Cancelled, CredentialRejected, RateLimited, TimedOut, Unavailable
from goldpan.infra.http import Http, HttpResponse
from goldpan.infra.llm.completions import ONE_CALL, CutWhileThinking, is_error, read_completion
from goldpan.infra.llm.dialects import Dialect, dialect_of
from goldpan.infra.llm.pauses import STOP, Pauses
from goldpan.infra.llm.port import Completion, LanguageModelFailed, Prompt, in_attempts
from goldpan.infra.llm.refusals import FORBIDDEN, OK, TOO_MANY, Refusal, read_refusal
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.redaction import MAX_MESSAGE, redact, register_address, register_secret
from goldpan.infra.settings import LLMEndpoint


class OpenAIModel:
    """A model behind the chat completions API; safe between threads."""

    def __init__(self, endpoint: LLMEndpoint, http: Callable[[], Http], rate_limiter: RateLimiter) -> None:
        from goldpan.infra.llm.sdk import post  # noqa: PLC0415 - 0.8 s of import, needed with a key only

        register_secret(endpoint.key.get_secret_value())
        register_address(endpoint.base_url)
        self._endpoint, self._http, self._send = endpoint, http, post
        self._dialect = dialect_of(endpoint.base_url, endpoint.model)
        self._pauses = Pauses(endpoint, rate_limiter)
        self._is_accepted = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoint.model

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Call the model, at most `prompt.attempts` times.

        Another attempt is made without a field that the endpoint refused, with room for thinking, or after a short
        pause. Raises `LanguageModelFailed` with the cost, `CredentialRejected`, or `Cancelled` soon after the
        search was cancelled.
        """
        return in_attempts(prompt, lambda: self._ask_in_turn(prompt, deadline))

    def _ask_in_turn(self, prompt: Prompt, deadline: Deadline) -> Completion:
        with self._pauses.turn(deadline):
            return self._ask(prompt, deadline)

    def _ask(self, prompt: Prompt, deadline: Deadline) -> Completion:
        dialect = self._dialect
        try:
            self._pauses.wait(deadline)
        except RateLimited as pause:
            raise LanguageModelFailed(str(pause), Usage()) from pause
        if not deadline.left:
            raise LanguageModelFailed("no time was left to ask the language model", Usage())
        response = self._post(dialect.body(self.name, prompt), deadline)
        try:
            value = response.json()
        except Unavailable:  # no completion, and perhaps an error
            value = None
        if response.status != OK or is_error(value):
            refusal = read_refusal(response.status, response.headers, response.body, value, deadline.clock.now())
            can_be_avoided = self._learn_from_refusal(refusal, dialect, prompt, deadline)
            raise self._failure(refusal, prompt, can_be_avoided=can_be_avoided)
        self._is_accepted = True
        self._pauses.note_answer()
        try:
            return read_completion(value)
        except CutWhileThinking as failed:
            failed.can_be_avoided = self._learn(dialect, dialect.with_room())
            raise

    def _post(self, body: dict[str, object], deadline: Deadline) -> HttpResponse:
        """Send a body, and return the response of any status. Raises `LanguageModelFailed` if there is none."""
        try:
            return self._send(self._endpoint, self._http(), body, deadline)
        except Cancelled:
            raise
        except TimedOut as error:
            raise LanguageModelFailed("the language model did not answer in time", ONE_CALL) from error
        except CallFailed as error:
            said = str(error).removeprefix("could not be reached: ").partition(" (")[0]
            reason = " ".join(said.split())  # without counts of bytes: equal reasons add up
            message = f"the language model could not be asked ({reason[:MAX_MESSAGE]})"
            self._pauses.note_failure(message, deadline.clock.now())
            raise LanguageModelFailed(message, ONE_CALL) from error

    def _learn_from_refusal(self, refusal: Refusal, dialect: Dialect, prompt: Prompt, deadline: Deadline) -> bool:
        """Note what a refusal says about all calls; returns whether a call after it could succeed."""
        now, is_first = deadline.clock.now(), not (self._is_accepted or prompt.is_untrusted)
        changed = dialect.without(refusal.param, refusal.text) if refusal.names_a_field else None
        if refusal.is_of_all_calls or (is_first and changed is None and refusal.comes_again):
            self._pauses.hold(max(now + STOP, refusal.retry_at or now), _describe(refusal), waits=False)
            return False
        if refusal.status == TOO_MANY and (refusal.retry_at or now) <= now:  # some send Retry-After: 0
            self._pauses.rest(_describe(refusal), now)
            return True
        if refusal.retry_at is not None:
            self._pauses.hold(refusal.retry_at, _describe(refusal), waits=True)
            return True
        if refusal.is_of_the_text:
            return False
        if changed is not None and self._learn(dialect, changed):
            return True
        self._pauses.note_failure(_describe(refusal), now)
        return False

    def _learn(self, sent: Dialect, better: Dialect) -> bool:
        """Use a better dialect from now on, unless another call has learned since; returns whether a call differs."""
        if self._dialect is sent:
            self._dialect = better
        return self._dialect != sent

    def _failure(
        self, refusal: Refusal, prompt: Prompt, *, can_be_avoided: bool
    ) -> LanguageModelFailed | CredentialRejected:
        """Return what a refusal means: the key is rejected, or this one call failed."""
        # a first 403 without a reason means the key, but for untrusted text: else one README could end every search
        is_first = not (self._is_accepted or prompt.is_untrusted or refusal.is_of_the_text)
        if refusal.is_of_the_key or (refusal.status == FORBIDDEN and is_first):
            address = redact(self._endpoint.base_url)
            said = f"{refusal.status}: {refusal.words}"
            return CredentialRejected(f"{self._endpoint.key_name}: {address} rejected it ({said})")
        is_of_the_text = prompt.is_untrusted and refusal.may_be_of_the_text
        failed = LanguageModelFailed(_describe(refusal), ONE_CALL, is_of_the_text=is_of_the_text)
        failed.http_status, failed.can_be_avoided = refusal.status, can_be_avoided
        return failed


def _describe(refusal: Refusal) -> str:
    return f"the language model answered {refusal.status} ({refusal.words})"
