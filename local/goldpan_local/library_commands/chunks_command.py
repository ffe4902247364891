"""`goldpan library chunks`: the passages of one project, or of all, that answer a query best."""

from __future__ import annotations

import os
from contextlib import closing
from typing import Annotated

from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.local.library_folder import HOW_TO_IMPORT, NO_PAPERS, FolderLibraries, require_library

from goldpan_local.exit_codes import require_stdout, write_notes
from goldpan_local.lazy_group import command
from goldpan_local.library_commands.encoder import open_encoder
from goldpan_local.library_commands.options import OutputFormat, ProjectToSearch, Query, Words
from goldpan_local.library_commands.results import read_query, write_passages
from goldpan_local.option_values import LIBRARY_FORMATS, one_of, option, whole_number

MAX_CHUNKS = 100


@command("chunks", epilog="Example: goldpan library chunks how does self-attention scale -k 3")
def chunks(
    words: Words = None,
    query: Query = None,
    project: ProjectToSearch = None,
    count: Annotated[str, option("N", "Number of passages, 1 to 100.", "-k")] = "5",
    output_format: OutputFormat = "table",
) -> int:
    """Print the passages that answer QUERY best, with their citations: to ground an answer in them.

    Without --project, those of all projects. Exit codes: as those of `goldpan library search`.
    """
    require_stdout()
    text, most = read_query(words, query), whole_number("-k", count, 1, MAX_CHUNKS)
    chosen = one_of("--format", output_format, LIBRARY_FORMATS)
    folder = FolderLibraries(os.environ)
    if project is not None:
        require_library(project, os.environ)
    elif not folder.projects():
        message = f"{NO_PAPERS} {HOW_TO_IMPORT}"
        raise InvalidRequest(message)
    with open_encoder(os.environ) as encoder, closing(OpenLibraries(folder, encoder)) as libraries:
        found, notes = libraries.chunks(project, text, most)
    write_notes(notes)
    return write_passages(found, text, chosen)
