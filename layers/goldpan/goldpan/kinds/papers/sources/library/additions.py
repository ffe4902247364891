"""Adds papers that a search found to a library, but for those that it has already."""

import json
from collections.abc import Iterable, Mapping

from goldpan.kinds.papers.models import ID_SYSTEMS, LIBRARY
from goldpan.kinds.papers.results import RankedPaper
from goldpan.kinds.papers.sources.library.folding import fold
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.writer import Counts, LibraryWriter

ORIGIN = "goldpan search"
"""The origin of all papers that searches added to a library."""
TITLE, WITHOUT_DOI = "title", "title without DOI"
Keys = set[tuple[str, str]]


def add_results(writer: LibraryWriter, project: str, results: Iterable[RankedPaper]) -> Counts:
    """Add the papers that the project lacks; returns how many were `added`, and how many are `duplicates`.

    A paper is there already if one has an identifier of it or of its other version, or the same title where one of
    the two has no DOI.
    """
    known, new, counts = Keys(), list[LibraryPaper](), Counts()
    for name, title, facts in writer.connection.execute("SELECT id, title, facts FROM papers"):
        ids = json.loads(facts).get("ids", {})
        known |= _keys(ids) | _titles(title, ids) | {(LIBRARY, f"{project}/{name}"), ("id", name)}
    for result in results:
        ids = result.ids.model_dump()
        own = _keys(ids).union({("id", result.id)}, *(_keys(each.model_dump()) for each in result.versions))
        if known & (own | {(WITHOUT_DOI if ids["doi"] else TITLE, fold(result.title))}):
            counts["duplicates"] += 1
        else:
            known |= own | _titles(result.title, ids)
            fields = {name: value for name, value in result if name in LibraryPaper.model_fields and value is not None}
            new.append(LibraryPaper.model_validate(fields))
    return counts + writer.add(ORIGIN, new)


def _keys(ids: Mapping[str, object]) -> Keys:
    """Return the identifiers among some fields, with their systems, those of other systems too."""
    other = ids.get("other")
    known = [*((name, ids.get(name)) for name in ID_SYSTEMS), *(other.items() if isinstance(other, dict) else ())]
    return {(name, value) for name, value in known if isinstance(value, str)}


def _titles(title: str, ids: Mapping[str, object]) -> Keys:
    return {(kind, fold(title)) for kind in (TITLE, *(() if ids.get("doi") else (WITHOUT_DOI,)))}
