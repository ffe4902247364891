"""Brings a library up to date with files: reads what changed, one transaction a file, and removes what is gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.sources.library.writer import Counts, LibraryWriter

from goldpan_local.library_files.content import digest_of
from goldpan_local.library_files.folder import FoundFiles, origin_of, read_papers
from goldpan_local.library_files.reading import Reading

Report = Callable[[int, int], None]


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


def import_files(found: FoundFiles, writer: LibraryWriter, reading: Reading, report: Report) -> Outcome:
    """Remove the papers of files that are gone, and read the files whose content changed.

    A file that cannot be read keeps its papers of an earlier import, and does not keep the others from being imported.
    """
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
