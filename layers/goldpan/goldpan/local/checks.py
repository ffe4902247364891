"""What this machine can use: which setting configures what, never its value, and whether each service answers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Literal

from goldpan.config import Frozen
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import CallFailed, Misconfigured, Paused, RateLimited, Refused, TimedOut
from goldpan.infra.encoder.endpoint import EndpointEncoder
from goldpan.infra.llm.port import LanguageModelFailed, Prompt
from goldpan.infra.redaction import redact
from goldpan.infra.settings import EMBEDDINGS, LANGUAGE_MODEL, EmbeddingSettings, OptionalSetting
from goldpan.infra.threads import run_parallel
from goldpan.kinds.registry import all_kinds
from goldpan.local.bootstrap import language_model, open_connections

State = Literal["ok", "not configured", "wrong", "limited", "unreachable"]
TODO: Mapping[State, str] = {
    "wrong": "correct it, or unset it",
    "limited": "try again later",
    "unreachable": "check the network, the address and HTTPS_PROXY",
}
SECONDS = 10.0
"""For all services together."""
PROMPT = Prompt('Answer with the JSON object {"ok": true}.', "{}", max_tokens=20, attempts=3)
REFUSED, TOO_MANY = range(400, 500), 429
OptionalCheck = Callable[[Deadline], str | None]
"""A check that returns None if there is nothing to ask, because it is not configured."""


class Finding(Frozen):
    """The state of one part, what is known of it or what to do, and when a limit ends."""

    name: str
    state: State
    detail: str
    is_broken: bool = False
    """Whether something that the user configured does not work; a limit ends by itself."""
    retry_at: datetime | None = None


@dataclass(frozen=True)
class Configured(OptionalSetting):
    """An optional part, and whether one of its settings is set."""

    is_configured: bool


def list_configured(environment: Mapping[str, str]) -> list[Configured]:
    """List the optional parts of all kinds, then the language model and the endpoint for embeddings."""
    parts = (*(part for kind in all_kinds() for part in kind.connector().optional), LANGUAGE_MODEL, EMBEDDINGS)
    known = {name for name, value in environment.items() if value.strip()}
    return [Configured(**vars(part), is_configured=not known.isdisjoint(part.settings)) for part in parts]


def check_services(environment: Mapping[str, str], seconds: float = SECONDS) -> list[Finding]:
    """Ask the services of all kinds, the language model and the endpoint for embeddings. Raises `Misconfigured`."""
    limits = {name: limit for kind in all_kinds() for name, limit in kind.connector().rate_limits.items()}
    parts = {each.name: each for each in list_configured(environment)}
    with open_connections(environment, limits) as connections:
        checks = dict(_checks(environment, replace(connections, cache=None)))
        deadline = Deadline.after(seconds, connections.clock)
        named = [(name, check, parts.get(name), deadline) for name, check in checks.items()]
        found = run_parallel(named, lambda one: _find(*one), len(checks), deadline)
    late = TimedOut(f"no answer within {seconds:g} seconds")
    return [each or _failed(name, parts.get(name), late) for name, each in zip(checks, found, strict=True)]


def _checks(environment: Mapping[str, str], connections: Connections) -> Iterator[tuple[str, OptionalCheck]]:
    """Yield the checks by their names; settings that cannot be read are one that fails."""

    def fail(error: Misconfigured, _deadline: Deadline) -> str | None:
        raise error

    def ask_model(deadline: Deadline) -> str | None:
        model = language_model(environment, connections)
        if model is None:
            return None
        try:
            model.complete(PROMPT, deadline)
        except LanguageModelFailed as failed:
            raise failed.__cause__ if isinstance(failed.__cause__, RateLimited) else failed from None
        return model.name

    def ask_encoder(deadline: Deadline) -> str | None:
        endpoint = EmbeddingSettings.from_environment(environment).endpoint()
        if endpoint is None:
            return None
        EndpointEncoder(endpoint, connections).within(deadline).encode(["goldpan"])
        return endpoint.model

    for kind in all_kinds():
        connector = kind.connector()
        try:
            found = connector.checks(connector.settings.from_environment(environment), connections)
        except Misconfigured as error:
            yield f"settings of {kind.name}", partial(fail, error)
        else:
            yield from {**{part.name: lambda _: None for part in connector.optional}, **found}.items()
    yield LANGUAGE_MODEL.name, ask_model
    yield EMBEDDINGS.name, ask_encoder


def _find(name: str, check: OptionalCheck, part: Configured | None, deadline: Deadline) -> Finding:
    try:
        said = check(deadline)
    except (CallFailed, Misconfigured) as error:
        return _failed(name, part, error)
    if part is None or part.is_configured:
        return Finding(name=name, state="ok", detail=said or "answers")
    answers = "" if said is None else f"Answers without it{said and f' ({said})'}. "
    names = " or ".join(filter(None, (", ".join(part.settings[:-1]), part.settings[-1])))
    return Finding(name=name, state="not configured", detail=f"{answers}{part.purpose} {names} configures it.")


def _failed(name: str, part: Configured | None, error: CallFailed | Misconfigured) -> Finding:
    """Describe a failure: what is wrong with a setting, until when a limit holds, or why there was no answer."""
    status, again = getattr(error, "http_status", None), getattr(error, "retry_at", None)
    is_limit = (isinstance(error, RateLimited) and not isinstance(error, Paused)) or status == TOO_MANY
    is_wrong = isinstance(error, Misconfigured | Refused) or status in REFUSED
    state: State = "limited" if is_limit else "wrong" if is_wrong else "unreachable"
    todo = f"try again at {again.astimezone():%H:%M}" if again else TODO[state]
    is_broken = state == "wrong" or (state == "unreachable" and part is not None and part.is_configured)
    detail = f"{redact(str(error))}; {todo}"
    return Finding(name=name, state=state, detail=detail, is_broken=is_broken, retry_at=again)
