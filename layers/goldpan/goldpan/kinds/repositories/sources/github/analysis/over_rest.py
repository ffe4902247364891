"""Reads one repository over REST, for a machine without a token: 12 calls of the 60 that GitHub allows in an hour.

Response times of pull requests are not read: their reviews would take a call each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
    PAGE,
    PARTS,
    Caller,
    Facts,
    object_of,
    read_manifests,
)
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.facts import Node, Unread, at, count_at, read_facts
from goldpan.kinds.repositories.sources.github.mapping import from_rest

BLOCKED_STATUS = 451
AT_ONCE = 4
NO_TOKEN = "GITHUB_TOKEN is not set: reading the reviews would take a call each"  # noqa: S105


def read_rest(client: GitHubClient, full_name: str, deadline: Deadline) -> RepositoryFacts:
    """Read a repository. Raises `InvalidRequest` if there is none, or `CallFailed` if the first call fails."""
    node, unread = _described(client, full_name, deadline), Unread()
    repository = from_rest(node, unread)
    caller = Caller(client, f"/repos/{repository.full_name}", deadline)
    found, rows = _parts(caller)
    watchers = read_facts(node, {"watchers": count_at("subscribers_count")}, unread)
    whole = repository.model_copy(update={**watchers, **found.pop("repository", {})})
    text = found.pop("readme_text", None)
    calls = 1 + len(caller.called)
    return RepositoryFacts(
        repository=whole,
        parent=_parent(node),
        has_wiki=_flag(node.get("has_wiki")),
        readme_speaks_to_a_model=speaks_to_a_model(whole, (text,)),
        notes=(*_notes(whole), *unread.notes),
        sources=(_rows("repository").row("ok", f"{calls} calls of the 60 of an hour"), *rows),
        calls=calls,
        **found,
    )


def _described(client: GitHubClient, full_name: str, deadline: Deadline) -> Node:
    response = client.fetch(f"/repos/{full_name}", {}, deadline, {NOT_FOUND, BLOCKED_STATUS})
    if response.status == NOT_FOUND:
        raise not_found(full_name)
    if response.status == BLOCKED_STATUS:
        raise InvalidRequest(BLOCKED.format(full_name))
    return object_of(response)


def _parts(caller: Caller) -> tuple[Facts, list[SourceStatus]]:
    """Read all parts, several at once, and the manifests that the files name; returns the row of each."""
    reads = {name: partial(read, caller) for name, read in PARTS.items()}
    outcomes = run_parallel(list(reads), lambda name: _outcome(name, reads[name]), AT_ONCE, caller.deadline)
    late = [(Facts(), _failed(name, TimedOut("no answer before the deadline"))) for name in reads]
    known = [outcome or missing for outcome, missing in zip(outcomes, late, strict=True)]
    found = _merged(facts for facts, _ in known)
    manifests, row = _outcome("manifests", lambda: read_manifests(caller, found.get("paths")))
    rows = [*(each for _, each in known), row, _rows("pull request responses").row("skipped", NO_TOKEN)]
    return _merged((found, manifests)), rows


def _merged(parts: Iterable[Facts]) -> Facts:
    """Join what the parts found; several of them know facts of the repository itself."""
    joined, repository = Facts(), Facts()
    for part in parts:
        repository |= part.get("repository", {})
        joined |= part
    return {**joined, "repository": repository}


def _notes(repository: Repository) -> Iterator[str]:
    if PAGE in {repository.releases, repository.contributors}:
        yield f"Without a token, releases and contributors are counted up to {PAGE}."


def _outcome(name: str, read: Callable[[], Facts]) -> tuple[Facts, SourceStatus]:
    """Return what a part found and its row; one that failed found nothing."""
    try:
        return read(), _ok(name)
    except CallFailed as failure:
        return {}, _failed(name, failure)
    except (TypeError, ValueError) as error:
        return {}, _failed(name, Unavailable(f"GitHub's response could not be read ({error})"))


def _rows(part: str) -> StatusRows:
    return StatusRows(KIND, part, "github")


def _ok(part: str) -> SourceStatus:
    return _rows(part).row("ok", "")


def _failed(part: str, failure: CallFailed) -> SourceStatus:
    return _rows(part).failed(failure)


def _parent(node: Node) -> str | None:
    name = at("parent", "full_name")(node) if isinstance(node.get("parent"), dict) else None
    return name if isinstance(name, str) else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None
