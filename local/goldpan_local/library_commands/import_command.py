"""Runs `goldpan library import`: reads what changed since the last import, one transaction a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.kinds.papers.sources.library.writer import Counts, LibraryWriter

from goldpan_local.escaping import plain
from goldpan_local.exit_codes import INVALID_INPUT, SUCCESS, require_stdout, write_stdout
from goldpan_local.formatting import file_size
from goldpan_local.library_commands.places import library_file
from goldpan_local.library_files.content import digest_of
from goldpan_local.library_files.folder import Found, find_files, origin_of, read_papers
from goldpan_local.library_files.reading import Reading
from goldpan_local.progress import show_share

Report = Callable[[int, int], None]
MAX_NAMED = 10
"""Files that are gone, or could not be read, that are named."""


@dataclass
class Outcome:
    """What an import did: its papers, the files that it read and that are gone, and those that it could not read."""

    counts: Counts = field(default_factory=Counts)
    read: int = 0
    unchanged: int = 0
    gone: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def run_import(path: Path, project: str, environment: Mapping[str, str]) -> int:
    """Import a file or a folder, print what changed, and return the exit code.

    A file of a folder that cannot be read is named, and does not keep the others from being imported. Raises
    `InvalidRequest` or `Misconfigured`.
    """
    require_stdout()
    target = library_file(project, environment)
    found, reading = find_files(path), Reading()
    _make_folder(target.parent)
    with LibraryWriter.open(target) as writer, show_share("Importing") as report:
        outcome = import_files(found, writer, reading, report)
    if found.root.is_file() and outcome.failed:
        raise InvalidRequest(outcome.failed[0])
    _note([*_shortened(outcome.failed, "files not imported"), *reading.notes()])
    write_stdout(f"{project}: {_described(outcome)}; {file_size(target.stat().st_size)}\n")
    return INVALID_INPUT if outcome.failed else SUCCESS


def import_files(found: Found, writer: LibraryWriter, reading: Reading, report: Report) -> Outcome:
    """Read the files whose content changed, and remove the papers of those that are gone."""
    outcome, known = Outcome(), writer.origins()
    outcome.failed += [f"{error.filename}: {error.strerror}" for error in found.unread]
    sizes = [_size(path) for path in found.files]
    done, total = 0, sum(sizes)
    for path, size in zip(found.files, sizes, strict=True):
        reading.on_position = _further(report, done, total)
        try:
            _import_file(path, writer, reading, outcome, known)
        except InvalidRequest as error:
            outcome.failed.append(str(error))
        done += size
        report(done, total)
    present = {origin_of(path) for path in found.files}
    for origin in sorted(origin for origin in known if origin not in present and found.has_left(origin)):
        outcome.counts += writer.remove_origin(origin)
        outcome.gone.append(origin)
    return outcome


def _import_file(
    path: Path, writer: LibraryWriter, reading: Reading, outcome: Outcome, known: Mapping[str, str]
) -> None:
    origin, digest = origin_of(path), digest_of(path)
    if known.get(origin) == digest:
        outcome.unchanged += 1
        return
    outcome.counts += writer.replace_origin(origin, digest, read_papers(path, reading))
    outcome.read += 1


def _further(report: Report, done: int, total: int) -> Callable[[int], None]:
    return lambda position: report(done + position, total)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # reading it says why
        return 0


def _make_folder(folder: Path) -> None:
    """Make the folder of the libraries, for its owner only."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        message = f"{folder}: {error.strerror or error}"
        raise Misconfigured(message) from error


def _described(outcome: Outcome) -> str:
    counts = outcome.counts
    papers = ", ".join(
        f"{count:,} {what}"
        for count, what in (
            (counts.added, "added"),
            (counts.changed, "changed"),
            (counts.removed, "removed"),
            (counts.unchanged, "as before"),
        )
        if count
    )
    files = [f"{outcome.read:,} {_files(outcome.read)} read"]
    files += [f"{outcome.unchanged:,} unchanged"] if outcome.unchanged else []
    lines = [f"papers: {papers or 'nothing changed'}; {', '.join(files)}"]
    return "; ".join([*lines, *(f"gone: {plain(each)}" for each in _shortened(outcome.gone, "files"))])


def _shortened(lines: list[str], what: str) -> Iterable[str]:
    more = len(lines) - MAX_NAMED
    return [*lines[:MAX_NAMED], *([f"and {more:,} more {what}"] if more > 0 else [])]


def _files(count: int) -> str:
    return "file" if count == 1 else "files"


def _note(notes: Iterable[str]) -> None:
    if sys.stderr is not None:
        sys.stderr.write("".join(f"goldpan: {plain(note)}\n" for note in notes))
