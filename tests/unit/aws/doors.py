"""The real doors, loaded from their files, with ports of the test's own in the place of real clients."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
from goldpan.engine.deadlines import WallClock
from goldpan.infra.http import HttpClient
from goldpan.infra.llm.port import LanguageModel
from goldpan.infra.rate_limits.port import ProcessRateLimiter
from goldpan.kinds.repositories.ports import Dependencies, RepositorySource
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan.kinds.repositories.sources.github.source import GitHub
from goldpan.settings import GitHubSettings
from goldpan_local.bootstrap import TITLE, sample_records

ROOT = Path(__file__).resolve().parents[3]
FUNCTIONS = ("query_translator", "scout", "screener")
Door = Callable[[Mapping[str, Any]], Any]
Handler = Callable[[Mapping[str, Any], Any], Any]


@dataclass(frozen=True)
class Context:
    """What Lambda tells a function of its call."""

    function_name: str = "goldpan"
    memory_limit_in_mb: int = 512
    invoked_function_arn: str = "arn:aws:lambda:eu-west-1:123456789012:function:goldpan:live"
    aws_request_id: str = "11111111-2222-3333-4444-555555555555"


@dataclass(frozen=True)
class FixedEquipment:
    """Equipment whose ports are given."""

    given: Dependencies

    def dependencies(self) -> Dependencies:
        """Give the ports."""
        return self.given


def load(function: str) -> ModuleType:
    """Load a door from its file, as Lambda does."""
    spec = spec_from_file_location(f"door_of_{function}", ROOT / "functions" / function / "app.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def door(function: str, dependencies: Dependencies) -> Door:
    """Open a door with these ports behind it; what goes in and comes out is JSON, as between Lambda and its caller."""
    module = load(function)
    module.CONTAINER = FixedEquipment(dependencies)  # type: ignore[attr-defined]

    def call(event: Mapping[str, Any]) -> Any:
        return json.loads(json.dumps(module.handler(json.loads(json.dumps(event)), Context())))

    return call


def sample_ports(llm: LanguageModel | None = None, source: RepositorySource | None = None) -> Dependencies:
    """Put the sample catalogue in the place of GitHub."""
    github = source or Catalogue.in_memory(sample_records(), title=TITLE)
    return Dependencies(clock=WallClock(), sources={"github": github}, llm=llm)


def github(answer: Callable[[httpx2.Request], httpx2.Response]) -> GitHub:
    """Make the real source over a transport that answers in this process, as without a token."""
    clock, http = WallClock(), HttpClient(httpx2.MockTransport(answer))
    return GitHub(GitHubSettings(), http, ProcessRateLimiter(), clock)


def event(name: str) -> dict[str, Any]:
    """Read one of the committed events."""
    read: dict[str, Any] = json.loads((ROOT / "events" / f"{name}.json").read_text("utf-8"))
    return read
