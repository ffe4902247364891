"""Parses a bibliography in BibTeX into entries, each entry into the fields of a record, and these into papers."""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path

from bibtexparser import Library, parse_string
from bibtexparser.middlewares import RemoveEnclosingMiddleware, default_parse_stack
from bibtexparser.model import Block, DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock
from goldpan.infra.input_lines import quoted, require_few
from pylatexenc import latex2text, latexwalker
from pylatexenc.macrospec import MacroSpec

from goldpan_local.library_files.records import Entries, Reading
from goldpan_local.library_files.reference_fields import NAMES, reference

PEOPLE, VERBATIM = ("author", "editor"), ("url", "doi", "eprint", "pmid", "pmcid")
"""Fields of names, and those that are not typeset."""
READ = frozenset(chain(*NAMES.values(), ("archiveprefix", "eprinttype", "eprint", "crossref")))
INHERITED = [NAMES[name] for name in ("year", "venue", "editors", "publisher", "volume", "issue", "serial", "language")]
"""What an entry has of the one that its `crossref` names, if it has none of these fields itself."""
MAX_FIELD = 100_000
"""Characters of a field that is read; LaTeX of that length takes up to two seconds."""
MAX_FIELDS = 4_000_000
"""Of all entries, counted by their signs = and @."""
SIGNS = {
    "textquotedbl": '"', "textasciicircum": "^", "textbraceleft": "{", "textbraceright": "}", "textless": "<",
    "textgreater": ">", "textbar": "|", "textunderscore": "_", "S": "\u00a7", "href": "%(2)s",
    **{name: name for name in ("TeX", "LaTeX", "BibTeX", "XeTeX", "LuaTeX")},
}  # fmt: skip
"""What is typeset for commands that pylatexenc does not know, or knows otherwise."""
NO_TEXT = ("label", "color", "selectlanguage", "hphantom", "vphantom")
"""Commands whose arguments are not typeset."""
_COMMANDS, _TEXTS = latexwalker.get_default_latex_context_db(), latex2text.get_default_latex_context_db()
_COMMANDS.add_context_category("href", macros=[MacroSpec("href", "{{")])
_TEXTS.add_context_category(
    "signs", prepend=True, macros=[latex2text.MacroTextSpec(*each) for each in (*SIGNS.items(), *zip(NO_TEXT))]
)
_TEXTS.set_unknown_macro_spec(latex2text.MacroTextSpec("", discard=False))  # its arguments are typeset
_DECODER = latex2text.LatexNodes2Text(_TEXTS, math_mode="verbatim", keep_braced_groups=False)
_LATEX = re.compile(r"[\\{}$~]")
_ABS = re.compile(r"^abs/(?=\S*\d)")
"""Begins the volume of CoRR, which is an arXiv id, in the bibliographies of DBLP."""
_PART = r'\s*(\{(?:[^{}]|\{[^{}]*\})*\}|"[^"]*"|[^\s#"{}]+)\s*'
_BRACED = re.compile(r"\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*")
_SIGNS = ("{", '"')
_JOINED = re.compile(rf"{_PART}(?:#{_PART})+")
"""A value in parts that # joins: texts, and macros by their names."""
_IN_NAMES = re.compile(r"\\.|[{}]|\s(and)(?=\s)", re.IGNORECASE | re.DOTALL)


def parse_bibtex(name: str, text: str, repair: Callable[[Library], None] | None = None) -> Library:
    """Parse a bibliography; faults that `repair` leaves are in its `failed_blocks`. Raises `InvalidRequest`."""
    require_few(name, text, "=@", MAX_FIELDS, "fields and entries")
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # its warnings are the blocks that failed
    library = parse_string(text, parse_stack=())
    if repair is not None:
        repair(library)
    for middleware in default_parse_stack():  # which passes over a failed block, with the braces of its fields
        library = middleware.transform(library)
    return library


def line_of(block: Block) -> int:
    """Return the number of the line on which a block begins."""
    return int(block.start_line) + 1


def describe_fault(block: ParsingFailedBlock) -> str:
    """Describe a block that cannot be read, in one line."""
    if isinstance(block, DuplicateBlockKeyBlock):
        return f"id: {block.key!r} is already that of line {line_of(block.previous_block)}"
    if isinstance(block, DuplicateFieldKeyBlock):
        fields = ", ".join(sorted(block.duplicate_keys))
        return f"an entry has a field more than once: {fields}"
    return " ".join(str(getattr(block.error, "abort_reason", block.error)).split())


def bibliography_entries(path: Path, reading: Reading) -> Entries:
    """Read a bibliography in BibTeX; the key of an entry is its id."""
    library = parse_bibtex(str(path), reading.text(path))
    for block in library.failed_blocks:
        reading.skip(path, f"line {line_of(block)}", describe_fault(block))
    yield from ((f"line {line_of(entry)}", parse) for entry, parse in records_of(library))


