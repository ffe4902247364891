"""A reading list as a source of papers for goldpan: a file of JSON Lines, one paper a line."""

import json
from collections.abc import Sequence
from pathlib import Path

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import Unavailable
from goldpan.identities import normalise_doi
from goldpan.infra.settings import Settings
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import Paper, PaperIds, PaperQuery
from goldpan.kinds.papers.ports import SearchResult
from goldpan.kinds.papers.sources.entry import SourceEntry


class ReadingListSettings(Settings):
    """The environment variable `READING_LIST_FILE` names the file."""

    reading_list_file: Path | None = None


class ReadingList:
    """Searches the file; goldpan makes it at the first search, with the settings of all sources."""

    def __init__(self, settings: ReadingListSettings, _connections: Connections) -> None:
        self._file = settings.reading_list_file or Path()

    def search(self, queries: Sequence[PaperQuery], _constraints: Constraints, _deadline: Deadline) -> SearchResult:
        """Return a list for each query: the papers that have a wording of each of its concepts."""
        papers, unread = self._read()
        lists = tuple(tuple(each for each in papers if fits(each, query)) for query in queries)
        return SearchResult(lists=lists, available=len(papers), unread=unread)

    def look_up(self, _dois: Sequence[str], _deadline: Deadline) -> SearchResult:
        """Never called, because the entry says that nothing is looked up here."""
        raise Unavailable("a reading list looks nothing up")

    def _read(self) -> tuple[list[Paper], int]:
        """Read the file, and count the lines that are no papers."""
        try:
            lines = self._file.read_text("utf-8").splitlines()
        except OSError as error:
            raise Unavailable(f"the reading list cannot be read ({error.strerror})") from error
        papers, unread = list[Paper](), 0
        for line in lines:
            try:
                papers.append(paper(json.loads(line)))
            except (ValueError, TypeError, KeyError):  # no JSON, no object, no title, or a value of another type
                unread += 1
        return papers, unread


def paper(record: dict[str, object]) -> Paper:
    """Make the paper of a line."""
    facts = {name: record.get(name) for name in ("year", "abstract", "url")}
    ids = PaperIds(doi=normalise_doi(str(record.get("doi") or "")))
    return Paper.model_validate({"source": "reading_list", "title": record["title"], "ids": ids, **facts})


def fits(paper: Paper, query: PaperQuery) -> bool:
    """Whether the title or the abstract has one of the wordings of every concept."""
    text = f"{paper.title} {paper.abstract or ''}".casefold()
    return all(any(wording.casefold() in text for wording in concept) for concept in query.concepts)


SOURCE = SourceEntry(
    load=lambda: ReadingList,
    settings=ReadingListSettings,
    key="reading_list_file",  # without it the source is skipped
    queries=2,
    looks_up=False,
    is_cached=False,  # a file is read faster than a cache
)
