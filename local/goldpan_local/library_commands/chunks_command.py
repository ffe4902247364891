"""Runs `goldpan library chunks`: the passages of one project, or of all, that answer a query best."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.escaping import plain
from goldpan.kinds.papers.sources.library.hybrid import HybridIndex
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import Chunk
from goldpan.local.library_places import HOW_TO_IMPORT, library_files, require_library

from goldpan_local.completion import LIBRARY_FORMATS
from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, require_stdout, write_notes, write_stdout
from goldpan_local.library_commands.encoder import open_encoder
from goldpan_local.library_commands.query import read_query
from goldpan_local.option_values import one_of, whole_number

MAX_CHUNKS = 100


@dataclass(frozen=True)
class AskedChunks:
    """What was typed."""

    words: list[str] | None
    query: str | None
    project: str | None
    count: str
    output_format: str


def run_chunks(asked: AskedChunks, environment: Mapping[str, str]) -> int:
    """Print the passages, and return the exit code. Raises `InvalidRequest` or `Misconfigured`."""
    require_stdout()
    query, count = read_query(asked.words, asked.query), whole_number("-k", asked.count, 1, MAX_CHUNKS)
    output_format = one_of("--format", asked.output_format, LIBRARY_FORMATS)
    chunks = find_chunks(query, count, asked.project, environment)
    nothing = f"No papers found matching '{query}'"
    if output_format == "json":
        from goldpan_local.library_commands.json_output import render_chunks  # noqa: PLC0415 - for this format only

        write_stdout(render_chunks(query, chunks))
        if not chunks:
            write_notes([nothing])
    elif chunks:
        from goldpan_local.library_commands.table import render_passages  # noqa: PLC0415 - imports rich

        write_stdout(render_passages(chunks), sys.stdout.encoding or "utf-8")
    else:
        write_stdout(f"{plain(nothing)}\n", sys.stdout.encoding or "utf-8")
    return SUCCESS if chunks else NOTHING_FOUND


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
