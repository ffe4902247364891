"""Adds papers that a search found to a library, but for those that it has already."""

import json
from collections.abc import Iterable, Iterator, Mapping

from goldpan.kinds.papers.models import LIBRARY
from goldpan.kinds.papers.results import RankedPaper
from goldpan.kinds.papers.sources.library.folding import fold
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.writer import Counts, LibraryWriter

ORIGIN = "goldpan search"
"""The origin of all papers that searches added to a library."""
Identifier = tuple[str, str]


def add_results(writer: LibraryWriter, project: str, results: Iterable[RankedPaper]) -> Counts:
    """Add the papers that the project lacks; returns how many were `added`, and how many are `duplicates`.

    A paper is there already if one has an identifier of it or of its other version, or the same title where one of
    the two has no DOI.
    """
    known, titles, counts = set[Identifier](), dict[str, bool](), Counts()
    for name, title, facts in writer.connection.execute("SELECT id, title, facts FROM papers"):
        ids = json.loads(facts).get("ids", {})
        known |= {(LIBRARY, f"{project}/{name}"), ("id", name), *_identifiers(ids)}
        titles[fold(title)] = titles.get(fold(title), True) and "doi" in ids
    new = list[LibraryPaper]()
    for result in results:
        own, title = {("id", result.id), *_all_identifiers(result)}, fold(result.title)
        if own & known or (title in titles and not (titles[title] and result.ids.doi)):
            counts["duplicates"] += 1
            continue
        known |= own
        titles[title] = titles.get(title, True) and bool(result.ids.doi)
        new.append(_library_paper(result))
    return counts + writer.add(ORIGIN, new)


def _library_paper(result: RankedPaper) -> LibraryPaper:
    known = {name: value for name, value in result if name in LibraryPaper.model_fields and value is not None}
    return LibraryPaper.model_validate(known)


def _all_identifiers(result: RankedPaper) -> Iterator[Identifier]:
    yield from _identifiers(result.ids.model_dump(exclude_none=True))
    for version in result.versions:
        yield from _identifiers({"doi": version.doi, "arxiv": version.arxiv})


def _identifiers(ids: Mapping[str, object]) -> Iterator[Identifier]:
    """Yield the identifiers with their systems, those of other systems too."""
    other = ids.get("other")
    for system, value in {**ids, **(other if isinstance(other, dict) else {})}.items():
        if isinstance(value, str):
            yield system, value
