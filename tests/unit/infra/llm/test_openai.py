"""Which calls of the language model are made: what a refusal means for this call, for the others, and for the key."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress

import httpx2
import pytest
from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import CredentialRejected
from goldpan.infra.http_client import MAX_BODY, HttpClient
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.llm.port import Completion, LanguageModelFailed, Prompt
from goldpan.infra.threads import run_parallel

from tests.support.fakes import FakeClock
from tests.support.llm_dialects import ANSWER
from tests.support.loopback.llm import model_at
from tests.support.memory_stores import MemoryRateLimiter

KEY, PASSWORD = "key-of-the-model", "pass-of-the-address"
OWN, README = Prompt("", "{}"), Prompt("", "{}", is_untrusted=True)
RETRYING = Prompt("", "{}", attempts=2, is_untrusted=True)
MODERATED = {"error": {"code": 403, "message": "Your input was flagged", "metadata": {"flagged_input": "a README"}}}
Answer = Callable[[], httpx2.Response]


def good() -> httpx2.Response:
    """Answer as asked."""
    return httpx2.Response(200, json={"choices": [{"message": {"content": ANSWER}}]})


def refusal(status: int, body: object = None, **headers: str) -> Answer:
    """Answer with an error."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda: httpx2.Response(status, json={} if body is None else body, headers=given)


class World:
    """Processes with one key and one clock, whose model answers as queued, and well at the end."""

    def __init__(self) -> None:
        self.clock, self.queued, self.calls = FakeClock(), list[Answer](), 0
        self._limiter = MemoryRateLimiter(self.clock)

    def process(self, name: str = "own") -> OpenAIModel:
        """Make the client of a model in a new process."""
        http = HttpClient(httpx2.MockTransport(self._answer))
        return model_at(f"https://me:{PASSWORD}@llm.example/v1", http, name, key=KEY, limiter=self._limiter)

    def call(self, model: OpenAIModel, prompt: Prompt = README) -> Completion:
        """Call the model within eight seconds."""
        return model.complete(prompt, Deadline.after(8, self.clock))

    def fail(self, model: OpenAIModel, prompt: Prompt = README) -> LanguageModelFailed:
        """Call the model, and return its failure, which quotes no secret."""
        with pytest.raises(LanguageModelFailed) as failed:
            self.call(model, prompt)
        assert not [secret for secret in (KEY, PASSWORD) if secret in str(failed.value)]
        return failed.value

    def _answer(self, _request: httpx2.Request) -> httpx2.Response:
        self.calls += 1
        return self.queued.pop(0)() if self.queued else good()


@pytest.fixture
def world() -> World:
    """Make a world."""
    return World()


@pytest.mark.parametrize("body", [MODERATED, {"error": {"message": f"Is {KEY} an API key?"}}])
def test_a_403_for_a_readme_fails_one_call(world: World, body: object) -> None:
    """An untrusted README that the provider refuses, whatever the words, never ends the search."""
    model, world.queued = world.process(), [refusal(403, body)]
    assert world.fail(model).usage == Usage(llm_calls=1)
    assert world.call(model).data == {"relevance": 0.5}


@pytest.mark.parametrize(
    ("prompt", "status", "body"),
    [
        (README, 401, {}),
        (README, 403, {"error": {"code": "invalid_api_key"}}),
        (README, 403, {"error": {"type": "permission_error"}}),
        (OWN, 403, {"error": {"message": f"Forbidden: {KEY}"}}),
    ],
)
def test_a_rejected_key_ends_the_search(world: World, prompt: Prompt, status: int, body: object) -> None:
    """A 401, a code that names the key, or a first 403 where no untrusted text was sent; no secret is quoted."""
    world.queued = [refusal(status, body)]
    with pytest.raises(CredentialRejected, match=r"^LLM_API_KEY: https://\[key\]@llm.example/v1 rejected ") as rejected:
        world.call(world.process(), prompt)
    assert KEY not in str(rejected.value)


