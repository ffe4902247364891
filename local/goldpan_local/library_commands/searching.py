"""`goldpan library search` and `goldpan library chunks`: the papers of a project, and passages of one or of all."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from goldpan.contracts.validation_errors import parse_fields
from goldpan.errors import InvalidRequest
from goldpan.escaping import plain
from goldpan.kinds.papers.sources.library.hybrid import HybridIndex
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import MAX_QUERY, Chunk, LibraryFilters, LibraryResult
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.library.requests import LibraryRow
from goldpan.kinds.papers.sources.library.vectors import encoders_of
from goldpan.local.library_folder import (
    DEFAULT_PROJECT,
    HOW_TO_IMPORT,
    NO_PAPERS,
    FolderLibraries,
    library_file,
    require_library,
)

from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, write_for_terminal, write_json, write_notes
from goldpan_local.lazy_group import command
from goldpan_local.library_commands.libraries import open_encoder
from goldpan_local.library_files.records import DATA_DIR, INDEX_FILE, SHOWN, data_directory_papers
from goldpan_local.option_values import (
    LIBRARY_FORMATS,
    YEARS,
    OutputFormat,
    ProjectToSearch,
    one_of,
    option,
    read_range,
    whole_number,
)

Words = Annotated[list[str] | None, typer.Argument(metavar="QUERY", hidden=True)]
"""Hidden, because the help would give its type, `list[str]`; the help of the command describes it."""
Query = Annotated[str | None, option("QUERY", "The query, in place of QUERY.")]
Names = list[str] | None
OPTIONS = {"authors": "--author", "venues": "--venue", "tags": "--tag", **dict.fromkeys(YEARS, "--year")}
MAX_LIMIT, MAX_CHUNKS = 1_000, 100


@command("search", epilog="Example: goldpan library search attention mechanisms --year 2017.. -n 5")
def search(  # noqa: PLR0913, PLR0917 - the options of a command
    words: Words = None,
    query: Query = None,
    project: ProjectToSearch = None,
    data_dir: Annotated[Path | None, option("DIR", "Search DIR/index/papers.json, without an import.")] = None,
    limit: Annotated[str, option("N", "Number of results, 1 to 1000.", "--limit", "-n")] = "10",
    year: Annotated[str | None, option("YEARS", "Only of 2020, 2020..2024, 2020.. or ..2024.")] = None,
    author: Annotated[Names, option("NAME", "Only by this author; repeatable.")] = None,
    venue: Annotated[Names, option("NAME", "Only in one of these venues; repeatable.")] = None,
    tag: Annotated[Names, option("TAG", "Only with this tag; repeatable.")] = None,
    output_format: OutputFormat = "table",
) -> int:
    """Search for the words of QUERY, with or without quotes, and print the papers that have them, best first.

    In QUERY, "two words" is a phrase, AND, OR, NOT and -word combine, and trans* is the beginning of a word. Searched
    is the project "default"; if there is none, data/index/papers.json.

    Exit codes: 0 success, 1 nothing found, 2 invalid input, or nothing was imported yet.
    """
    text = _read_query(words, query)
    years = dict(read_range(year, "--year")) if year is not None else {}
    named = {"authors": author or (), "venues": venue or (), "tags": tag or ()}
    filters = parse_fields(LibraryFilters, {**years, **named}, OPTIONS)
    most = whole_number("--limit", limit, 1, MAX_LIMIT)
    chosen = one_of("--format", output_format, LIBRARY_FORMATS)
    with _open_index(project, data_dir) as index:
        result = None
        if encoders_of(index.connection):
            with open_encoder(os.environ) as encoder:
                if not encoder.sums_words:  # vectors of words alone would add only papers that have none of them
                    result = HybridIndex(index, encoder).search(text, most, filters)
        result = result or index.search(text, most, filters)
    papers = [LibraryRow.of(hit).model_dump(include=SHOWN) for hit in result.results]
    code = _write(result, {"query": result.query, "count": result.count, "results": papers}, text, chosen)
    write_notes(result.notes)
    return code


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
    text, most = _read_query(words, query), whole_number("-k", count, 1, MAX_CHUNKS)
    chosen = one_of("--format", output_format, LIBRARY_FORMATS)
    folder = FolderLibraries(os.environ)
    if project is not None:
        require_library(project, os.environ)
    elif not folder.projects():
        raise InvalidRequest(f"{NO_PAPERS} {HOW_TO_IMPORT}")
    with open_encoder(os.environ) as encoder, closing(OpenLibraries(folder, encoder)) as libraries:
        found, notes = libraries.chunks(project, text, most)
    write_notes(notes)
    passages = [chunk.model_dump() for chunk in found]
    return _write(found, {"query": text, "count": len(found), "chunks": passages}, text, chosen)


def _read_query(words: Sequence[str] | None, query: str | None) -> str:
    """Return the query: the words, or the option. Raises `InvalidRequest` if it is empty or too long."""
    if words and query is not None:
        raise InvalidRequest("--query: the query is given twice; leave out QUERY or --query")
    text = " ".join((query if query is not None else " ".join(words or ())).split())
    if not text:
        raise InvalidRequest("Query cannot be empty")
    if len(text) > MAX_QUERY:
        raise InvalidRequest(f"query: must have at most {MAX_QUERY} characters (given {len(text)} characters)")
    return text


@contextmanager
def _open_index(project: str | None, data_dir: Path | None) -> Iterator[LibraryIndex]:
    """Open what is to be searched. Raises `InvalidRequest` if both are given, or if nothing was collected yet."""
    if project is not None and data_dir is not None:
        raise InvalidRequest("--data-dir: is another library than --project; leave out one of them")
    if data_dir is None and (project is not None or library_file(DEFAULT_PROJECT, os.environ).exists()):
        name = project or DEFAULT_PROJECT
        opened, empty = LibraryIndex.open(require_library(name, os.environ)), f"The project {name} is empty"
    else:
        file = (data_dir or DATA_DIR) / INDEX_FILE
        papers, reading = data_directory_papers(data_dir, f"{NO_PAPERS} {file} does not exist; {HOW_TO_IMPORT}")
        opened, empty = LibraryIndex.of_papers(papers, project=str(data_dir or DATA_DIR)), f"{file} has none"
        write_notes(reading.notes())
    with opened as index:
        if not index.count:
            raise InvalidRequest(f"{NO_PAPERS} {empty}; {HOW_TO_IMPORT}")
        yield index


def _write(
    found: LibraryResult | Sequence[Chunk], document: Mapping[str, object], query: str, output_format: str
) -> int:
    """Print what was found, or the document as JSON, and return the exit code."""
    nothing = [] if document["count"] else [f"No papers found matching '{query}'"]
    if output_format == "json":
        write_json(json.dumps(document, ensure_ascii=False, indent=2))
        write_notes(nothing)
    elif nothing:
        write_for_terminal(f"{plain(nothing[0])}\n")
    else:
        from goldpan_local.library_commands.table import render_table  # noqa: PLC0415 - imports rich

        write_for_terminal(render_table(found))
    return NOTHING_FOUND if nothing else SUCCESS
