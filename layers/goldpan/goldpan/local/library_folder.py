"""The libraries of one machine: a file a project, in the folder that the environment names."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from goldpan.contracts.request import SHORT_NAME, ProjectId
from goldpan.counts import first_named
from goldpan.engine.deadlines import Deadline
from goldpan.errors import InvalidRequest, Misconfigured, NotFound
from goldpan.infra.settings import Settings, UserPath, user_folder

DEFAULT_PROJECT = "default"
SUFFIX, DATA_FOLDER = ".sqlite", "goldpan/libraries"
SIDE_FILES = ("", "-wal")
"""What holds the papers: the file, and while an import runs the pages that it has just written."""
NO_PAPERS = "No papers collected yet."
HOW_TO_IMPORT = "`goldpan library import PATH` imports papers.json, JSON Lines, BibTeX or a folder of notes"
_PROJECT: TypeAdapter[str] = TypeAdapter(ProjectId)


class LibrarySettings(Settings):
    """Where the libraries lie: in the folder `GOLDPAN_LIBRARIES`, by default in that of the user's data."""

    goldpan_libraries: UserPath | None = None
    goldpan_library_bucket: str | None = None
    goldpan_cache_table: str | None = None
    xdg_data_home: str | None = None
    home: str | None = None

    def folder(self) -> Path:
        """Return the folder, which need not exist. Raises `Misconfigured` if no variable names one."""
        if self.goldpan_libraries:
            return self.goldpan_libraries
        if data := user_folder(self.xdg_data_home, self.home, ".local/share"):
            return data / DATA_FOLDER
        raise Misconfigured("GOLDPAN_LIBRARIES: is required, because neither XDG_DATA_HOME nor HOME is set")


def library_file(project: str, environment: Mapping[str, str], option: str = "--project") -> Path:
    """Return the file of a project, which need not exist. Raises `InvalidRequest` by the option for a wrong name."""
    try:
        name = _PROJECT.validate_python(project)
    except ValidationError as error:
        raise InvalidRequest(f"{option}: {SHORT_NAME} (given {project[:60]!r})") from error
    return LibrarySettings.from_environment(environment).folder() / f"{name}{SUFFIX}"


def library_files(environment: Mapping[str, str]) -> list[Path]:
    """Return the files of all projects, by name. Raises `Misconfigured` if the folder cannot be read."""
    folder = LibrarySettings.from_environment(environment).folder()
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Misconfigured(f"{folder}: {error.strerror or error}") from error


def require_library(project: str, environment: Mapping[str, str], option: str = "--project") -> Path:
    """Return the file of a project. Raises `NotFound` that names the projects there are, and the command for more."""
    file = library_file(project, environment, option)
    if not file.is_file():
        names = first_named([path.stem for path in library_files(environment)])
        if names:
            raise NotFound(f"{option}: there is no project {project} (there are {names}); {HOW_TO_IMPORT}")
        raise NotFound(f"{NO_PAPERS} The project {project} does not exist; {HOW_TO_IMPORT}")
    return file


class FolderLibraries:
    """The libraries in the folder of an environment; read each time, because an import may be running."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    @contextmanager
    def file(self, project: str, deadline: Deadline | None = None) -> Iterator[Path]:
        """Hand out the file of a project, at once. Raises `NotFound`, with the names of the projects that there are."""
        del deadline
        yield require_library(project, self._environment, "project_id")

    def projects(self) -> list[str]:
        """List the projects by name. Raises `Misconfigured` if the folder cannot be read."""
        return [path.stem for path in library_files(self._environment)]

    def version(self, project: str) -> str | None:
        """Return what changes with every import: the states of the files, which are not opened."""
        file = library_file(project, self._environment)
        states = [_state(file.with_name(file.name + suffix)) for suffix in SIDE_FILES]
        return " ".join(states) if states[0] else None


def _state(path: Path) -> str:
    try:
        state = path.stat()
    except OSError:  # there is none, or opening it says why
        return ""
    return f"{state.st_ino}-{state.st_size}-{state.st_mtime_ns}"
