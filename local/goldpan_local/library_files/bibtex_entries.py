"""Parses a bibliography in BibTeX into entries, each entry into the fields of a record, and these into papers."""

import logging
import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from bibtexparser import Library, parse_string
from bibtexparser.model import Block, DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock
from goldpan.infra.input_lines import quoted, require_few
from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.publication import PUBLICATION
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from pylatexenc.latex2text import LatexNodes2Text

from goldpan_local.library_files.record import Reading, make_library_paper

TYPES: dict[str, PaperType] = {
    "article": "article", "inproceedings": "conference", "conference": "conference", "proceedings": "book",
    "book": "book", "inbook": "chapter", "incollection": "chapter", "phdthesis": "thesis", "mastersthesis": "thesis",
    "thesis": "thesis", "dataset": "dataset",
}  # fmt: skip
VENUES = ("journal", "journaltitle", "booktitle", "school", "howpublished", "publisher")
SUMMARIES, KEYWORDS = ("annote", "annotation"), ("keywords", "keyword")
"""Fields that hold what the user wrote, and the tags."""
FACTS = {name: name for name in PUBLICATION} | {"number": "issue", "copyright": "license"}
"""What a bibliography says of the publication, by the names of BibTeX."""
TYPESET = ("title", "year", "date", "abstract", *FACTS, *VENUES, *SUMMARIES, *KEYWORDS)
"""Fields that are read as LaTeX typesets them."""
READ = (*TYPESET, "author", "editor", "archiveprefix", "eprinttype", "eprint", "url", "doi", "pmid", "pmcid")
MAX_FIELD = 100_000
"""Characters of a field that is read; LaTeX of that length takes up to two seconds."""
MAX_FIELDS = 4_000_000
"""Of all entries, counted by their signs = and @."""
_YEAR = re.compile(r"(?<!\d)(1[5-9]|20)\d\d(?!\d)")
_LATEX = re.compile(r"[\\{}$~]")
_ABS = re.compile(r"^abs/(?=\S*\d)")
"""Begins the volume of CoRR, which is an arXiv id, in the bibliographies of DBLP."""
_NAME_BREAK = re.compile(r"(?<!\s)\s+and\s+", re.IGNORECASE)


def parse_bibtex(name: str, text: str) -> Library:
    """Parse a bibliography; what cannot be read is in the library's `failed_blocks`.

    Raises `InvalidRequest` for one with more entries and fields than memory is meant for.
    """
    require_few(name, text, "=@", MAX_FIELDS, "fields and entries")
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # its warnings are the blocks that failed
    return parse_string(text)


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


def read_bibliography(path: Path, prefix: str, reading: Reading) -> Iterator[LibraryPaper]:
    """Read a bibliography in BibTeX; the key of an entry is its id."""
    library = parse_bibtex(str(path), reading.text(path))
    for block in library.failed_blocks:
        reading.skip(path, f"line {line_of(block)}", describe_fault(block))
    for entry in library.entries:
        yield from reading.paper(path, f"line {line_of(entry)}", partial(_paper, entry, prefix, reading))


def _paper(entry: Entry, default_id: str, reading: Reading) -> LibraryPaper:
    return make_library_paper({"id": entry.key, **record_fields(entry)}, default_id, reading.counts)


def record_fields(entry: Entry) -> dict[str, object]:
    """Return the fields of the record that an entry describes. Raises `ValueError` for LaTeX nested too deeply."""
    try:
        return _record_fields(entry)
    except RecursionError as error:
        raise ValueError(f"{entry.key}: LaTeX that is nested too deeply") from error


def typeset(value: str) -> str:
    """Return the text that LaTeX typesets."""
    if not _LATEX.search(value):
        return " ".join(value.split())
    return " ".join(str(_decoder().latex_to_text(value)).split())


def _record_fields(entry: Entry) -> dict[str, object]:
    fields = {field.key.lower(): str(field.value) for field in entry.fields if field.key.lower() in READ}
    for name, value in fields.items():
        if len(value) > MAX_FIELD:
            message = f"{name}: must have at most {MAX_FIELD:,} characters (given {len(value):,}: {quoted(value)})"
            raise ValueError(message)
    plain = {name: typeset(fields[name]) for name in TYPESET if name in fields}
    year = _YEAR.search(plain.get("year", "") or plain.get("date", ""))
    is_arxiv = "arxiv" in (fields.get("archiveprefix", "") + fields.get("eprinttype", "")).lower()
    entry_type = entry.entry_type.lower()
    volume = fields.get("volume", "")
    plain |= {"volume": ""} if _ABS.match(volume) else {}
    names = ((role, _NAME_BREAK.split(fields.get(role, ""))) for role in ("author", "editor"))
    people = {f"{role}s": tuple(typeset(each) for each in listed if each.strip() != "others") for role, listed in names}
    return {
        **{name: text for written, name in FACTS.items() if (text := plain.get(written))},
        **people,
        "pages": plain.get("pages", "").replace("--", "-"),
        "title": plain.get("title"),
        "year": int(year[0]) if year else None,
        "venue": next((plain[field] for field in VENUES if plain.get(field)), None),
        "abstract": plain.get("abstract"),
        "summary": "\n\n".join(plain[name] for name in SUMMARIES if plain.get(name)) or None,
        "tags": next((plain[name] for name in KEYWORDS if plain.get(name)), None),
        "url": _verbatim(fields.get("url")),
        "doi": _verbatim(fields.get("doi")),
        "arxiv": _verbatim(fields.get("eprint")) if is_arxiv else _ABS.sub("", volume) if _ABS.match(volume) else None,
        "pmid": fields.get("pmid"),
        "pmcid": fields.get("pmcid"),
        "type": "preprint" if is_arxiv and entry_type in {"misc", "unpublished", "online"} else TYPES.get(entry_type),
    }


def _verbatim(value: str | None) -> str | None:
    """Return an identifier or an address without the commands and escapes that LaTeX needs in it."""
    if value is None or not _LATEX.search(value):
        return value
    plain = re.sub(r"^\s*\\(?:url|nolinkurl|path|href|doi)\s*\{([^{}]*)\}.*$", r"\1", value, flags=re.DOTALL)
    plain = re.sub(r"\{(\\?[_%&#~])\}", r"\1", plain)
    return re.sub(r"\\([_%&#~{}$])", r"\1", plain)


@cache
def _decoder() -> LatexNodes2Text:
    return LatexNodes2Text(math_mode="verbatim", keep_braced_groups=False)
