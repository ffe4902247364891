"""What the machine is asked is what the asker sent, and nothing beside it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.openapi.gateway import MACHINE, start
from tests.contract.openapi.hostile import HOSTILE
from tests.contract.openapi.velocity import Payload, escape_java_script

TEXTS = st.text() | st.sampled_from(HOSTILE)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def _asked(body: str, *, ascii: bool = False) -> Any:  # noqa: A002 - named as in json
    return json.loads(start(Payload(body, ascii))["input"])


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_question_arrives_as_it_was_sent(text: str, ascii: bool) -> None:  # noqa: A002, FBT001
    """Quotes, backslashes, Velocity and any script survive the way into the machine, in values and in names."""
    request = {"query": text, text: {"deep": [text, {text: 1}]}}
    assert _asked(json.dumps(request), ascii=ascii) == {"request": request}


@given(st.dictionaries(TEXTS, VALUES, max_size=4), st.booleans())
@settings(max_examples=150, deadline=None)
def test_any_request_arrives_as_it_was_sent(request: dict[str, Any], ascii: bool) -> None:  # noqa: A002, FBT001
    """No JSON object at all is changed on the way into the machine."""
    assert _asked(json.dumps(request), ascii=ascii) == {"request": request}


@pytest.mark.parametrize(
    "body",
    [
        '{"query": "x"}, "refresh": true',
        '{"query": "x"}}, "refresh": true, "x": {"y": {}',
        '{"query": "x"} {"refresh": true}',
        '{"query": "x"}\n// comment\n, "refresh": true',
    ],
)
def test_nothing_comes_to_stand_beside_the_request(body: str) -> None:
    """A body that goes on after its end sets no internal flag, even where the gateway's parser overlooks the rest."""
    assert _asked(body) == {"request": {"query": "x"}}


def test_a_flag_of_the_machine_is_only_an_unknown_field_of_the_request() -> None:
    """A caller that sends `refresh` sends it within the request, where the contract refuses it."""
    assert _asked('{"query": "x", "refresh": true, "request": 1}') == {
        "request": {"query": "x", "refresh": True, "request": 1}
    }


def test_the_machine_is_named_and_the_run_is_not() -> None:
    """The call names the machine of the stack and no execution: two askers never clash."""
    assert set(start(Payload('{"query": "x"}'))) == {"stateMachineArn", "input"}
    assert start(Payload('{"query": "x"}'))["stateMachineArn"] == MACHINE


def test_a_trace_goes_on_in_the_machine() -> None:
    """Where the gateway traces a request, the run belongs to the same trace."""
    trace = "1-67891233-abcdef012345678912345678"
    assert start(Payload('{"query": "x"}'), trace)["traceHeader"] == f"Root={trace}"


@pytest.mark.parametrize("trace", ["", None])
def test_without_a_trace_none_is_named(trace: str | None) -> None:
    """A request that is not traced names no trace, rather than an empty one."""
    assert "traceHeader" not in start(Payload('{"query": "x"}'), trace)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_forged_trace_breaks_nothing(text: str) -> None:
    """A trace that a caller made up stays within its quotes."""
    assert set(start(Payload('{"query": "x"}'), text.replace("'", ""))) <= {"stateMachineArn", "input", "traceHeader"}


def test_single_quotes_are_escaped_as_the_gateway_does() -> None:
    r"""The engine of the tests writes \' for ', as API Gateway does; JSON knows no such escape."""
    assert escape_java_script("it's a/b \U0001f600\n") == r"it\'s a\/b \uD83D\uDE00\n"
