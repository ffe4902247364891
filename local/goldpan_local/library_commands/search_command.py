"""`goldpan library search`: on a project, or on the index of a data directory without an import."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from goldpan.contracts.validation_errors import parse_fields
from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.sources.library.hybrid import HybridIndex
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import LibraryFilters, LibraryResult
from goldpan.kinds.papers.sources.library.vectors import has_vectors
from goldpan.local.library_folder import DEFAULT_PROJECT, HOW_TO_IMPORT, NO_PAPERS, library_file, require_library

from goldpan_local.exit_codes import require_stdout, write_notes
from goldpan_local.lazy_group import command
from goldpan_local.library_commands.encoder import encodes_sentences, open_encoder
from goldpan_local.library_commands.options import OutputFormat, ProjectToSearch, Query, Words
from goldpan_local.library_commands.results import read_query, write_papers
from goldpan_local.library_files.record import Reading
from goldpan_local.library_files.records import read_index
from goldpan_local.option_values import LIBRARY_FORMATS, one_of, option, read_range, whole_number

Names = list[str] | None
OPTIONS = {"authors": "--author", "venues": "--venue", "tags": "--tag"}
MAX_LIMIT = 1_000
DATA_DIR, INDEX_FILE = Path("data"), Path("index", "papers.json")
"""What is searched without an option if there is no default project."""


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
    require_stdout()
    text = read_query(words, query)
    years = dict(read_range(year, "--year")) if year is not None else {}
    named = {"authors": author or (), "venues": venue or (), "tags": tag or ()}
    filters = parse_fields(LibraryFilters, {**years, **named}, OPTIONS)
    most = whole_number("--limit", limit, 1, MAX_LIMIT)
    chosen = one_of("--format", output_format, LIBRARY_FORMATS)
    with _open_index(project, data_dir) as index:
        result = _search(index, text, most, filters)
    code = write_papers(result, text, chosen)
    write_notes(result.notes)
    return code


def _search(index: LibraryIndex, query: str, limit: int, allowed: LibraryFilters) -> LibraryResult:
    """Search by words, and by the vectors of a sentence encoder if there is one."""
    if not (has_vectors(index.connection) and encodes_sentences(os.environ)):
        return index.search(query, limit, allowed)
    with open_encoder(os.environ) as encoder:
        return HybridIndex(index, encoder).search(query, limit, allowed)


@contextmanager
def _open_index(project: str | None, data_dir: Path | None) -> Iterator[LibraryIndex]:
    """Open what is to be searched. Raises `InvalidRequest` if both are given, or if nothing was collected yet."""
    if project is not None and data_dir is not None:
        raise InvalidRequest("--data-dir: is another library than --project; leave out one of them")
    if data_dir is None and (project is not None or library_file(DEFAULT_PROJECT, os.environ).exists()):
        name = project or DEFAULT_PROJECT
        opened, empty = LibraryIndex.open(require_library(name, os.environ)), f"The project {name} is empty"
    else:
        folder = data_dir or DATA_DIR
        opened, empty = _index_of_directory(data_dir, folder / INDEX_FILE), f"{folder / INDEX_FILE} has none"
    with opened as index:
        if not index.count:
            message = f"{NO_PAPERS} {empty}; {HOW_TO_IMPORT}"
            raise InvalidRequest(message)
        yield index


def _index_of_directory(given: Path | None, file: Path) -> LibraryIndex:
    """Index the papers of a data directory in memory. Raises `InvalidRequest` that names the directory."""
    if given is not None and not given.is_dir():
        reason = "is not a directory" if given.exists() else "no such directory"
        message = f"--data-dir: {given}: {reason}"
        raise InvalidRequest(message)
    if not file.exists():
        message = f"{NO_PAPERS} {file} does not exist; {HOW_TO_IMPORT}"
        raise InvalidRequest(message)
    reading = Reading()
    index = LibraryIndex.of_papers(read_index(file, "paper", reading), project=str(given or DATA_DIR))
    write_notes(reading.notes())
    return index
