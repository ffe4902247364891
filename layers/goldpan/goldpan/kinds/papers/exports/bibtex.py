"""Papers as BibTeX: UTF-8, so that every script is kept; no text of a source can add LaTeX commands or entries."""

import re
from collections.abc import Iterable, Iterator

from goldpan.escaping import plain
from goldpan.kinds.papers.facts import BOOKS, UNNAMED, address, entry_types, imprint, people, with_keys
from goldpan.kinds.papers.person_names import Name
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
        yield role, " and ".join(map(write_name, people(names)))
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


def _protected(word: str) -> str:
    """Put a word with capitals after its first letter into braces, because styles write titles in lower case."""
    inside = word[1:] if word[:1].isalpha() else word
    escaped = escape_latex(word)
    return f"{{{escaped}}}" if any(sign.isupper() for sign in inside) else escaped


def verbatim(text: str | None) -> str:
    """Reduce an identifier or address to one word that cannot end its field."""
    return "".join(_IN_ADDRESS.get(sign, sign) for sign in plain(text) if not sign.isspace())
