"""`goldpan library list`, `remove` and `push`, which puts the file of a project into the bucket of a deployment."""

import hashlib
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from goldpan.counts import counted
from goldpan.errors import InvalidRequest, Misconfigured, naming
from goldpan.escaping import plain
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
from goldpan.local.library_folder import HOW_TO_IMPORT, NO_PAPERS, library_files, require_library
from rich import filesize

from goldpan_local.exit_codes import write_stdout
from goldpan_local.lazy_group import command
from goldpan_local.library_files.folder import origin_of
from goldpan_local.option_values import Project, option

SIDE_FILES = ("", "-journal", "-wal", "-shm")
"""What SQLite keeps beside a file; an import that was killed leaves some of them."""


@command("list")
def list_projects() -> None:
    """List the projects: papers, size, and when they changed last."""
    files = library_files(os.environ)
    rows = [("project", KIND, "size", "last change"), *map(_row, files)]
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
    except (InvalidRequest, Misconfigured) as error:
        return file.stem, "-", filesize.decimal(state.st_size), plain(str(error))
    return file.stem, papers, filesize.decimal(state.st_size), f"{at:%Y-%m-%d %H:%M}"


@command("push", epilog="Example: goldpan library push --project thesis --stack goldpan")
def push(
    project: Project = "default",
    bucket: Annotated[
        str | None, option("NAME", "The bucket. Default: GOLDPAN_LIBRARY_BUCKET, or that of the stack.")
    ] = None,
    table: Annotated[
        str | None, option("NAME", "The table of the cache. Default: GOLDPAN_CACHE_TABLE, or that of the stack.")
    ] = None,
    stack: Annotated[str, option("NAME", "The deployment on AWS.")] = "goldpan",
) -> None:
    """Put a project into the bucket of a deployment on AWS, where searches read it from then on.

    Credentials and the region are those of the AWS CLI. It needs boto3, the extra `aws`.
    """
    file = require_library(project, os.environ)
    from goldpan_local.library_commands import deployment  # noqa: PLC0415 - boto3, which is optional

    bucket, table = deployment.find(os.environ, bucket=bucket, table=table, stack=stack)
    with TemporaryDirectory(prefix="goldpan-") as folder:
        copy = _copied(file, Path(folder))
        with LibraryIndex.open(copy) as index:
            papers = index.count
        with copy.open("rb") as content:
            version = hashlib.file_digest(content, "sha256").hexdigest()
        size = filesize.decimal(copy.stat().st_size)
        deployment.upload(bucket, project, copy, version)
    deployment.write_version(table, project, version, datetime.now(UTC))
    write_stdout(f"{project}: {counted(papers, KIND)}, {size}, pushed to {bucket}; version {version[:12]}\n")


def _copied(file: Path, folder: Path) -> Path:
    """Copy one state of a file, also while an import writes it; the copy needs no file beside it."""
    copy = folder / file.name
    with (
        naming(f"{file}: cannot be read", sqlite3.Error, raised=Misconfigured),
        closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
    return copy
