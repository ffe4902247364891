"""Saved searches and their runs: NAME.json is the request of a search, NAME.jsonl the log of its runs.

Only their owner can read these files, because they hold questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from goldpan.config import Frozen
from goldpan.contracts.request import SHORT_NAME, SearchRequest
from goldpan.engine.deadlines import WallClock
from goldpan.errors import GoldpanError, InvalidRequest, Misconfigured
from goldpan.infra.settings import user_folder
from goldpan.kinds.answer import Answer
from pydantic import JsonValue, ValidationError

from goldpan_local.exit_codes import write_notes
from goldpan_local.files import named_in_errors, write_whole
from goldpan_local.last_search import answer_request
from goldpan_local.option_values import MAX_QUOTED
from goldpan_local.saved.log import Run, append_run, read_runs, run_of, written
from goldpan_local.search_options import SearchOptions

FOLDER = "goldpan/saved"
NAME = re.compile(r"[a-z0-9-]{1,64}")
NOW: SearchOptions = {"refresh": True, "revalidate": True, "all": False}
"""A run shows the page of its request as it is now: it uses neither cached answers nor cached source data."""


class SavedSearch(Frozen):
    """A saved search: the request without its defaults, and the catalogue file, if it names one."""

    saved_at: datetime
    request: dict[str, JsonValue]
    catalogue: Path | None = None

    @property
    def question(self) -> str:
        """The question of the request."""
        return str(self.request.get("query", ""))


class SavedFolder:
    """The user's folder of saved searches, which need not exist. Making it raises `Misconfigured` without a home."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        data = user_folder(environment.get("XDG_DATA_HOME"), environment.get("HOME"), ".local/share")
        if data is None:
            raise Misconfigured("XDG_DATA_HOME: set it, or HOME: there is no folder for saved searches")
        self.path = data / FOLDER

    def names(self) -> list[str]:
        """Return the names of the saved searches, in order."""
        files = self.path.iterdir() if self.path.exists() else ()  # glob passes over a folder that cannot be read
        return sorted(path.stem for path in files if path.suffix == ".json" and NAME.fullmatch(path.stem))

    def searches(self) -> Iterator[tuple[str, SavedSearch, list[Run]]]:
        """Yield the saved searches with their runs; one that cannot be read is named on stderr."""
        for name in self.names():
            try:
                yield name, self.read(name), read_runs(self.log(name))
            except GoldpanError as error:
                write_notes([str(error)])

    def log(self, name: str) -> Path:
        """Return the path of the log of a search. Raises `InvalidRequest` for a name that is not allowed."""
        return self._file(name).with_suffix(".jsonl")

    def find(self, name: str, option: str = "NAME") -> SavedSearch | None:
        """Return a saved search, None if there is none. Raises `InvalidRequest` by the option, and `Misconfigured`."""
        path = self._file(name, option)
        try:
            with named_in_errors(path):
                return SavedSearch.model_validate_json(path.read_bytes()) if path.exists() else None
        except ValidationError as error:
            raise Misconfigured(f"{path}: damaged; `goldpan saved remove {name}` removes it") from error

    def read(self, name: str) -> SavedSearch:
        """Return a saved search. Raises `InvalidRequest` with the names that exist."""
        found = self.find(name)
        if found is None:
            known = ", ".join(self.names()) or "none; `goldpan search QUESTION --save NAME` saves one"
            raise InvalidRequest(f"NAME: there is no saved search {name!r} (there are: {known})")
        return found

    def write(self, name: str, search: SavedSearch) -> None:
        """Write a search. Raises `Misconfigured`."""
        write_whole(search.model_dump_json(indent=2) + "\n", self._file(name), private=True)

    def remove(self, name: str) -> None:
        """Remove a search, damaged or not, and its log. Raises `InvalidRequest` if unknown."""
        path = self._file(name)
        if not path.exists():
            self.read(name)
        path.unlink()
        self.log(name).unlink(missing_ok=True)

    def _file(self, name: str, option: str = "NAME") -> Path:
        if not NAME.fullmatch(name):
            raise InvalidRequest(f"{option}: {SHORT_NAME} (given {name[:MAX_QUOTED]!r})")
        return self.path / f"{name}.json"


def save_and_search(request: SearchRequest, given: SearchOptions, environment: Mapping[str, str]) -> Answer:
    """Save a search and run it for the first time. Raises `GoldpanError`."""
    folder, name = SavedFolder(environment), given["save"]
    catalogue = given["catalogue"].resolve() if "catalogue" in given else None
    search = SavedSearch(saved_at=WallClock().now(), request=written(request), catalogue=catalogue)
    found = folder.find(name, "--save")
    if found is not None and (found.request, found.catalogue) != (search.request, search.catalogue):
        raise InvalidRequest(f"--save: {name} names another search already; `goldpan saved remove {name}` removes it")
    if found is None:
        folder.write(name, search)
    try:
        return run_and_log(folder, name, request, {**given, **NOW}, environment)[0]
    finally:
        write_notes([f"saved as {name}; `goldpan saved run {name}` shows what is new since now"])


def run_and_log(
    folder: SavedFolder, name: str, request: SearchRequest, given: SearchOptions, environment: Mapping[str, str]
) -> tuple[Answer, Run]:
    """Search and log the run, also one that fails. Raises `GoldpanError`."""
    try:
        answer = answer_request(request, given, environment)
    except GoldpanError as error:
        append_run(folder.log(name), Run(at=WallClock().now(), request=written(request), error=str(error)))
        raise
    run = run_of(request, answer)
    append_run(folder.log(name), run)
    return answer, run
