"""`goldpan catalogue build` and `goldpan catalogue info`."""

from __future__ import annotations

import gzip
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from goldpan.errors import InvalidRequest
from goldpan.escaping import plain
from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.sources.catalogue.build import Record, build_catalogue
from goldpan.kinds.repositories.sources.catalogue.lines import InputCounts, records_from_lines
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan.local.bootstrap import make_encoder, sample_catalogue

from goldpan_local.exit_codes import exit_on_error, write_notes, write_stdout
from goldpan_local.formats.values import file_size
from goldpan_local.progress import show_count

COUNT_STEP = 500
"""Records between two updates of the progress; updates at every record would take longer than the reading."""
MAX_NAMED = 10
"""Unknown fields that are named."""

catalogue_app = typer.Typer(
    name="catalogue", help="Build and inspect catalogue files.", add_completion=False, rich_markup_mode=None
)


@catalogue_app.callback(invoke_without_command=True)
def show_help(context: typer.Context) -> None:
    """Build and inspect catalogue files."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@catalogue_app.command("build", epilog="Example: goldpan catalogue build repositories.jsonl.gz repositories.sqlite")
def build(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="JSON Lines, one repository per line; may be a .gz file.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The catalogue file to write.")],
    title: Annotated[str | None, typer.Option(help='How answers name it. Default: "the catalogue OUT".')] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite OUT if it exists.")] = False,  # noqa: FBT002 - an option
) -> None:
    """Build a catalogue file for `goldpan search --catalogue`."""
    with exit_on_error():
        build_file(source, target, title or f"the catalogue {target.stem}", make_encoder(os.environ), force=force)


@catalogue_app.command("info", epilog="Example: goldpan catalogue info repositories.sqlite")
def info(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A catalogue file. Default: the embedded sample.")
    ] = None,
) -> None:
    """Show what a catalogue contains."""
    with exit_on_error():
        print_info(file)


def build_file(source: Path, target: Path, title: str, encoder: Encoder, *, force: bool) -> None:
    """Build a catalogue file from JSON Lines. Raises `InvalidRequest` that names the file, and the line if known."""
    _check_target(source, target, force=force)
    start, counts = time.monotonic(), InputCounts()
    with _name_failed_file(source, target), show_count("Reading") as report:
        count = build_catalogue(_reported(records_from_lines(source, counts), report), target, title, encoder)
    _write_notes(source, counts, count)
    seconds, size = time.monotonic() - start, file_size(target.stat().st_size)
    write_stdout(f"{plain(str(target))}: {count:,} repositories, {size}, built in {seconds:.1f} s\n")


def print_info(file: Path | None) -> None:
    """Print the title, the number of repositories, the date of the facts and the size; None is the sample."""
    catalogue = sample_catalogue() if file is None else Catalogue.open(file)
    facts = {
        "title": plain(catalogue.title),
        KIND: f"{catalogue.size:,}",
        "facts as of": plain(catalogue.as_of) or "unknown",
        "file": "part of the command" if file is None else f"{plain(str(file))}, {file_size(file.stat().st_size)}",
    }
    write_stdout("".join(f"{name:<14}{value}\n" for name, value in facts.items()))


def _check_target(source: Path, target: Path, *, force: bool) -> None:
    if not target.exists():
        return
    if source.exists() and target.samefile(source):
        message = f"{target}: input and output are the same file"
        raise InvalidRequest(message)
    if not force or not target.is_file():
        message = f"{target}: exists already; --force overwrites a file"
        raise InvalidRequest(message)


def _write_notes(source: Path, counts: InputCounts, stored: int) -> None:
    """Count on stderr what the catalogue does not have of its input."""
    notes = []
    if duplicates := counts.records - stored:
        notes.append(f"duplicates left out: {duplicates:,}; of records with the same name the last one is stored")
    if unknown := counts.unknown_fields:
        named = ", ".join(f"{name} ({lines:,})" for name, lines in unknown.most_common(MAX_NAMED))
        more = f" and {len(unknown) - MAX_NAMED:,} more" if len(unknown) > MAX_NAMED else ""
        notes.append(f"unknown fields ignored, with the number of their lines: {named}{more}")
    write_notes(f"{source}: {note}" for note in notes)


def _reported(records: Iterable[Record], report: Callable[[int], None]) -> Iterator[Record]:
    """Pass the records on and report their number."""
    for number, record in enumerate(records, start=1):
        if number % COUNT_STEP == 0:
            report(number)
        yield record


@contextmanager
def _name_failed_file(source: Path, target: Path) -> Iterator[None]:
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        message = f"{source}: not a complete gzip file: {error}"
        raise InvalidRequest(message) from error
    except sqlite3.Error as error:
        message = f"{target}: cannot be written: {error}"
        raise InvalidRequest(message) from error
    except OSError as error:
        message = f"{error.filename or source}: {error.strerror or error}"
        raise InvalidRequest(message) from error
