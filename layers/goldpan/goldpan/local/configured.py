"""What is configured on this machine, and which setting configures what is not; never the value of a setting."""

from collections.abc import Mapping

from goldpan.config import Frozen
from goldpan.infra.settings import EMBEDDINGS, LANGUAGE_MODEL
from goldpan.kinds.registry import all_kinds


class Configured(Frozen):
    """An optional part, whether it is configured, the settings that can do so, and what it is for in a sentence."""

    name: str
    is_configured: bool
    settings: tuple[str, ...]
    purpose: str


def list_configured(environment: Mapping[str, str]) -> list[Configured]:
    """List the optional parts of all kinds, then the language model and the endpoint for embeddings."""
    found = list[Configured]()
    for part in (*(part for kind in all_kinds() for part in kind.connector().optional), LANGUAGE_MODEL, EMBEDDINGS):
        is_set = any(environment.get(name, "").strip() for name in part.settings)
        found.append(Configured(name=part.name, is_configured=is_set, settings=part.settings, purpose=part.purpose))
    return found
