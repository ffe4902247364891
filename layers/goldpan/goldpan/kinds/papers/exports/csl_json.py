"""Papers as CSL-JSON, which Zotero, pandoc and citation processors read.

https://docs.citationstyles.org/en/stable/specification.html, appendices III and IV, and its schema `csl-data.json`.
"""

import json
from collections.abc import Iterable

from goldpan.escaping import escape_json, plain
from goldpan.kinds.papers.facts import UNNAMED, address, entry_types, imprint, notes, people, with_keys
from goldpan.kinds.papers.person_names import Name
from goldpan.kinds.papers.results import RankedPaper

OWN = ("PMID", "PMCID")
"""Have fields of their own, as the arXiv id of a preprint has."""


def render_csl_json(papers: Iterable[RankedPaper]) -> str:
    """Render a list of items, in their order."""
    made = [_item(item, key) for item, key in with_keys(papers)]
    return escape_json(json.dumps(made, ensure_ascii=False, indent=2)) + "\n"


def _item(item: RankedPaper, key: str) -> dict[str, object]:
    kind = entry_types(item)[3]
    venue, publisher = imprint(item)
    if kind in {"article", "dataset"} and not publisher:  # their venue is not their container
        venue, publisher = "", venue
    own = (*OWN, "arXiv:") if kind == "article" else OWN
    fields: dict[str, object] = {
        "id": key,
        "type": kind,
        "title": plain(item.title),
        "author": [_name(author) for author in people(item.authors)],
        "editor": [_name(editor) for editor in people(item.editors)],
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