def test_a_403_after_accepted_calls_and_what_passes_fail_one_call(world: World) -> None:
    """No accepted key is rejected by a 403 without a code, nor a new one by moderation; what passes stops nothing."""
    model = world.process()
    world.call(model, OWN)
    world.queued = [refusal(403, {"error": {"message": "Forbidden"}})]
    world.fail(model, OWN)
    world.queued = [refusal(403, MODERATED)]
    world.fail(world.process(), OWN)
    for status in (408, 409, 425, 429):
        model, world.queued = world.process(str(status)), [refusal(status)]
        world.fail(model, OWN)
        assert world.call(model, OWN).data


@pytest.mark.parametrize(
    ("prompt", "status", "body"),
    [
        (RETRYING, 402, {}),
        (RETRYING, 404, {}),
        (RETRYING, 429, {"error": {"code": "insufficient_quota", "message": "pay"}}),
        (RETRYING, 400, {"error": {"code": "invalid_request_error", "message": "Model Not Exist"}}),
        (RETRYING, 400, {"error": {"message": "The model `own` does not exist or you do not have access to it."}}),
        (RETRYING, 400, {"error": {"message": "own is not a valid model ID"}}),
        *((OWN, status, {"error": {"message": "Wrong"}}) for status in (400, 405, 413, 422)),
    ],
)
def test_a_refusal_of_all_calls_stops_them(world: World, prompt: Prompt, status: int, body: object) -> None:
    """Without credit, with an unknown model or if the first call of its own fails, none is made for 20 s."""
    world.queued = [refusal(status, body)]
    model = world.process()
    said = str(world.fail(model, prompt))
    assert (str(world.fail(model)), world.fail(model).usage) == (said, Usage())
    assert world.fail(world.process()).usage == Usage()
    assert (world.calls, world.clock.waits) == (1, [])
    world.clock.wait(20)
    assert world.call(model).data
    world.queued = [refusal(402, retry_after="60")]
    world.fail(model)
    world.clock.wait(59)
    assert world.fail(model).usage == Usage()


def test_without_time_no_call_is_made(world: World) -> None:
    """After the deadline nothing is asked, and nothing is counted."""
    with pytest.raises(LanguageModelFailed, match="no time was left") as failed:
        world.process().complete(README, Deadline.after(0, world.clock))
    assert (failed.value.usage, world.calls) == (Usage(), 0)


def test_after_a_failure_one_call_is_made_at_a_time(world: World) -> None:
    """Calls that begin at once do not all learn that the endpoint fails."""
    busy = threading.Lock()

    def slow() -> httpx2.Response:
        assert busy.acquire(blocking=False), "two calls at once"
        time.sleep(0.1)
        busy.release()
        return refusal(500)()

    def ask(model: OpenAIModel) -> None:
        with suppress(LanguageModelFailed):
            model.complete(README, Deadline.after(60, WallClock()))

    model, world.queued = world.process(), [refusal(500), slow, slow]
    world.fail(model)
    run_parallel([model] * 5, ask, 5, Deadline.after(60, WallClock()))
    assert world.calls == 3


def broken() -> httpx2.Response:
    """Refuse the connection."""
    raise httpx2.ConnectError(f"cannot reach https://me:{PASSWORD}@llm.example with {KEY}")


def late() -> httpx2.Response:
    """Answer after the deadline."""
    raise httpx2.ReadTimeout("")


SAID = f"You sent {KEY} from me:{PASSWORD}"


@pytest.mark.parametrize("failure", [broken, refusal(500, {"error": SAID}), refusal(400, {"error": {"message": SAID}})])
def test_failures_in_a_row_stop_the_calls(world: World, failure: Answer) -> None:
    """After three calls without an answer none is made for 5 s, for the same reason, and then one at a time."""
    world.queued = [failure, failure, good, failure, failure, failure, failure]
    model = world.process()
    for succeeds in (False, False, True):
        assert world.call(model).data if succeeds else world.fail(model)
    for calls in (6, 7):
        said = {str(world.fail(model)) for _ in range(10)}
        assert (world.calls, len(said), world.fail(model).usage) == (calls, 1, Usage())
        world.clock.wait(5)
    assert world.call(model).data


