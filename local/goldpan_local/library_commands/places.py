"""Where the libraries of this machine lie, and what their projects may be called."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.kinds.papers.sources.library.models import ProjectId
from pydantic import TypeAdapter, ValidationError

DEFAULT_PROJECT = "default"
SUFFIX = ".sqlite"
INDEX_FILE = Path("index", "papers.json")
"""The index of a data directory, which is searched without an import."""
HOW_TO_IMPORT = "`goldpan library import PATH` imports papers.json, JSON Lines, BibTeX or a folder of notes"
_PROJECT: TypeAdapter[str] = TypeAdapter(ProjectId)


def libraries_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder of the libraries, which need not exist. Raises `Misconfigured` if no variable names one."""
    if own := environment.get("GOLDPAN_LIBRARIES"):
        return Path(own)
    data = Path(environment.get("XDG_DATA_HOME", ""))
    if data.is_absolute():  # the XDG Base Directory Specification ignores others
        return data / "goldpan" / "libraries"
    if home := environment.get("HOME"):
        return Path(home, ".local", "share", "goldpan", "libraries")
    raise Misconfigured("GOLDPAN_LIBRARIES: is required, because neither XDG_DATA_HOME nor HOME is set")


def library_file(project: str, environment: Mapping[str, str]) -> Path:
    """Return the file of a project, which need not exist. Raises `InvalidRequest` for a wrong name."""
    try:
        name = _PROJECT.validate_python(project)
    except ValidationError as error:
        message = f"--project: must be 1 to 64 of a-z, 0-9 and - (given {project[:60]!r})"
        raise InvalidRequest(message) from error
    return libraries_folder(environment) / f"{name}{SUFFIX}"


def library_files(environment: Mapping[str, str]) -> list[Path]:
    """Return the files of all projects, by name. Raises `Misconfigured` if the folder cannot be read."""
    folder = libraries_folder(environment)
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file())
    except FileNotFoundError:
        return []
    except OSError as error:
        message = f"{folder}: {error.strerror or error}"
        raise Misconfigured(message) from error


def require_library(project: str, environment: Mapping[str, str]) -> Path:
    """Return the file of a project. Raises `InvalidRequest` that names the command which makes it."""
    file = library_file(project, environment)
    if not file.exists():
        names = ", ".join(path.stem for path in library_files(environment)[:10])
        others = f" (there are: {names})" if names else ""
        message = f"No papers collected yet. The project {project} does not exist{others}; {HOW_TO_IMPORT}"
        raise InvalidRequest(message)
    return file
