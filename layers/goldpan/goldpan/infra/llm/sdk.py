"""The openai SDK: it makes the requests of a language model, and the client of the sources sends them in its bounds."""

from contextlib import suppress

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


def post(endpoint: LLMEndpoint, http: Http, body: dict[str, object], deadline: Deadline) -> HttpResponse:
    """Send a body to the chat completions of an endpoint, and return the response of any status.

    The SDK neither retries, since each call is counted, nor parses what comes back, since it sets no bounds to that.
    Raises `CallFailed` if there is no response.
    """
    transport, key = _Transport(http, body, deadline), endpoint.key.get_secret_value()
    with httpx2.Client(transport=transport, trust_env=False) as client, suppress(openai.APIStatusError):
        sdk = openai.OpenAI(api_key=key, base_url=endpoint.base_url, max_retries=0, http_client=client)
        try:
            sdk.post(PATH, cast_to=httpx2.Response, body=body)
        except openai.APIConnectionError as error:
            raise error.__cause__ if isinstance(error.__cause__, CallFailed) else Unavailable(str(error)) from error
    return transport.response


class _Transport(httpx2.BaseTransport):
    """Sends the request of one call: the SDK passes neither deadlines nor cancellations on."""

    response: HttpResponse

    def __init__(self, http: Http, body: dict[str, object], deadline: Deadline) -> None:
        self._http, self._body, self._deadline = http, body, deadline

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request of the SDK; its body is the one that the caller gave."""
        headers = {name: value for name, value in request.headers.items() if name.lower() not in OF_ONE_CONNECTION}
        made = HttpRequest(request.method, str(request.url), headers, body=self._body)
        self.response = self._http.send(made, self._deadline)
        return httpx2.Response(self.response.status, content=self.response.body)
