"""`goldpan library list` and `goldpan library remove`."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from goldpan.counts import counted
from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.escaping import plain
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
from goldpan.local.library_folder import HOW_TO_IMPORT, NO_PAPERS, library_files, require_library
from rich import filesize

from goldpan_local.exit_codes import require_stdout, write_stdout
from goldpan_local.lazy_group import command
from goldpan_local.library_files.folder import origin_of
from goldpan_local.option_values import Project

SIDE_FILES = ("", "-journal", "-wal", "-shm")
"""What SQLite keeps beside a file; an import that was killed leaves some of them."""


@command("list")
def list_projects() -> None:
    """List the projects: papers, size, and when they changed last."""
    files = library_files(os.environ)
    rows = [("project", KIND, "size", "last import"), *map(_row, files)]
    width = max(len(name) for name, *_ in rows)
    lines = [f"{name:<{width}}  {papers:>9}  {size:>9}  {at}\n" for name, papers, size, at in rows]
    write_stdout("".join(lines) if files else f"{NO_PAPERS} {HOW_TO_IMPORT}\n")


@command("remove", epilog="Example: goldpan library remove ~/papers/old.bib --project thesis")
def remove(
    project: Project,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="Only what was imported from this file or folder. Default: the project."),
    ] = None,
) -> None:
    """Remove a project, or what was imported into it from PATH; the files at PATH stay as they are."""
    require_stdout()
    file = require_library(project, os.environ)
    if path is None:
        for suffix in SIDE_FILES:
            file.with_name(file.name + suffix).unlink(missing_ok=True)
        write_stdout(f"{project}: removed\n")
        return
    with LibraryWriter.open(file) as writer:
        place = origin_of(os.path.realpath(path))  # it may be gone by now
        below = place.rstrip(os.sep) + os.sep
        origins = [name for name in writer.origins() if name in {place, str(path)} or name.startswith(below)]
        if not origins:
            raise InvalidRequest(f"{path}: nothing was imported from it into the project {project}")
        removed = sum(writer.remove_origin(origin)["removed"] for origin in origins)
    papers, files = counted(removed, KIND), counted(len(origins), "files")
    write_stdout(f"{project}: {papers} removed, of {files} at {plain(str(path))}\n")


def _row(file: Path) -> tuple[str, str, str, str]:
    state = file.stat()
    at = datetime.fromtimestamp(state.st_mtime, UTC).astimezone()
    try:
        with LibraryIndex.open(file) as index:
            papers = f"{index.count:,}"
    except Misconfigured as error:
        return file.stem, "-", filesize.decimal(state.st_size), plain(str(error))
    return file.stem, papers, filesize.decimal(state.st_size), f"{at:%Y-%m-%d %H:%M}"
