"""What a stage stores for a later one of the same search, because no state could carry it."""

from datetime import timedelta
from uuid import uuid4

from goldpan.engine.dependencies import Dependencies

KEPT_TTL = timedelta(minutes=6)
"""No search lasts longer, in all of its rounds."""


def keep(text: str, dependencies: Dependencies) -> str:
    """Store for a later stage what no state carries, and return its key; "" if nothing can be stored."""
    if dependencies.cache is None:
        return ""
    key = f"kept:{uuid4().hex}"
    dependencies.cache.write({key: text.encode()}, KEPT_TTL)
    return key


def read_kept(key: str, dependencies: Dependencies) -> bytes | None:
    """Return what an earlier stage stored, None if that is lost."""
    found = dependencies.cache.read([key], latest=True) if key and dependencies.cache else {}
    return found[key].value if key in found else None
