"""Papers as bibliographies, for reference managers: BibTeX, CSL-JSON and RIS.

BibTeX is in UTF-8, so that every script is kept; no text of a source can add LaTeX commands or entries. Zotero, pandoc
and citation processors read CSL-JSON: https://docs.citationstyles.org/en/stable/specification.html, appendices III and
IV, and its schema `csl-data.json`. EndNote, Zotero, Mendeley and the tools for systematic reviews read RIS: "RIS Format
Specifications", of 2011; every tag is of it.
"""

import json
import re
from collections.abc import Iterable, Iterator

from goldpan.escaping import escape_json, plain, web_address
from goldpan.kinds.papers.facts import BOOKS, UNNAMED, address, entry_types, imprint, notes, people, with_keys
from goldpan.kinds.papers.person_names import Name, may_have_more
from goldpan.kinds.papers.results import RankedPaper

INDENT = "  "
_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_"},
    "\\": "{\\textbackslash}", "{": "{\\textbraceleft}", "}": "{\\textbraceright}",
    "~": "{\\textasciitilde}", "^": "{\\textasciicircum}", '"': "{\\textquotedbl}", "@": "{@}",
}  # fmt: skip
"""The LaTeX of each special character. BibTeX counts escaped braces too, so a brace must be a command."""
_LIGATURE = re.compile(r"(?<=[-'`])(?=[-'`])|(?<=[?!])(?=`)")
"""Between signs that LaTeX typesets as one, such as two hyphens as a dash."""
_IN_ADDRESS = {"\\": "%5C", "{": "%7B", "}": "%7D"}
"""Identifiers and addresses are typeset as they are written; these alone would end the field."""
_SPLIT = re.compile(r",|\band\b", re.IGNORECASE)
"""Where BibTeX would split a part of a name."""


class OwnPaper(RankedPaper):
    """A paper of the user's own files, with what these say about it."""

    tags: tuple[str, ...] = ()
    summary: str = ""


def _own_words(item: RankedPaper) -> tuple[tuple[str, ...], str]:
    return (item.tags, item.summary) if isinstance(item, OwnPaper) else ((), "")


def render_bibtex(papers: Iterable[RankedPaper]) -> str:
    """Render an entry for each paper, in their order, one field per line."""
    entries: list[str] = []
    for item, key in with_keys(papers):
        lines = [f"{INDENT}{name} = {{{value}}},\n" for name, value in _fields(item) if value]
        entries.append(f"@{entry_types(item)[0]}{{{key},\n{''.join(lines)}}}\n")
    return "\n".join(entries)


def escape_latex(text: str | None) -> str:
    """Reduce a text to one line that LaTeX typesets as it is written."""
    return _LIGATURE.sub("{}", "".join(_LATEX.get(sign, sign) for sign in plain(text)))


def write_name(name: Name) -> str:
    """Write a name so that BibTeX reads the same parts: "Lovelace, Ada", or all of it in braces."""
    if name.literal:
        return f"{{{escape_latex(name.literal)}}}"
    parts = [(part, escape_latex(part)) for part in (name.family, name.suffix, name.given) if part]
    return ", ".join(f"{{{text}}}" if _SPLIT.search(part) else text for part, text in parts)


def _fields(item: RankedPaper) -> Iterator[tuple[str, str]]:
    for role, names in (("author", item.authors), ("editor", item.editors)):
        others = ["others"] if may_have_more(names) else []  # as BibTeX writes further names
        yield role, " and ".join([*map(write_name, people(item, names)), *others])
    yield "title", " ".join(_protected(word) for word in plain(item.title).split())
    venue, publisher = map(escape_latex, imprint(item))
    own = entry_types(item)[1]
    yield from ((own, publisher), ("series", venue)) if item.type in BOOKS else ((own, venue), ("publisher", publisher))
    yield "volume", escape_latex(item.volume)
    yield "number", escape_latex(item.issue)
    yield "pages", re.sub(r"(?<=\w)-(?=\w)", "--", escape_latex(item.pages))
    yield "year", str(item.year or "")
    yield from ((name, escape_latex(getattr(item, name))) for name in ("isbn", "issn", "language"))
    yield "copyright", escape_latex(item.license)
    yield "type", str(item.type) if item.type in UNNAMED else ""
    yield from ((name, verbatim(getattr(item.ids, name))) for name in ("doi", "pmid", "pmcid"))
    if item.ids.arxiv:
        yield "eprint", verbatim(item.ids.arxiv)
        yield "archivePrefix", "arXiv"
    yield "url", verbatim(address(item))
    yield "note", escape_latex("; ".join(item.notices))
    yield "abstract", escape_latex(item.abstract)
    tags, summary = _own_words(item)
    yield from (("keywords", escape_latex(", ".join(tags))), ("annote", escape_latex(summary)))


