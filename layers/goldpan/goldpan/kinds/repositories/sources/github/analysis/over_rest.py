"""Reads one repository over REST, for a machine without a token: 12 calls of the 60 that GitHub allows in an hour.

Response times of pull requests are not read: their reviews would take a call each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import CallFailed, InvalidRequest, TimedOut, Unavailable
from goldpan.infra.threads import run_parallel
from goldpan.kinds.repositories.analysis.models import RepositoryFacts
from goldpan.kinds.repositories.models import KIND, Repository
from goldpan.kinds.repositories.sources.github.analysis.refusals import BLOCKED, not_found, speaks_to_a_model
from goldpan.kinds.repositories.sources.github.analysis.rest_parts import (
    NOT_FOUND,
    OF_REPOSITORY,
    PAGE,
    PARTS,
    Caller,
    Part,
    object_of,
    read_manifests,
)
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import Facts, Unread, read_facts, text_or_none, validated
from goldpan.kinds.repositories.sources.github.mapping import from_rest

BLOCKED_STATUS = 451
AT_ONCE = 4
NO_TOKEN = "GITHUB_TOKEN is not set: reading the reviews would take a call each"  # noqa: S105
COUNT_NOTE = f"Without a token, releases and contributors are counted up to {PAGE}."
DESCRIBED: Facts = {"has_wiki": "has_wiki", "parent": "parent.full_name"}
WATCHERS: Facts = {"watchers": "subscribers_count"}


def read_rest(client: GitHubClient, full_name: str, deadline: Deadline) -> RepositoryFacts:
    """Read a repository. Raises `InvalidRequest` if there is none, or `CallFailed` if the first call fails."""
    response = client.fetch(f"/repos/{full_name}", {}, deadline, {NOT_FOUND, BLOCKED_STATUS})
    if response.status == NOT_FOUND:
        raise not_found(full_name)
    if response.status == BLOCKED_STATUS:
        raise InvalidRequest(BLOCKED.format(full_name))
    node, unread = object_of(response), Unread()
    repository = from_rest(node, unread)
    caller = Caller(client, f"/repos/{repository.full_name}", deadline)
    found, rows = _read_parts(caller)
    readme = text_or_none(found.pop("readme_text", None))
    own = {name: found.pop(name) for name in list(found) if name.startswith(OF_REPOSITORY)}
    facts = {**dict(repository), **read_facts(node, WATCHERS, unread)}
    facts |= {name.removeprefix(OF_REPOSITORY): value for name, value in own.items()}
    whole = validated(Repository, facts, unread)
    calls = 1 + len(caller.called)
    is_cut = PAGE in {whole.releases, whole.contributors}
    values = {
        **read_facts(node, DESCRIBED, unread),
        **found,
        "repository": whole,
        "readme_speaks_to_a_model": speaks_to_a_model(whole, readme),
        "notes": (*((COUNT_NOTE,) if is_cut else ()), *unread.notes),
        "sources": (_row("repository", f"{calls} calls of the 60 of an hour"), *rows),
        "calls": calls,
    }
    return validated(RepositoryFacts, values, unread)


def _read_parts(caller: Caller) -> tuple[Part, list[SourceStatus]]:
    """Read all parts, several at once, and the manifests that the files name; returns the row of each."""
    names = list(PARTS)
    outcomes = run_parallel(names, lambda name: _outcome(name, partial(PARTS[name], caller)), AT_ONCE, caller.deadline)
    late = TimedOut("no answer before the deadline")
    known = [outcome or ({}, _rows(name).failed(late)) for name, outcome in zip(names, outcomes, strict=True)]
    found = {name: value for part, _ in known for name, value in part.items()}
    manifests, row = _outcome("manifests", lambda: read_manifests(caller, found.get("paths")))
    rows = [*(each for _, each in known), row, _rows("pull request responses").row("skipped", NO_TOKEN)]
    return found | manifests, rows


def _outcome(name: str, read: Callable[[], Part]) -> tuple[Part, SourceStatus]:
    """Return what a part found and its row; one that failed found nothing."""
    try:
        return read(), _row(name)
    except CallFailed as failure:
        return {}, _rows(name).failed(failure)
    except (TypeError, ValueError) as error:
        return {}, _rows(name).failed(Unavailable(f"GitHub's response could not be read ({error})"))


def _row(part: str, detail: str = "") -> SourceStatus:
    return _rows(part).row("ok", detail)


def _rows(part: str) -> StatusRows:
    return StatusRows(KIND, part, "github")
