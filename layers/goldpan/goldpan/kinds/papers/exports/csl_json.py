"""Papers as CSL-JSON, which Zotero, pandoc and citation processors read.

https://docs.citationstyles.org/en/stable/specification.html, appendices III and IV, and its schema `csl-data.json`.
"""

import json
from collections.abc import Iterable

from goldpan.escaping import escape_json, plain
from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.exports.citation_keys import citation_keys
from goldpan.kinds.papers.exports.facts import UNNAMED, address, imprint, notes
from goldpan.kinds.papers.person_names import Name, split_name
from goldpan.kinds.papers.results import RankedPaper

TYPES: dict[PaperType, str] = {
    "article": "article-journal",
    "review": "article-journal",  # CSL's own "review" is one of a book
    "preprint": "article",
    "conference": "paper-conference",
    "book": "book",
    "chapter": "chapter",
    "thesis": "thesis",
    "dataset": "dataset",
    "other": "document",
}
OWN = ("PMID", "PMCID")
"""Have fields of their own, as the arXiv id of a preprint has."""


def render_csl_json(papers: Iterable[RankedPaper]) -> str:
    """Render a list of items, in their order."""
    items = list(papers)
    made = [_item(item, key) for item, key in zip(items, citation_keys(items), strict=True)]
    return escape_json(json.dumps(made, ensure_ascii=False, indent=2)) + "\n"


def _item(item: RankedPaper, key: str) -> dict[str, object]:
    kind = TYPES[item.type or ("article" if item.venue else "other")]
    venue, publisher = imprint(item)
    if kind in {"article", "dataset"} and not publisher:  # their venue is not their container
        venue, publisher = "", venue
    own = (*OWN, "arXiv:") if kind == "article" else OWN
    fields: dict[str, object] = {
        "id": key,
        "type": kind,
        "title": plain(item.title),
        "author": [_name(split_name(author)) for author in item.authors if plain(author)],
        "editor": [_name(split_name(editor)) for editor in item.editors if plain(editor)],
        "issued": {"date-parts": [[item.year]]} if item.year else None,
        "container-title": venue,
        "publisher": publisher,
        "genre": item.type if item.type in UNNAMED else None,
        **{name: plain(getattr(item, name)) for name in ("volume", "issue", "language")},
        "page": plain(item.pages),
        "ISBN": plain(item.isbn),
        "ISSN": plain(item.issn),
        "DOI": plain(item.ids.doi),
        "PMID": plain(item.ids.pmid),
        "PMCID": plain(item.ids.pmcid),
        "number": f"arXiv:{plain(item.ids.arxiv)}" if kind == "article" and item.ids.arxiv else None,
        "note": "\n".join(line for line in notes(item) if not line.startswith(own)),
        "URL": address(item),
        "abstract": plain(item.abstract),
    }
    return {name: value for name, value in fields.items() if value}


def _name(name: Name) -> dict[str, str]:
    if name.literal:
        return {"literal": name.literal}
    parts = {"family": name.family, "given": name.given, "suffix": name.suffix}
    return {part: text for part, text in parts.items() if text}
