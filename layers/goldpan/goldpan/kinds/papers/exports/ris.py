"""Papers as RIS, which EndNote, Zotero, Mendeley and the tools for systematic reviews read.

Source: "RIS Format Specifications", of 2011; every tag is of it.
"""

from collections.abc import Iterable, Iterator

from goldpan.escaping import plain, web_address
from goldpan.kinds.papers.facts import UNNAMED, address, entry_types, imprint, notes, people, with_keys
from goldpan.kinds.papers.results import RankedPaper


def render_ris(papers: Iterable[RankedPaper]) -> str:
    """Render a record for each paper, in their order, one tag a line."""
    records: list[str] = []
    for item, key in with_keys(papers):
        records += [f"{tag}  - {text}\r\n" for tag, value in _tags(item, key) if (text := plain(value))]
        records.append("ER  - \r\n\r\n")
    return "".join(records)


def _tags(item: RankedPaper, key: str) -> Iterator[tuple[str, str | None]]:
    yield "TY", entry_types(item)[2]
    yield "ID", key
    yield from (("AU", name.reversed) for name in people(item.authors))
    yield from (("A2", name.reversed) for name in people(item.editors))
    venue, publisher = imprint(item)
    yield from (("TI", item.title), ("T2", venue), ("PB", publisher), ("PY", str(item.year or "")))
    first, _, last = (item.pages or "").partition("-")
    yield from (
        ("VL", item.volume),
        ("IS", item.issue),
        ("SP", first),
        ("EP", last),
        ("SN", item.isbn),
        ("SN", item.issn),
    )
    yield from (("LA", item.language), ("DO", item.ids.doi), ("UR", address(item)), ("L1", web_address(item.pdf_url)))
    yield from (("M3", item.type if item.type in UNNAMED else ""), ("AB", item.abstract))
    yield from (("N1", note) for note in notes(item))
