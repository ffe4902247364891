"""What a stage stores for a later one of the same search, because no state could carry it."""

import logging
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

from goldpan.engine.dependencies import Dependencies
from goldpan.errors import Misconfigured, Overloaded

KEPT_TTL = timedelta(minutes=6)
"""No search lasts longer, in all of its rounds."""
_LOG = logging.getLogger(__name__)


def keep(text: str, dependencies: Dependencies | None) -> str:
    """Store for a later stage what no state carries, and return its key; "" if nothing can be stored."""
    if dependencies is None or dependencies.cache is None:
        return ""
    key = f"kept:{uuid4().hex}"
    dependencies.cache.write({key: text.encode()}, KEPT_TTL)
    return key


def read_kept(key: str, dependencies: Dependencies | None) -> bytes | None:
    """Return what an earlier stage stored, None if that is lost."""
    found = dependencies.cache.read([key]) if key and dependencies and dependencies.cache else {}
    return found[key].value if key in found else None


def try_dependencies(dependencies: Callable[[], Dependencies]) -> Dependencies | None:
    """Make the dependencies; neither a wrong setting nor a throttled SSM may hide the answer or the error to report."""
    try:
        return dependencies()
    except (Misconfigured, Overloaded) as error:
        _LOG.warning("The answer of this search is not cached: %s", error)
        return None
