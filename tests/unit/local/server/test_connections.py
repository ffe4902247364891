"""How many connections a server takes."""

import ctypes
import sys
from typing import Any, cast
from unittest.mock import Mock, call

import pytest
import uvicorn
from goldpan_local.server.connections import bounded_protocol, connection_limits, raise_file_limit, return_freed_memory
from goldpan_local.server.http_server import make_server
from starlette.testclient import TestClient


def test_half_of_the_files_are_left_to_sources_and_caches() -> None:
    """A third is for connections that are served, an eighth for those that wait; at least one for each."""
    for files, limits in {1: (1, 1), 64: (21, 8), 1024: (341, 128), 100_000: (1024, 512)}.items():
        assert connection_limits(files) == limits


def test_what_exceeds_the_limits_is_refused_and_then_dropped() -> None:
    """The connections that are served already stay so."""
    config, state = uvicorn.Config(Mock(), lifespan="off"), uvicorn.server.ServerState()
    protocols = []
    for _ in range(6):
        protocol = cast("Any", bounded_protocol(2, 2))(config, state, {}, Mock())
        transport = Mock()
        transport.get_extra_info.return_value = None
        protocol.connection_made(transport)
        protocols.append((protocol.app, transport.abort.called))
    served = [(app is config.loaded_app, dropped) for app, dropped in protocols]
    assert served == [(True, False)] * 2 + [(False, False)] * 2 + [(True, True)] * 2
    refused = TestClient(protocols[2][0]).get("/health")
    assert (refused.status_code, "x-request-id" in refused.headers) == (503, True)  # as the log has it


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_open_files_are_limited_by_the_hard_limit_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is unlimited; a limit that is higher already stays."""
    import resource  # noqa: PLC0415 - not on Windows

    raised = Mock()
    monkeypatch.setattr(resource, "setrlimit", raised)
    unlimited = resource.RLIM_INFINITY
    for soft, hard, expected in ((64, 128, 128), (64, unlimited, None), (unlimited, unlimited, None), (10**6,) * 3):
        monkeypatch.setattr(resource, "getrlimit", lambda _, limits=(soft, hard): limits)
        raised.reset_mock()
        files = raise_file_limit()
        assert files == expected or (expected is None and 128 < files < 10**6), (soft, hard)
        assert raised.called == (soft == 64), (soft, hard)
        assert not raised.called or raised.call_args.args[1] == (files, hard)


def test_what_sends_no_whole_request_is_closed_after_ten_seconds() -> None:
    """Whether it is the first one or follows a response; not while it is answered, nor between two requests."""
    silent, answered = (Mock(timeout_keep_alive_task=None, cycle=cycle) for cycle in (None, Mock()))
    others = (
        Mock(timeout_keep_alive_task=Mock()),
        Mock(timeout_keep_alive_task=None, cycle=Mock(response_complete=False)),
    )
    server: Any = make_server(Mock(), Mock(), 2, 2)
    server.server_state.connections = {silent, answered, *others}
    for now, closed in ((5, 0), (15, 0), (15.1, 2)):
        server._close_stalled(now)
        assert [each.transport.close.called for each in (silent, answered, *others)] == [bool(closed)] * 2 + [False] * 2


def test_freed_memory_is_returned_unless_the_operator_sets_the_allocator(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above 128 KiB, and with two arenas, by the numbers of malloc.h."""
    mallopt = Mock()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda _: Mock(mallopt=mallopt))
    for environment in ({"GLIBC_TUNABLES": "x"}, {"MALLOC_ARENA_MAX": "4"}, {}):
        assert not mallopt.called
        return_freed_memory(environment)
    assert mallopt.call_args_list == [call(-1, 131_072), call(-3, 131_072), call(-8, 2)]