def _protected(word: str) -> str:
    """Put a word with capitals after its first letter into braces, because styles write titles in lower case."""
    escaped = escape_latex(word)
    return f"{{{escaped}}}" if any(sign.isupper() for sign in word[1:]) else escaped


def verbatim(text: str | None) -> str:
    """Reduce an identifier or address to one word that cannot end its field."""
    return "".join(_IN_ADDRESS.get(sign, sign) for sign in plain(text) if not sign.isspace())


def render_csl_json(papers: Iterable[RankedPaper]) -> str:
    """Render a list of items, in their order."""
    made = [_item(item, key) for item, key in with_keys(papers)]
    return escape_json(json.dumps(made, ensure_ascii=False, indent=2)) + "\n"


def _item(item: RankedPaper, key: str) -> dict[str, object]:
    kind = entry_types(item)[3]
    venue, publisher = imprint(item)
    if kind in {"article", "dataset"} and not publisher:  # their venue is not their container
        venue, publisher = "", venue
    own = ("PMID", "PMCID", "arXiv:") if kind == "article" else ("PMID", "PMCID")  # which have fields of their own
    tags, summary = _own_words(item)
    roles = (("author", item.authors), ("editor", item.editors))
    fields: dict[str, object] = {
        "id": key,
        "type": kind,
        "title": plain(item.title),
        **{
            role: [{part: text for part, text in vars(name).items() if text} for name in people(item, names)]
            for role, names in roles
        },
        "issued": {"date-parts": [[item.year]]} if item.year else None,
        "container-title": venue,
        "publisher": publisher,
        "genre": item.type if item.type in UNNAMED else None,
        **{name: plain(getattr(item, name)) for name in ("volume", "issue", "language")},
        "page": plain(item.pages),
        **{name: plain(getattr(item, name.lower())) for name in ("ISBN", "ISSN")},
        **{name: plain(getattr(item.ids, name.lower())) for name in ("DOI", "PMID", "PMCID")},
        "number": f"arXiv:{plain(item.ids.arxiv)}" if kind == "article" and item.ids.arxiv else None,
        "note": "\n".join(line for line in notes(item) if not line.startswith(own)),
        "URL": address(item),
        "abstract": plain(item.abstract),
        "keyword": plain(", ".join(tags)),
        "annote": plain(summary),
    }
    return {name: value for name, value in fields.items() if value}


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
    yield from (("AU", name.reversed) for name in people(item, item.authors))
    yield from (("A2", name.reversed) for name in people(item, item.editors))
    venue, publisher = imprint(item)
    yield from (("TI", item.title), ("T2", venue), ("PB", publisher), ("PY", str(item.year or "")))
    first, _, last = (item.pages or "").partition("-")
    yield from (("VL", item.volume), ("IS", item.issue), ("SP", first), ("EP", last))
    yield from (("SN", item.isbn), ("SN", item.issn), ("LA", item.language), ("DO", item.ids.doi))
    yield from (("UR", address(item)), ("L1", web_address(item.pdf_url)))
    yield from (("M3", item.type if item.type in UNNAMED else ""), ("AB", item.abstract))
    tags, summary = _own_words(item)
    yield from (*(("KW", tag) for tag in tags), *(("N1", note) for note in (*notes(item), *summary.splitlines())))
