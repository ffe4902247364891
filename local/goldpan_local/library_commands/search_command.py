"""`goldpan library search`: on a project, or on the index of a data directory without an import."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.sources.library.hybrid import HybridIndex
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import LibraryFilters, LibraryResult
from goldpan.kinds.papers.sources.library.vectors import has_vectors
from goldpan.local.library_places import (
    DEFAULT_PROJECT,
    HOW_TO_IMPORT,
    INDEX_FILE,
    library_file,
    require_library,
)

from goldpan_local.completion import LIBRARY_FORMATS
from goldpan_local.exit_codes import exit_on_error, require_stdout, write_notes
from goldpan_local.library_commands.encoder import encodes_sentences, open_encoder
from goldpan_local.library_commands.options import OutputFormat, ProjectToSearch, Query, Words
from goldpan_local.library_commands.results import read_query, write_papers
from goldpan_local.library_files.reading import Reading
from goldpan_local.library_files.records import read_index
from goldpan_local.option_values import one_of, whole_number
from goldpan_local.ranges import read_range

Names = list[str] | None
MAX_LIMIT = 1_000
ENCODERS = ("GOLDPAN_ENCODER", "EMBEDDING_BASE_URL", "EMBEDDING_API_KEY", "EMBEDDING_MODEL")
"""One of these variables names a sentence encoder, if there is one."""
DATA_DIR = Path("data")
"""What is searched without an option if there is no default project."""


search_app = typer.Typer(add_completion=False, rich_markup_mode=None)


@search_app.command("search", epilog="Example: goldpan library search attention mechanisms --year 2017.. -n 5")
def search(  # noqa: PLR0913, PLR0917 - the options of a command
    words: Words = None,
    query: Query = None,
    project: ProjectToSearch = None,
    data_dir: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Search DIR/index/papers.json, without an import.")
    ] = None,
    limit: Annotated[str, typer.Option("--limit", "-n", metavar="N", help="Number of results, 1 to 1000.")] = "10",
    year: Annotated[
        str | None, typer.Option(metavar="YEARS", help="Only of 2020, 2020..2024, 2020.. or ..2024.")
    ] = None,
    author: Annotated[Names, typer.Option(metavar="NAME", help="Only by this author; repeatable.")] = None,
    venue: Annotated[Names, typer.Option(metavar="NAME", help="Only in one of these venues; repeatable.")] = None,
    tag: Annotated[Names, typer.Option(metavar="TAG", help="Only with this tag; repeatable.")] = None,
    output_format: OutputFormat = "table",
) -> None:
    """Search for the words of QUERY, with or without quotes, and print the papers that have them, best first.

    In QUERY, "two words" is a phrase, AND, OR, NOT and -word combine, and trans* is the beginning of a word. Searched
    is the project "default"; if there is none, data/index/papers.json.

    Exit codes: 0 success, 1 nothing found, 2 invalid input, or nothing was imported yet.
    """
    with exit_on_error():
        require_stdout()
        text = read_query(words, query)
        years = dict(read_range(year, "--year")) if year is not None else {}
        filters = LibraryFilters(
            year_from=years.get("year_from"),
            year_to=years.get("year_to"),
            authors=_names("--author", author),
            venues=_names("--venue", venue),
            tags=_names("--tag", tag),
        )
        most = whole_number("--limit", limit, 1, MAX_LIMIT)
        chosen = one_of("--format", output_format, LIBRARY_FORMATS)
        with open_index(project, data_dir, os.environ) as index:
            result = _search(index, text, most, filters, os.environ)
        code = write_papers(result, text, chosen)
        write_notes(result.notes)
    raise typer.Exit(code)


def _names(option: str, given: Sequence[str] | None) -> tuple[str, ...]:
    names = tuple(name.strip() for name in given or ())
    if not all(names):
        message = f"{option}: must have at least 1 character"
        raise InvalidRequest(message)
    return names


def _search(
    index: LibraryIndex, query: str, limit: int, allowed: LibraryFilters, environment: Mapping[str, str]
) -> LibraryResult:
    """Search by words, and by the vectors of a sentence encoder if there is one."""
    if not any(environment.get(name) for name in ENCODERS) or not has_vectors(index.connection):
        return index.search(query, limit, allowed)
    if not encodes_sentences(environment):
        return index.search(query, limit, allowed)
    with open_encoder(environment) as encoder:
        return HybridIndex(index, encoder).search(query, limit, allowed)


@contextmanager
def open_index(project: str | None, data_dir: Path | None, environment: Mapping[str, str]) -> Iterator[LibraryIndex]:
    """Open what is to be searched. Raises `InvalidRequest` if both are given, or if nothing was collected yet."""
    if project is not None and data_dir is not None:
        raise InvalidRequest("--data-dir: is another library than --project; leave out one of them")
    if data_dir is None and (project is not None or library_file(DEFAULT_PROJECT, environment).exists()):
        name = project or DEFAULT_PROJECT
        with LibraryIndex.open(require_library(name, environment)) as index:
            if not index.count:
                message = f"No papers collected yet. The project {name} is empty; {HOW_TO_IMPORT}"
                raise InvalidRequest(message)
            yield index
        return
    with index_of_directory(data_dir) as index:
        yield index


def index_of_directory(given: Path | None) -> LibraryIndex:
    """Index the papers of a data directory in memory. Raises `InvalidRequest` that names the directory."""
    folder = given or DATA_DIR
    if given is not None and not given.is_dir():
        reason = "is not a directory" if given.exists() else "no such directory"
        message = f"--data-dir: {given}: {reason}"
        raise InvalidRequest(message)
    file, reading = folder / INDEX_FILE, Reading()
    if not file.exists():
        message = f"No papers collected yet. {file} does not exist; {HOW_TO_IMPORT}"
        raise InvalidRequest(message)
    index = LibraryIndex.of_papers(read_index(file, "paper", reading), project=str(folder))
    write_notes(reading.notes())
    if not index.count:
        message = f"No papers collected yet. {file} has none; {HOW_TO_IMPORT}"
        raise InvalidRequest(message)
    return index
