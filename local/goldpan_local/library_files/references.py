"""Reads the references of reference managers: RIS, PubMed's nbib, EndNote's XML, and tables as Zotero's."""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from goldpan.errors import InvalidRequest, naming
from goldpan.infra.input_lines import require_few
from rispy import RisParser

from goldpan_local.files import MAX_FILE_BYTES
from goldpan_local.library_files.records import Entries, Reading
from goldpan_local.library_files.reference_fields import NAMES, reference

NBIB = {
    "FAU": "AU", "CN": "AU", "FED": "ED", "BTI": "TI", "JT": "T2", "TA": "JA", "DP": "PY", "PT": "M3",
    "VI": "VL", "IP": "IS", "IS": "SN", "ISBN": "SN", "LID": "DO", "AID": "DO", "OT": "KW", "MH": "KW", "PMC": "pmcid",
    "PG": "pages", "EIN": "Erratum", "RIN": "Retraction", "ECI": "Expression of concern",
}  # fmt: skip
"""The tags of PubMed by those of RIS, or by other names."""
LISTED = ("author", "editor", "tag", "keyword")
"""Ends the names of columns that hold several values."""
_WRAPPED = re.compile(r"^((?!KW|N1)[A-Z][A-Z0-9]  -.*)((?:\n(?![A-Z][A-Z0-9]  -).*+)++)", re.MULTILINE)
"""A value in RIS with its further lines; each line of keywords and notes is a value of its own."""
_ONE_SPACE = re.compile(rf"^({'|'.join(filter(str.isupper, chain(*NAMES.values())))}|ER) -(?=\s)", re.MULTILINE)
"""A tag of RIS with a space before its hyphen, as some write it; others, such as "US - ", are words of a text."""
_INITIALS_LAST = re.compile(r"[^,;]+ (?:-?\w\.)+(?:, [^,;]+ (?:-?\w\.)+)*")


class NbibParser(RisParser):  # type: ignore[misc]  # rispy ships no types
    """Reads PubMed's format, whose tags have up to four letters."""

    START_TAG = "PMID"

    def parse_line(self, line: str) -> tuple[str, str] | tuple[None, str]:
        """Return the tag and the content of a line."""
        match = re.match(r"([A-Z]{2,4}) *-(.*)", line)
        return (match[1], match[2].strip()) if match else (None, line.strip())


def _ris(path: Path, reading: Reading, parser: type[RisParser]) -> Iterator[Mapping[str, object]]:
    text = reading.text(path).replace("\r\n", "\n").replace("\r", "\n")
    require_few(str(path), text, "\n", 10_000_000, "lines")
    if parser is NbibParser:  # an empty line ends a record
        text = re.sub(r"\n\s*\n", "\nER  -\n", f"{text.strip()}\n\n")
    text = re.sub(r"\n +(?=\S)", " ", text)
    if parser is RisParser:
        text = _ONE_SPACE.sub(r"\1  -", text)
        text = _WRAPPED.sub(lambda match: f"{match[1]} {' '.join(match[2].split())}", text)
    found = re.findall(r"^([A-Z][A-Z0-9]{1,3}) {0,2}-", text, re.MULTILINE)
    tags = dict.fromkeys((parser.START_TAG, parser.UNKNOWN_TAG, *found))
    opened = re.split(rf"^(?={parser.START_TAG} {{0,2}}-)", text, flags=re.MULTILINE)[1:]
    ended = [each for each in opened if re.search(r"^ER {0,2}-", each, re.MULTILINE)]
    for _ in range(len(opened) - len(ended)):
        reading.skip(path, "", "a reference has no end (ER)")
    records = parser(mapping={tag: tag for tag in tags}, list_tags=[*tags]).parse("".join(ended))
    yield from map(_of_pubmed, records) if parser is NbibParser else records


def _of_pubmed(record: Mapping[str, str | list[str]]) -> Mapping[str, object]:
    """Return a record by the tags of RIS; of the identifiers of a place, the DOI ends in `[doi]`."""
    found = defaultdict[str, list[str]](list)
    for tag, held in record.items():
        if f"F{tag}" in record:  # the full names
            continue
        name = NBIB.get(tag, tag)
        for text in [held] if isinstance(held, str) else held:
            if text and (name != "DO" or text.endswith("[doi]")):
                is_note = len(name) > len("pmcid")
                found["N1" if is_note else name].append(f"{name}: {text}" if is_note else text.removesuffix("[doi]"))
    return found


def _endnote(path: Path, reading: Reading) -> Iterator[Mapping[str, object]]:
    """Yield the references that EndNote exports as XML. Raises `InvalidRequest` for another document."""
    try:
        root: Element = fromstring(reading.text(path), forbid_dtd=True)  # decoded, whatever it declares
    except DefusedXmlException as error:
        raise InvalidRequest(f"{path}: declares a document type (DTD), which an export of EndNote does not") from error
    except (ParseError, ValueError) as error:
        raise InvalidRequest(f"{path}: not XML that can be read: {error}") from error
    if root.find("records/record") is None:
        raise InvalidRequest(f"{path}: has no references; EndNote's <xml><records><record> is required")
    for record in root.iterfind("records/record"):
        found = defaultdict[str, list[str]](list)
        for parent in record.iter():
            for part in (part for part in parent if all(inner.tag == "style" for inner in part)):
                name = parent.tag if part.tag in {"author", "url"} else part.tag
                found[name].append(part.get("name") or "".join(part.itertext()).strip())
        yield found


def _table(path: Path, reading: Reading) -> Iterator[Mapping[str, object]]:
    """Yield the rows of a table by the names of its columns. Raises `InvalidRequest` if none is the title."""
    csv.field_size_limit(MAX_FILE_BYTES)  # a note may be long
    text = io.StringIO(reading.text(path), newline="")
    # Excel writes semicolons where the comma is the decimal sign
    rows = csv.DictReader(text, restkey="", delimiter=max(",;\t", key=text.readline().count))
    text.seek(0)
    with naming(f"{path}: not a table that can be read", csv.Error):
        if "title" not in (name.lower() for name in rows.fieldnames or ()):
            raise InvalidRequest(f"{path}: its first line must name the columns, of which one is Title")
        for row in rows:
            yield {name: _values(name.lower().rstrip("s"), text) for name, text in row.items() if text}


def _values(column: str, cell: str) -> Sequence[str]:
    """Return the values of a cell, which semicolons separate; commas do names with initials, as Scopus wrote them."""
    if column.endswith("author") and _INITIALS_LAST.fullmatch(cell):
        return cell.split(",")
    return cell.split(";") if column.endswith(LISTED) else cell


def _read(hold: Callable[[Path, Reading], Iterator[Mapping[str, object]]], path: Path, reading: Reading) -> Entries:
    for number, held in enumerate(hold(path, reading), start=1):
        yield f"reference {number}", partial(reference, held)


READERS: Mapping[str, Callable[[Path, Reading], Entries]] = {
    ".ris": partial(_read, partial(_ris, parser=RisParser)), ".nbib": partial(_read, partial(_ris, parser=NbibParser)),
    ".xml": partial(_read, _endnote), ".csv": partial(_read, _table),
}  # fmt: skip
"""What reads the references of a file, by its suffix."""