def records_of(library: Library) -> Iterator[tuple[Entry, Callable[[], dict[str, object]]]]:
    """Yield each entry with what parses the fields of its record; that raises `ValueError` for a wrong one."""
    macros, entries = _macros(library), library.entries_dict
    for entry in library.entries:
        yield entry, partial(_record, entry, entries, macros)


def _record(entry: Entry, entries: Mapping[str, Entry], macros: Mapping[str, str]) -> dict[str, object]:
    fields = _fields(entry, macros)
    if parent := entries.get(fields.pop("crossref", "").strip()):
        given = _fields(parent, macros)
        given.setdefault("booktitle", given.get("title", ""))
        for names in INHERITED:
            if fields.keys().isdisjoint(names):
                fields |= {name: given[name] for name in names if name in given}
    return reference(_reference(entry.entry_type, fields)) | {"id": entry.key}


def typeset(value: str) -> str:
    """Return the text that LaTeX typesets. Raises `ValueError` if it cannot be read."""
    if not _LATEX.search(value):
        return " ".join(value.split())
    try:
        return " ".join(str(_DECODER.latex_to_text(value, latex_context=_COMMANDS)).split())
    except Exception as error:  # of any class, if a command lacks what pylatexenc expects
        fault = "is nested too deeply" if isinstance(error, RecursionError) else "cannot be read"
        raise ValueError(f"LaTeX that {fault}: {quoted(value)}") from error


def _macros(library: Library) -> dict[str, str]:
    """Return what each macro of a bibliography stands for; it can name those before it."""
    macros: dict[str, str] = {}
    for string in library.strings:
        macros[string.key.lower()] = _joined(string, str(string.value), macros)
    return macros


def _joined(block: Block, value: str, macros: Mapping[str, str], key: str | None = None) -> str:
    """Return a value with its parts joined, and the macros in it replaced; one longer than any field is truncated."""
    enclosed = block.parser_metadata.get(RemoveEnclosingMiddleware.metadata_key(), {})
    if (enclosed.get(key) if key else enclosed) in _SIGNS or not _JOINED.fullmatch(value):
        return value
    parts = (match[1] for match in re.finditer(_PART, value))
    texts = (part[1:-1] if part[0] in _SIGNS else macros.get(part.lower(), part) for part in parts)
    return "".join(texts)[: MAX_FIELD + 1]


def _fields(entry: Entry, macros: Mapping[str, str]) -> dict[str, str]:
    named = ((field.key.lower(), _joined(entry, str(field.value), macros, field.key)) for field in entry.fields)
    return {name: value for name, value in named if name in READ}


def _reference(entry_type: str, fields: Mapping[str, str]) -> dict[str, object]:
    for name, value in fields.items():
        if len(value) > MAX_FIELD:
            message = f"{name}: must have at most {MAX_FIELD:,} characters (given {len(value):,}: {quoted(value)})"
            raise ValueError(message)
    held: dict[str, object] = {
        name: _people(value) if name in PEOPLE else _verbatim(value) if name in VERBATIM else typeset(value)
        for name, value in fields.items()
    }
    is_arxiv = "arxiv" in (fields.get("archiveprefix", "") + fields.get("eprinttype", "")).lower()
    is_preprint = is_arxiv and entry_type.lower() in {"misc", "unpublished", "online"}
    held |= {"type": [held.get("type"), "preprint" if is_preprint else entry_type]}
    if _ABS.match(volume := fields.get("volume", "")):
        held |= {"arxiv": _ABS.sub("", volume), "volume": None}
    return held | ({"arxiv": held.get("eprint")} if is_arxiv else {})


def _people(names: str) -> list[object]:
    """Return the names that "and" separates, but within braces; one that is all in braces as a literal one of CSL."""
    depth = start = 0
    found: list[str] = []
    for match in _IN_NAMES.finditer(names):
        depth = max(0, depth + (match[0] == "{") - (match[0] == "}"))
        if match[1] and not depth:
            found.append(names[start : match.start()])
            start = match.end()
    named = ((_BRACED.fullmatch(name), typeset(name)) for name in (*found, names[start:]))
    return [{"literal": text} if is_whole and text else text for is_whole, text in named]


def _verbatim(value: str) -> str:
    """Return an identifier or an address without the commands and escapes that LaTeX needs in it."""
    if not _LATEX.search(value):
        return value
    plain = re.sub(r"^\s*\\(?:url|nolinkurl|path|href|doi)\s*\{([^{}]*)\}.*$", r"\1", value, flags=re.DOTALL)
    plain = re.sub(r"\{(\\?[_%&#~])\}", r"\1", plain)
    return re.sub(r"\\([_%&#~{}$])", r"\1", plain)
