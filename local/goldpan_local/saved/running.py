"""Saves a search, and runs it with an entry in its log."""

from __future__ import annotations

from collections.abc import Mapping

from goldpan.contracts import SearchRequest
from goldpan.engine.deadlines import WallClock
from goldpan.errors import GoldpanError, InvalidRequest
from goldpan.kinds.answer import Answer

from goldpan_local.answering import answer_request
from goldpan_local.exit_codes import write_notes
from goldpan_local.saved.folder import SavedFolder, SavedSearch
from goldpan_local.saved.log import Run, append_run, run_of, written
from goldpan_local.search_options import SearchOptions

NOW: SearchOptions = {"refresh": True, "revalidate": True}
"""A run shows what is there now: it uses neither cached answers nor cached source data."""


def save_and_search(request: SearchRequest, given: SearchOptions, environment: Mapping[str, str]) -> Answer:
    """Save a search and run it for the first time. Raises `GoldpanError`."""
    folder, name = SavedFolder.of(environment), given["save"]
    catalogue = given["catalogue"].resolve() if "catalogue" in given else None
    search = SavedSearch(saved_at=WallClock().now(), request=written(request), catalogue=catalogue)
    found = folder.find(name)
    if found is not None and (found.request, found.catalogue) != (search.request, search.catalogue):
        message = f"--save: {name} names another search already; `goldpan saved remove {name}` removes it"
        raise InvalidRequest(message)
    if found is None:
        folder.write(name, search)
    answer = run_and_log(folder, name, request, {**given, **NOW}, environment)
    write_notes([f"saved as {name}; `goldpan saved run {name}` shows what is new since now"])
    return answer


def run_and_log(
    folder: SavedFolder, name: str, request: SearchRequest, given: SearchOptions, environment: Mapping[str, str]
) -> Answer:
    """Search and log the run, also one that fails. Raises `GoldpanError`."""
    try:
        answer = answer_request(request, given, environment)
    except GoldpanError as error:
        failed = Run(at=WallClock().now(), request=written(request), error=str(error))
        append_run(folder.log(name), failed)
        raise
    append_run(folder.log(name), run_of(request, answer))
    return answer
