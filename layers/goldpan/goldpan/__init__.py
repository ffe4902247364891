"""goldpan: a plain-language question becomes a ranked, explained list of repositories, papers or both."""

from importlib import import_module
from typing import TYPE_CHECKING

from goldpan.kinds import registry as registry  # fills the table of kinds
from goldpan.version import __version__ as __version__

if TYPE_CHECKING:
    from goldpan.contracts import SearchRequest as SearchRequest
    from goldpan.kinds.answer import Answer as Answer
    from goldpan.local.asynchronous import asearch as asearch
    from goldpan.local.asynchronous import astream_search as astream_search
    from goldpan.local.entry_points import analyze_repository as analyze_repository
    from goldpan.local.entry_points import compare as compare
    from goldpan.local.entry_points import dedupe as dedupe
    from goldpan.local.entry_points import execute_search_pipeline as execute_search_pipeline
    from goldpan.local.entry_points import like as like
    from goldpan.local.entry_points import open_catalogue as open_catalogue
    from goldpan.local.entry_points import open_runtime as open_runtime
    from goldpan.local.entry_points import search as search
    from goldpan.local.entry_points import stream_search as stream_search
    from goldpan.local.orchestrator import SearchOrchestrator as SearchOrchestrator
    from goldpan.local.search_cache import search_cache as search_cache

_NAMES = {
    "contracts": "SearchRequest",
    "kinds.answer": "Answer",
    "local.asynchronous": "asearch astream_search",
    "local.entry_points": (
        "analyze_repository compare dedupe execute_search_pipeline like open_catalogue open_runtime search "
        "stream_search"
    ),
    "local.orchestrator": "SearchOrchestrator",
    "local.search_cache": "search_cache",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The public names and their modules."""
__all__ = list(_MODULES)


def __getattr__(name: str) -> object:
    """Import a public name at its first use, so that `import goldpan` costs nothing."""
    if name not in _MODULES:
        raise AttributeError(f"module 'goldpan' has no attribute {name!r}")
    return getattr(import_module(f"goldpan.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names too, though none is imported yet."""
    return sorted({*globals(), *_MODULES})
