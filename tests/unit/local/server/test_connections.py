"""How many connections a server takes."""

import sys
from typing import Any, cast
from unittest.mock import Mock

import pytest
import uvicorn
from goldpan_local.server.connections import bounded_protocol, connection_limits, raise_file_limit


@pytest.mark.parametrize("files", [1, 64, 1024])
def test_half_of_the_files_are_left_to_sources_and_caches(files: int) -> None:
    """At least one connection is served, and one more is accepted."""
    assert min(connection_limits(files)) >= 1
    assert sum(connection_limits(files)) <= max(2, files // 2)


def test_what_exceeds_the_limits_is_refused_and_then_dropped() -> None:
    """The connections that are served already stay so."""
    config, state = uvicorn.Config(Mock(), lifespan="off"), uvicorn.server.ServerState()
    protocols = []
    for _ in range(6):
        protocol = cast("Any", bounded_protocol(2, 2))(config, state, {}, Mock())
        transport = Mock()
        transport.get_extra_info.return_value = None
        protocol.connection_made(transport)
        protocols.append((protocol.app is config.loaded_app, transport.abort.called))
    assert protocols == [(True, False)] * 2 + [(False, False)] * 2 + [(True, True)] * 2


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
