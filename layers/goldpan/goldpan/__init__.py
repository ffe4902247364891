"""goldpan: a plain-language question becomes a ranked, explained list of repositories."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from goldpan.kinds import registry as registry
from goldpan.version import __version__ as __version__

if TYPE_CHECKING:
    from goldpan_local.library import analyze_repository as analyze_repository
    from goldpan_local.library import compare as compare
    from goldpan_local.library import dedupe as dedupe
    from goldpan_local.library import execute_search_pipeline as execute_search_pipeline
    from goldpan_local.library import like as like
    from goldpan_local.library import open_catalogue as open_catalogue
    from goldpan_local.library import open_runtime as open_runtime
    from goldpan_local.library import search as search
    from goldpan_local.library import stream_search as stream_search
    from goldpan_local.orchestrator import SearchOrchestrator as SearchOrchestrator
    from goldpan_local.orchestrator import retrieve_chunks as retrieve_chunks
    from goldpan_local.orchestrator import search_library as search_library
    from goldpan_local.search_cache import search_cache as search_cache

__all__ = [
    "SearchOrchestrator",
    "analyze_repository",
    "compare",
    "dedupe",
    "execute_search_pipeline",
    "like",
    "open_catalogue",
    "open_runtime",
    "retrieve_chunks",
    "search",
    "search_cache",
    "search_library",
    "stream_search",
]

_MODULES = {
    "SearchOrchestrator": "orchestrator",
    "retrieve_chunks": "orchestrator",
    "search_library": "orchestrator",
    "search_cache": "search_cache",
}
"""Where an entry point is that is not in the module of the others."""


def __getattr__(name: str) -> object:
    """Import an entry point at its first use, so that `import goldpan` costs nothing."""
    if name not in __all__:
        message = f"module 'goldpan' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"goldpan_local.{_MODULES.get(name, 'library')}"), name)


def __dir__() -> list[str]:
    """List the entry points too, though none is imported yet."""
    return sorted({*globals(), *__all__})
