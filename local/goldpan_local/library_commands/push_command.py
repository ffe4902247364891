"""`goldpan library push`: writes the file of a project to the bucket of a deployment, and then its version."""

import hashlib
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import Annotated

from goldpan.counts import counted
from goldpan.errors import Misconfigured
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.local.library_folder import require_library
from rich import filesize

from goldpan_local.exit_codes import require_stdout, write_stdout
from goldpan_local.lazy_group import command
from goldpan_local.option_values import Project, option

JOURNALS = ("-journal", "-wal")
"""What SQLite keeps beside a file that is being written, or whose writer was killed."""


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
    require_stdout()
    file = require_library(project, os.environ)
    _refuse_journal(project, file)
    if find_spec("boto3") is None:
        raise Misconfigured(
            "`goldpan library push` needs boto3: pip install boto3, or goldpan-search with the extra `aws`"
        )
    from goldpan_local.library_commands.deployment import Deployment  # noqa: PLC0415 - loads boto3

    deployment = Deployment.find(os.environ, bucket=bucket, table=table, stack=stack)
    with TemporaryDirectory(prefix="goldpan-") as folder:
        copy = _copied(file, Path(folder))
        with LibraryIndex.open(copy) as index:
            papers = index.count
        with copy.open("rb") as content:
            version = hashlib.file_digest(content, "sha256").hexdigest()
        size = filesize.decimal(copy.stat().st_size)
        deployment.upload(project, copy, version)
    sleep(deployment.settle_seconds)
    deployment.write_version(project, version, datetime.now(UTC))
    write_stdout(f"{project}: {counted(papers, KIND)}, {size}, pushed to {deployment.bucket}; version {version[:12]}\n")


def _refuse_journal(project: str, file: Path) -> None:
    """Raise `Misconfigured` if an import is running, or one was killed and left a journal."""
    for ending in JOURNALS:
        journal = file.with_name(file.name + ending)
        if journal.exists() and journal.stat().st_size:
            message = (
                f"{journal.name}: the project {project} is being imported, or its last import was interrupted; wait "
                "for the import, or run `goldpan library import` again"
            )
            raise Misconfigured(message)


def _copied(file: Path, folder: Path) -> Path:
    """Copy one state of a file, also while an import writes it; the copy needs no file beside it."""
    copy = folder / file.name
    try:
        with (
            closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise Misconfigured(f"{file}: cannot be read: {error}") from error
    return copy
