"""Runs `goldpan library import`: reads what changed since the last import, one transaction a file."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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
    unread: set[Path] = field(default_factory=set)
    """The files that could not be read."""
    duplicates: int = 0


def run_import(path: Path, project: str, environment: Mapping[str, str]) -> int:
    """Import a file or a folder, print what changed and which files are gone, and return the exit code.

    A file of a folder that cannot be read is named, and does not keep the others from being imported. Raises
    `InvalidRequest` or `Misconfigured`.
    """
    require_stdout()
    target = library_file(project, environment)
    found, reading = find_files(path), Reading()
    _make_folder(target.parent)
    with _name_failed_library(target), LibraryWriter.open(target) as writer:
        with show_share("Importing") as report:
            outcome = import_files(found, writer, reading, report)
        again = to_import_again(writer)
    if found.root.is_file() and outcome.failed:
        raise InvalidRequest(outcome.failed[0])
    _note([*_shortened(outcome.failed, "files not imported"), *reading.notes(), *_further_notes(outcome, again)])
    summary = f"{project}: {_described(outcome, reading.skipped)}; {file_size(target.stat().st_size)}"
    gone = [f"gone: {origin}" for origin in outcome.gone]
    write_stdout("".join(f"{plain(line)}\n" for line in [summary, *_shortened(gone, "files")]))
    return INVALID_INPUT if outcome.failed else SUCCESS


def import_files(found: Found, writer: LibraryWriter, reading: Reading, report: Report) -> Outcome:
    """Remove the papers of files that are gone, and read the files whose content changed."""
    outcome = Outcome(failed=[f"{error.filename}: {error.strerror}" for error in found.unread])
    present = {origin_of(path): path for path in found.files}
    for origin in writer.origins():
        if origin not in present and found.has_left(origin):
            outcome.counts += writer.remove_origin(origin)
            outcome.gone.append(origin)
    _import_changed(found.files, writer, reading, outcome, report)
    # A paper that left a file may stand in another one, whose own copy was replaced by it.
    hidden = [present[origin] for origin in to_import_again(writer) if origin in present]
    _import_changed([path for path in hidden if path not in outcome.unread], writer, reading, outcome, report)
    return outcome


def to_import_again(writer: LibraryWriter) -> list[str]:
    """Return the origins that may have papers which another origin replaced and no longer has."""
    return [origin for origin, digest in writer.origins().items() if not digest]


def _import_changed(
    files: Sequence[Path], writer: LibraryWriter, reading: Reading, outcome: Outcome, report: Report
) -> None:
    """Read the files whose content is not what the library has."""
    known, sizes = writer.origins(), [_size(path) for path in files]
    done, total = 0, sum(sizes)
    for path, size in zip(files, sizes, strict=True):
        reading.on_position = _further(report, done, total)
        try:
            _import_file(path, writer, reading, outcome, known)
        except InvalidRequest as error:
            outcome.failed.append(str(error))
            outcome.unread.add(path)
        done += size
        report(done, total)


def _import_file(
    path: Path, writer: LibraryWriter, reading: Reading, outcome: Outcome, known: Mapping[str, str]
) -> None:
    origin, digest, before = origin_of(path), digest_of(path), reading.papers
    if known.get(origin) == digest:
        outcome.unchanged += 1
        return
    counts = writer.replace_origin(origin, digest, read_papers(path, reading))
    outcome.duplicates += reading.papers - before - counts.added - counts.changed - counts.unchanged
    outcome.counts += counts
    outcome.read += 1


def _further(report: Report, done: int, total: int) -> Callable[[int], None]:
    return lambda position: report(done + position, total)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # reading it says why
        return 0


@contextmanager
def _name_failed_library(target: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        message = f"{target}: cannot be written: {error}"
        raise Misconfigured(message) from error


def _further_notes(outcome: Outcome, again: Iterable[str]) -> Iterator[str]:
    if outcome.duplicates:
        yield f"duplicates left out: {outcome.duplicates:,}; of papers of a file with the same id the last one counts"
    for origin in again:
        yield f"{origin}: has papers that other files had too; `goldpan library import` of it restores them"


def _make_folder(folder: Path) -> None:
    """Make the folder of the libraries, for its owner only."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        message = f"{folder}: {error.strerror or error}"
        raise Misconfigured(message) from error


def _described(outcome: Outcome, skipped: int) -> str:
    """Describe what changed in a line: "2 papers added, 1 removed; 3 files read, 40 unchanged"."""
    counts = outcome.counts
    papers = {
        "added": counts.added,
        "changed": counts.changed,
        "removed": counts.removed,
        "as before": counts.unchanged,
    }
    changes = [f"{count:,} {what}" for what, count in papers.items() if count]
    if changes:
        number, _, what = changes[0].partition(" ")
        changes[0] = f"{_counted(number, 'paper')} {what}"
    files = [f"{_counted(f'{outcome.read:,}', 'file')} read"]
    files += [f"{outcome.unchanged:,} unchanged"] if outcome.unchanged else []
    left_out = [f"{_counted(f'{skipped:,}', 'record')} left out"] if skipped else []
    return "; ".join([", ".join(changes) or "no papers changed", ", ".join(files), *left_out])


def _counted(number: str, what: str) -> str:
    return f"{number} {what}" if number == "1" else f"{number} {what}s"


def _shortened(lines: list[str], what: str) -> Iterable[str]:
    more = len(lines) - MAX_NAMED
    return [*lines[:MAX_NAMED], *([f"and {more:,} more {what}"] if more > 0 else [])]


def _note(notes: Iterable[str]) -> None:
    if sys.stderr is not None:
        sys.stderr.write("".join(f"goldpan: {plain(note)}\n" for note in notes))