def test_failures_in_a_row_shorten_no_longer_pause(world: World) -> None:
    """Calls that were under way when all calls were refused may fail later."""
    model = world.process()

    def fail_after_another() -> httpx2.Response:
        world.fail(model)
        return refusal(500)()

    world.queued = [fail_after_another] * 3 + [refusal(402)]
    assert "answered 500" in str(world.fail(model))
    world.clock.wait(6)
    assert "answered 402" in str(world.fail(model))
    assert world.calls == 4


def test_moderated_texts_do_not_stop_the_calls(world: World) -> None:
    """They say nothing about the other calls; a filtered answer, and a refusal without a code, may be of the text."""
    filtered = httpx2.Response(200, json={"choices": [{"message": {}, "finish_reason": "content_filter"}]})
    risk = {"error": {"message": "Content Exists Risk", "code": "invalid_request_error"}}
    world.queued = [refusal(403, MODERATED), *[refusal(400, risk)] * 4, lambda: filtered, refusal(400), refusal(500)]
    model = world.process()
    assert [world.fail(model).is_of_the_text for _ in world.queued.copy()] == [True] * 7 + [False]
    assert world.call(model).data


def test_a_short_retry_after_is_waited_for(world: World) -> None:
    """The call is made again once, after the time, and both are counted; a third is not made."""
    world.queued = [refusal(429, retry_after="1"), good, refusal(503, retry_after="2"), refusal(503, retry_after="2")]
    model = world.process()
    assert world.call(model, RETRYING).usage.llm_calls == 2
    assert world.clock.waits == [1]
    assert "answered 503" in str(world.fail(model, RETRYING))
    assert (world.calls, world.clock.waits) == (4, [1, 2])


@pytest.mark.parametrize("too_many", [refusal(429), refusal(429, retry_after="0")])
def test_too_many_calls_are_made_again_after_longer_and_longer_rests(world: World, too_many: Answer) -> None:
    """A 429 that names no later time is waited for as far as the deadline allows; an answer ends the row."""
    model = world.process()
    world.queued = [too_many] * 2
    assert "answered 429" in str(world.fail(model, RETRYING))
    assert world.call(model).data
    world.queued = [too_many]
    assert world.call(model, RETRYING).data
    assert (world.calls, world.clock.waits) == (5, [1, 2, 1])
    world.queued = [too_many] * 4
    assert "answered 429" in str(world.fail(model, Prompt("", "{}", attempts=4)))
    assert (world.calls, world.clock.waits) == (8, [1, 2, 1, 1, 2])
    world.queued = [too_many] * 50
    for _ in world.queued.copy():  # the rest stays short however many there were
        world.clock.wait(8)
        assert world.fail(model).usage.llm_calls


def test_a_retry_after_beyond_the_deadline_stops_the_calls(world: World) -> None:
    """No call is made before the time, in this process or the next; then calls are made, and a short rest is waited."""
    world.queued = [refusal(429, retry_after="60")]
    model = world.process()
    assert world.fail(model, RETRYING).usage == Usage(llm_calls=1)
    later = world.process()
    assert world.call(world.process("another")).data
    assert "asked not to be called before 12:01:00 UTC" in str(world.fail(later))
    assert "answered 429" in str(world.fail(model))
    assert world.calls == 2
    world.clock.wait(57)
    assert world.call(later).data
    assert (world.calls, world.clock.waits[-1]) == (3, 3)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda: httpx2.Response(200, content=b" " * (MAX_BODY + 1)), "larger than 32 MiB"),
        (late, "did not answer in time"),
        (refusal(200, {"error": {"message": SAID}}), "answered 502 (You sent [key] from me:[key])"),
        (lambda: httpx2.Response(500, content=b"[" * 20_000), "answered 500"),
        (lambda: httpx2.Response(302, headers={"location": "https://evil.example"}), "answered 302"),
        # with all the room for thoughts that there is: another call would end in the same way
        (lambda: httpx2.Response(200, json={"choices": [{"message": {}, "finish_reason": "length"}]}), "blank content"),
    ],
)
def test_a_body_beyond_all_bounds_is_a_failure(world: World, answer: Answer, message: str) -> None:
    """A flood, a late answer, odd errors and a redirection fail one call, with the reason."""
    world.queued = [answer]
    failed = world.fail(world.process(), RETRYING)
    assert message in str(failed)
    assert failed.usage == Usage(llm_calls=1)
