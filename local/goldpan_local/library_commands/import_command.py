"""`goldpan library import`: brings a project up to date with files, a transaction for each, and prints what changed."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from goldpan.counts import MAX_NAMED, counted, first_named
from goldpan.errors import InvalidRequest
from goldpan.escaping import plain
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.sources.library.writer import Counts, LibraryWriter
from goldpan.local.library_folder import library_file
from rich import filesize

from goldpan_local.exit_codes import INVALID_INPUT, SUCCESS, write_notes, write_stdout
from goldpan_local.files import digest_of
from goldpan_local.lazy_group import command
from goldpan_local.library_commands.libraries import encode_new_papers
from goldpan_local.library_files.folder import FoundFiles, find_files, origin_of, read_papers
from goldpan_local.library_files.records import Reading
from goldpan_local.option_values import Project
from goldpan_local.progress import show_share

Report = Callable[[int, int], None]
SAID = {"added": "added", "changed": "changed", "removed": "removed", "unchanged": "as before"}


@dataclass
class Outcome:
    """What an import did: its papers, the files that it read and that are gone, and those that it could not read."""

    counts: Counts = field(default_factory=Counts)
    files: Counts = field(default_factory=Counts)
    """How many were read, and how many are unchanged."""
    gone: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """What could not be read, and why."""


def import_files(found: FoundFiles, writer: LibraryWriter, reading: Reading, report: Report) -> Outcome:
    """Remove the papers of files that are gone, and read what changed; a file that cannot be read keeps its papers."""
    outcome = Outcome(failed={error.filename: f"{error.filename}: {error.strerror}" for error in found.unread})
    present = {origin_of(path): path for path in found.files}
    for origin in writer.origins():
        if origin not in present and found.has_left(origin):
            outcome.counts += writer.remove_origin(origin)
            outcome.gone.append(origin)
    _import_changed(found.files, writer, reading, outcome, report)
    # A paper that left a file may stand in another one, whose own copy was replaced by it.
    hidden = [present[origin] for origin in to_import_again(writer) if origin in present]
    _import_changed([path for path in hidden if str(path) not in outcome.failed], writer, reading, outcome, report)
    return outcome


def to_import_again(writer: LibraryWriter) -> list[str]:
    """Return the origins that may have papers which another origin replaced and no longer has."""
    return [origin for origin, digest in writer.origins().items() if not digest]


def _import_changed(
    files: Sequence[Path], writer: LibraryWriter, reading: Reading, outcome: Outcome, report: Report
) -> None:
    """Read the files whose content is not what the library has."""
    known = writer.origins()
    sizes = [path.stat().st_size if os.access(path, os.R_OK) else 0 for path in files]  # reading the others says why
    done, total = 0, sum(sizes)
    for path, size in zip(files, sizes, strict=True):
        reading.on_position = partial(lambda before, position: report(before + position, total), done)
        try:
            origin, digest = origin_of(path), digest_of(path)
            is_known = known.get(origin) == digest
            if not is_known:
                outcome.counts += writer.replace_origin(origin, digest, read_papers(path, reading))
            outcome.files["unchanged" if is_known else "read"] += 1
        except InvalidRequest as error:
            outcome.failed[str(path)] = str(error)
        done += size
        report(done, total)


@command("import", epilog="Example: goldpan library import ~/papers --project thesis")
def import_path(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="An index such as papers.json, references, a PDF, a note (.md, .txt), or a folder of these.",
        ),
    ],
    project: Project = "default",
) -> int:
    """Import PATH into a project; again, to read what changed since.

    The name of a file determines its format: .json, .jsonl, .ndjson, .bib, .bibtex, .ris, .nbib, .xml (of EndNote),
    .csv (as of Zotero), .pdf, .md, .markdown, .txt, also with .gz. The papers of a file that is gone from a folder are
    removed.
    """
    target = library_file(project, os.environ)
    found, reading = find_files(path), Reading()
    with LibraryWriter.open(target) as writer:
        with show_share("Importing") as report:
            outcome = import_files(found, writer, reading, report)
        if outcome.failed and found.files == [found.root]:
            raise InvalidRequest(*outcome.failed.values())
        further = [*_further_notes(outcome, writer), *encode_new_papers(writer, os.environ)]
    left_out = [f"{path}: {note}" for note in found.notes()]
    write_notes([*_shortened([*outcome.failed.values()], "files not imported"), *reading.notes(), *left_out, *further])
    size = filesize.decimal(target.stat().st_size)
    summary = f"{project}: {_described(outcome, reading.skipped)}; {size}"
    gone = [f"gone: {origin}" for origin in outcome.gone]
    write_stdout("".join(f"{plain(line)}\n" for line in [summary, *_shortened(gone, "files")]))
    is_all_wrong = bool(reading.skipped) and not outcome.counts.total()
    return INVALID_INPUT if outcome.failed or is_all_wrong else SUCCESS


def _further_notes(outcome: Outcome, writer: LibraryWriter) -> Iterator[str]:
    if duplicates := outcome.counts["duplicates"]:
        yield f"duplicates left out: {duplicates:,}; of papers of a file with the same id the last one counts"
    if writer.replaced:
        yield f"ids that papers of several files have, of which the last one counts: {first_named([*writer.replaced])}"
    for origin in to_import_again(writer):
        yield f"{origin}: has papers that other files had too; `goldpan library import` of it restores them"


def _described(outcome: Outcome, skipped: int) -> str:
    """Describe what changed in a line: "2 papers added, 1 removed; 3 files read, 40 unchanged"."""
    known = [(count, said) for name, said in SAID.items() if (count := outcome.counts[name])]
    changes = [
        f"{count:,} {said}" if place else f"{counted(count, KIND)} {said}" for place, (count, said) in enumerate(known)
    ]
    files = [f"{counted(outcome.files['read'], 'files')} read"]
    files += [f"{unchanged:,} unchanged"] if (unchanged := outcome.files["unchanged"]) else []
    left_out = [f"{counted(skipped, 'records')} left out"] if skipped else []
    return "; ".join([", ".join(changes) or "no papers changed", ", ".join(files), *left_out])


def _shortened(lines: list[str], what: str) -> Iterable[str]:
    more = len(lines) - MAX_NAMED
    return [*lines[:MAX_NAMED], *([f"and {more:,} more {what}"] if more > 0 else [])]
