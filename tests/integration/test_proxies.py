"""Calls go through the proxy and trust the certificates that the environment names, to GitHub and to the model."""

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import Cancelled, Unreachable
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.infra.http_client import HttpClient
from goldpan.infra.llm.port import LanguageModelFailed, Prompt

from tests.support.fakes import FakeClock
from tests.support.loopback import LoopbackGitHub, model_at
from tests.support.loopback.tls_proxy import TlsProxy

GITHUB, MODEL = "api.github.test", "model.example.test"
ANSWER = {"items": [7], "choices": [{"message": {"content": '{"relevance": 0.5}'}}]}


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[TlsProxy]:
    """Serve a proxy through which both hosts are reached."""
    with TlsProxy(tmp_path, [GITHUB, MODEL], json.dumps(ANSWER).encode()) as server:
        yield server


def get(url: str) -> HttpResponse:
    """Call as the GitHub source does."""
    with closing(HttpClient()) as client:
        return client.send(HttpRequest("GET", url), Deadline.after(10, FakeClock()))


def ask_model() -> dict[str, object]:
    """Ask the language model."""
    with closing(HttpClient()) as http:
        prompt = Prompt(system="Answer with a JSON object.", user="{}", max_tokens=10)
        return model_at(f"https://{MODEL}/v1", http).complete(prompt, Deadline.after(10, FakeClock())).data


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_both_clients_use_the_proxy(monkeypatch: pytest.MonkeyPatch, proxy: TlsProxy, variable: str) -> None:
    """With a proxy and its certificate in the environment, GitHub and the model are reached through it."""
    monkeypatch.setenv(variable, proxy.url)
    monkeypatch.setenv("SSL_CERT_FILE", str(proxy.certificate))
    assert get(f"https://{GITHUB}/search").json() == ANSWER
    assert ask_model() == {"relevance": 0.5}
    assert proxy.targets == [f"{GITHUB}:443", f"{MODEL}:443"]


def test_a_cancelled_call_over_a_proxy_ends(monkeypatch: pytest.MonkeyPatch, proxy: TlsProxy) -> None:
    """So do those inside an encrypted connection, which all real ones are."""
    monkeypatch.setenv("HTTPS_PROXY", proxy.url)
    monkeypatch.setenv("SSL_CERT_FILE", str(proxy.certificate))
    proxy.is_silent, clock = True, WallClock()
    threading.Timer(0.3, clock.cancel).start()
    with closing(HttpClient()) as client, pytest.raises(Cancelled):
        client.send(HttpRequest("GET", f"https://{GITHUB}/search"), Deadline.after(10, clock))


def test_an_unknown_certificate_is_not_trusted(monkeypatch: pytest.MonkeyPatch, proxy: TlsProxy) -> None:
    """Without its certificate the proxy's answers are refused, by both clients."""
    monkeypatch.setenv("HTTPS_PROXY", proxy.url)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    with pytest.raises(Unreachable, match="certificate verify failed"):
        get(f"https://{GITHUB}/search")
    with pytest.raises(LanguageModelFailed, match="could not be asked"):
        ask_model()


def test_hosts_of_no_proxy_are_called_directly(monkeypatch: pytest.MonkeyPatch, proxy: TlsProxy) -> None:
    """A host in NO_PROXY is called without the proxy."""
    monkeypatch.setenv("ALL_PROXY", proxy.url)
    monkeypatch.setenv("NO_PROXY", "example.org,127.0.0.1")
    with LoopbackGitHub() as github:
        assert get(f"{github.url}/search/repositories?q=a").status == 200
    assert proxy.targets == []


def test_a_proxy_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable is in the message, for GitHub and the model; one that wants a password is sent no request."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("https_proxy", "http://user:secret@127.0.0.1:9")
    with pytest.raises(Unreachable, match=r"could not be reached: .*refused; over the proxy of HTTPS_PROXY$"):
        get(f"https://{GITHUB}/search")
    with pytest.raises(LanguageModelFailed, match=r"could not be asked \(.*refused; over the proxy of HTTPS_PROXY\)"):
        ask_model()
    with LoopbackGitHub() as refusing:  # knows no CONNECT
        monkeypatch.setenv("https_proxy", refusing.url)
        with pytest.raises(Unreachable, match=r"could not be reached: 501 .*over the proxy of HTTPS_PROXY") as failed:
            get(f"https://{GITHUB}/search")
    assert failed.value.sent is False
