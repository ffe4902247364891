"""How callers name a repository: owner/name, or the address of its page, which people paste."""

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

NAME = re.compile(r"(?P<owner>[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38}))/(?P<name>[A-Za-z0-9._-]{1,100})")
"""An owner has at most 39 characters, a repository 100; an enterprise's managed users have an underscore."""
ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?github\.com/", re.IGNORECASE)
MAX_REPO_CHARS = 200
REQUIREMENT = "must be OWNER/NAME, such as pallets/flask, or the address of its page on GitHub"


def without_address(text: object) -> object:
    """Return owner/name for the address of a repository's page."""
    if not isinstance(text, str):
        return text
    found = ADDRESS.match(text.strip())
    if found is None:
        return text.strip()
    parts = text.strip()[found.end() :].partition("?")[0].partition("#")[0].strip("/").split("/")
    return "/".join(parts[:2]).removesuffix(".git")


def require_full_name(text: str) -> str:
    """Return the text if it is owner/name. Raises `ValueError`."""
    if not is_full_name(text):
        raise ValueError(f"{REQUIREMENT}, not {text[:MAX_REPO_CHARS]!r}")
    return text


FullName = Annotated[
    str, Field(max_length=MAX_REPO_CHARS), BeforeValidator(without_address), AfterValidator(require_full_name)
]


def is_full_name(text: str) -> bool:
    """Whether a text can be the full name of a repository."""
    found = NAME.fullmatch(text)
    return found is not None and not set(found["name"]) <= {"."}
