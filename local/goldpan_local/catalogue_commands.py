"""`goldpan catalogue build` and `goldpan catalogue info`, and the group with all its commands."""

import os
import sqlite3
import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from goldpan.counts import counted, first_named
from goldpan.errors import InvalidRequest, naming
from goldpan.escaping import plain
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.sources.catalogue.build import Record, build_catalogue, records_from_lines
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan.local.bootstrap import make_encoder, sample_catalogue
from rich import filesize

from goldpan_local.catalogue_work_commands import work_app
from goldpan_local.exit_codes import write_notes, write_stdout
from goldpan_local.files import named_in_errors, require_other_file
from goldpan_local.lazy_group import group
from goldpan_local.option_values import option
from goldpan_local.progress import show_count

catalogue_app = group("catalogue", "Build, grow and inspect catalogue files.")
catalogue_app.registered_commands += work_app.registered_commands


@catalogue_app.command("build", epilog="Example: goldpan catalogue build repositories.jsonl.gz repositories.sqlite")
def build(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="JSON Lines, one repository per line; may be a .gz file.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The catalogue file to write.")],
    title: Annotated[str | None, option("TEXT", 'How answers name it. Default: "the catalogue OUT".')] = None,
    force: Annotated[bool, option(None, "Overwrite OUT if it exists.", "--force")] = False,  # noqa: FBT002 - an option
) -> None:
    """Build a catalogue file for `goldpan search --catalogue`."""
    require_other_file(source, target)
    if target.exists() and not (force and target.is_file()):
        raise InvalidRequest(f"{target}: exists already; --force overwrites a file")
    start, unknown, encoder = time.monotonic(), Counter[str](), make_encoder(os.environ)
    records = list[Record]()
    with named_in_errors(source, InvalidRequest), show_count("Reading") as report:
        for record in records_from_lines(source, unknown):
            records.append(record)
            report(len(records))
    with named_in_errors(target, InvalidRequest), naming(f"{target}: cannot be written", sqlite3.Error):
        count = build_catalogue(records, target, title or f"the catalogue {target.stem}", encoder)
    notes = []
    if duplicates := len(records) - count:
        notes.append(f"duplicates left out: {duplicates:,}; of records with the same name the last one is stored")
    if unknown:
        named = [f"{name} ({lines:,})" for name, lines in unknown.most_common()]
        notes.append(f"unknown fields ignored, with the number of their lines: {first_named(named)}")
    write_notes(f"{source}: {note}" for note in notes)
    seconds, size = time.monotonic() - start, filesize.decimal(target.stat().st_size)
    write_stdout(f"{plain(str(target))}: {counted(count, KIND)}, {size}, built in {seconds:.1f} s\n")


@catalogue_app.command("info", epilog="Example: goldpan catalogue info repositories.sqlite")
def info(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A catalogue file. Default: the embedded sample.")
    ] = None,
) -> None:
    """Show what a catalogue contains."""
    catalogue = sample_catalogue() if file is None else Catalogue.open(file)
    facts = {
        "title": plain(catalogue.title),
        KIND: f"{catalogue.size:,}",
        "facts as of": plain(catalogue.as_of) or "unknown",
        "file": f"{plain(str(file))}, {filesize.decimal(file.stat().st_size)}" if file else "part of the command",
    }
    write_stdout("".join(f"{name:<14}{value}\n" for name, value in facts.items()))
