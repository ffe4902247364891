"""The libraries of one machine: a file a project, in the folder that the environment names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from goldpan.engine.deadlines import Deadline
from goldpan.errors import InvalidRequest
from goldpan.local.library_places import HOW_TO_IMPORT, library_file, library_files

SIDE_FILES = ("", "-wal")
"""What holds the papers: the file, and while an import runs the pages that it has just written."""
MAX_NAMED = 10


class FolderLibraries:
    """The libraries in the folder of an environment; read each time, because an import may be running."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    @contextmanager
    def file(self, project: str, deadline: Deadline | None = None) -> Iterator[Path]:
        """Hand out the file of a project, at once; an import at the same time leaves its readers a whole state.

        Raises `InvalidRequest`, with the names of the projects that there are, if there is none of that name.
        """
        del deadline
        file = self._file(project)
        if not file.is_file():
            names = self.projects()
            there_are = f"there are {', '.join(names[:MAX_NAMED])}" if names else "no papers were collected yet"
            more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
            message = f"project_id: there is no project {project} ({there_are}{more}); {HOW_TO_IMPORT}"
            raise InvalidRequest(message)
        yield file

    def projects(self) -> list[str]:
        """List the projects by name. Raises `Misconfigured` if the folder cannot be read."""
        return [path.stem for path in library_files(self._environment)]

    def version(self, project: str) -> str | None:
        """Return what changes with every import: the states of the files, which are not opened."""
        file = self._file(project)
        states = [_state(file.with_name(file.name + suffix)) for suffix in SIDE_FILES]
        return " ".join(states) if states[0] else None

    def _file(self, project: str) -> Path:
        """Return the file of a project."""
        return library_file(project, self._environment)


def _state(path: Path) -> str:
    try:
        state = path.stat()
    except OSError:  # there is none, or opening it says why
        return ""
    return f"{state.st_ino}-{state.st_size}-{state.st_mtime_ns}"
