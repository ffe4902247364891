"""The openai SDK: it makes the requests of a language model, and the client of the sources sends them in its bounds."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

import httpx2

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, Misconfigured, Unavailable
from goldpan.infra.http import Http, HttpRequest, HttpResponse
from goldpan.infra.settings import LLMEndpoint

try:
    import openai
except ModuleNotFoundError as error:  # an extra, because a search without a key does not need it
    message = "a language model is configured, which needs the extra `llm`: pip install 'goldpan-search[llm]'"
    raise Misconfigured(message) from error

PATH = "/chat/completions"
OF_ONE_CONNECTION = frozenset({"host", "content-length"})


@dataclass
class _Call:
    body: dict[str, object]
    deadline: Deadline
    response: HttpResponse | None = None


_CALL: ContextVar[_Call] = ContextVar("_CALL")
"""The call that the SDK makes in this thread: it passes neither deadlines nor cancellations on."""


class OpenAIClient:
    """Posts bodies to the chat completions of an endpoint; safe between threads.

    The SDK neither retries, since each call is counted, nor parses what comes back, since it sets no bounds to that.
    """

    def __init__(self, endpoint: LLMEndpoint, http: Callable[[], Http]) -> None:
        self._sdk = openai.OpenAI(
            api_key=endpoint.key.get_secret_value(),
            base_url=endpoint.base_url,
            max_retries=0,
            http_client=httpx2.Client(transport=_Transport(http), trust_env=False),
        )

    def post(self, body: dict[str, object], deadline: Deadline) -> HttpResponse:
        """Send a body, and return the response of any status. Raises `CallFailed` if there is none."""
        call = _Call(body, deadline)
        entered = _CALL.set(call)
        try:
            self._sdk.post(PATH, cast_to=httpx2.Response, body=body)
        except openai.OpenAIError as error:
            if call.response is None:
                raise error.__cause__ if isinstance(error.__cause__, CallFailed) else Unavailable(str(error)) from error
        finally:
            _CALL.reset(entered)
        if call.response is None:
            raise Unavailable("the SDK sent no request")
        return call.response


class _Transport(httpx2.BaseTransport):
    def __init__(self, http: Callable[[], Http]) -> None:
        self._http = http

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request of the SDK; its body is the one that the caller gave."""
        call = _CALL.get()
        headers = {name: value for name, value in request.headers.items() if name.lower() not in OF_ONE_CONNECTION}
        made = HttpRequest(request.method, str(request.url), headers, body=call.body)
        call.response = self._http().send(made, call.deadline)
        return httpx2.Response(call.response.status, content=call.response.body)
