"""Where libraries lie: a folder on one machine, a bucket on AWS."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from goldpan.engine.deadlines import Deadline


class Libraries(Protocol):
    """The projects of a user, each with one index file that is only read here."""

    def file(self, project: str, deadline: Deadline | None = None) -> AbstractContextManager[Path]:
        """Hand out the current file of a project, which stays unchanged while the context is open.

        A file that is elsewhere is read until the deadline; None for as long as its place allows by itself.
        Raises `InvalidRequest`, with the names of the projects that there are, if there is none of that name, and
        `CallFailed` if the place of the files cannot be reached, or the file cannot be read before the deadline.
        """

    def projects(self) -> list[str]:
        """List the projects by name."""

    def version(self, project: str) -> str | None:
        """Return what changes with every import or push, None if there is no such project; it is cheap to ask."""
