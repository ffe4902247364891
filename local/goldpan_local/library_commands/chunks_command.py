"""`goldpan library chunks`: the passages of one project, or of all, that answer a query best."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated

import typer
from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.kinds.papers.sources.library.hybrid import HybridIndex
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import Chunk
from goldpan.local.library_places import HOW_TO_IMPORT, library_files, require_library

from goldpan_local.completion import LIBRARY_FORMATS
from goldpan_local.exit_codes import exit_on_error, require_stdout, write_notes
from goldpan_local.library_commands.encoder import open_encoder
from goldpan_local.library_commands.options import OutputFormat, ProjectToSearch, Query, Words
from goldpan_local.library_commands.results import read_query, write_passages
from goldpan_local.option_values import one_of, whole_number

MAX_CHUNKS = 100
chunks_app = typer.Typer(add_completion=False, rich_markup_mode=None)


@chunks_app.command("chunks", epilog="Example: goldpan library chunks how does self-attention scale -k 3")
def chunks(
    words: Words = None,
    query: Query = None,
    project: ProjectToSearch = None,
    count: Annotated[str, typer.Option("-k", metavar="N", help="Number of passages, 1 to 100.")] = "5",
    output_format: OutputFormat = "table",
) -> None:
    """Print the passages that answer QUERY best, with their citations: to ground an answer in them.

    Without --project, those of all projects. Exit codes: as those of `goldpan library search`.
    """
    with exit_on_error():
        require_stdout()
        text, most = read_query(words, query), whole_number("-k", count, 1, MAX_CHUNKS)
        chosen = one_of("--format", output_format, LIBRARY_FORMATS)
        code = write_passages(find_chunks(text, most, project, os.environ), text, chosen)
    raise typer.Exit(code)


def find_chunks(query: str, count: int, project: str | None, environment: Mapping[str, str]) -> list[Chunk]:
    """Return the best passages of a project, or of all that can be read.

    Raises `InvalidRequest` if there is none, `Misconfigured` if none can be read.
    """
    files = [require_library(project, environment)] if project is not None else library_files(environment)
    if not files:
        message = f"No papers collected yet. {HOW_TO_IMPORT[0].upper()}{HOW_TO_IMPORT[1:]}"
        raise InvalidRequest(message)
    found, unread = [], []
    with open_encoder(environment) as encoder:
        for file in files:
            try:
                with LibraryIndex.open(file) as index:
                    found += HybridIndex(index, encoder).chunks(query, count)
            except Misconfigured as error:
                unread.append(error)
    if len(unread) == len(files):
        raise unread[0]
    write_notes(map(str, unread))  # a library that cannot be read costs the others nothing
    return sorted(found, key=lambda chunk: -chunk.score)[:count]
