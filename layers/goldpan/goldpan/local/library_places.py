"""Where the libraries of this machine lie, and what their projects may be called."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from goldpan.contracts import ProjectId
from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.infra.settings import Settings

DEFAULT_PROJECT = "default"
SUFFIX, DATA_FOLDER = ".sqlite", "goldpan/libraries"
INDEX_FILE = Path("index", "papers.json")
"""The index of a data directory, which is searched without an import."""
HOW_TO_IMPORT = "`goldpan library import PATH` imports papers.json, JSON Lines, BibTeX or a folder of notes"
_PROJECT: TypeAdapter[str] = TypeAdapter(ProjectId)


class LibrarySettings(Settings):
    """Where the libraries lie: in the folder `GOLDPAN_LIBRARIES`, by default in that of the user's data."""

    goldpan_libraries: str | None = None
    goldpan_library_bucket: str | None = None
    goldpan_cache_table: str | None = None
    xdg_data_home: str | None = None
    home: str | None = None

    def folder(self) -> Path:
        """Return the folder, which need not exist. Raises `Misconfigured` if no variable names one."""
        if self.goldpan_libraries:
            return Path(self.goldpan_libraries).expanduser()
        if self.xdg_data_home and Path(self.xdg_data_home).is_absolute():  # the XDG specification ignores others
            return Path(self.xdg_data_home, DATA_FOLDER)
        if self.home:
            return Path(self.home, ".local", "share", DATA_FOLDER)
        raise Misconfigured("GOLDPAN_LIBRARIES: is required, because neither XDG_DATA_HOME nor HOME is set")


def library_file(project: str, environment: Mapping[str, str]) -> Path:
    """Return the file of a project, which need not exist. Raises `InvalidRequest` for a wrong name."""
    try:
        name = _PROJECT.validate_python(project)
    except ValidationError as error:
        message = f"--project: must be 1 to 64 of a-z, 0-9 and - (given {project[:60]!r})"
        raise InvalidRequest(message) from error
    return LibrarySettings.from_environment(environment).folder() / f"{name}{SUFFIX}"


def library_files(environment: Mapping[str, str]) -> list[Path]:
    """Return the files of all projects, by name. Raises `Misconfigured` if the folder cannot be read."""
    folder = LibrarySettings.from_environment(environment).folder()
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
