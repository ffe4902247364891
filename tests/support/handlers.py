"""The real handlers, loaded from their files as Lambda does, with dependencies of the test's own."""

import json
import logging
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from goldpan.aws.container import Container
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies
from goldpan.infra.llm.port import LanguageModel
from goldpan.kinds.repositories.ports import RepositorySource
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan.local.bootstrap import sample_catalogue

from tests.support.lambda_service import Context

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = ("query_translator", "scout", "screener")
HANDLERS = {
    "begin": "query_translator", "translate": "query_translator", "scout": "scout",
    "shortlist": "screener", "score": "screener", "rank": "screener", "assemble": "screener",
}  # fmt: skip
"""The function that runs each stage."""
Call = Callable[[Mapping[str, Any]], Any]


def load_function(name: str) -> ModuleType:
    """Load the module of a function."""
    spec = spec_from_file_location(f"function_{name}", ROOT / "functions" / name / "app.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(name)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fixed_container(dependencies: Dependencies) -> Container:
    """Make a container of these dependencies."""
    return Container(lambda _: dependencies)


def handler(function: str, dependencies: Dependencies) -> Call:
    """Return a handler with these dependencies; its event and its result are JSON, as between Lambda and its caller."""
    module = load_function(function)
    module.CONTAINER = fixed_container(dependencies)  # type: ignore[attr-defined]

    def call(event: Mapping[str, Any]) -> Any:
        return json.loads(json.dumps(module.handler(json.loads(json.dumps(event)), Context())))

    return call


def event(name: str) -> dict[str, Any]:
    """Read one of the committed events."""
    read: dict[str, Any] = json.loads((ROOT / "events" / f"{name}.json").read_text("utf-8"))
    return read


@cache
def _sample() -> Catalogue:
    return sample_catalogue()


def sample_dependencies(llm: LanguageModel | None = None, github: RepositorySource | None = None) -> Dependencies:
    """Make dependencies whose GitHub is the sample catalogue, unless another source is given."""
    return Dependencies(WallClock(), {"github": github or _sample()}, llm)


def reset_loggers() -> None:
    """Let Powertools make its logger anew: it keeps the stream that it first saw, which is closed after a test."""
    for name in ("service_undefined", "goldpan"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.setLevel(logging.NOTSET)
        for mark in ("init", "powertools_handler"):
            logger.__dict__.pop(mark, None)
