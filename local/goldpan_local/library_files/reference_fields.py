"""References as records of goldpan: their fields, by the names that reference managers give them, and those in JSON."""

import re
from collections.abc import Iterable, Mapping
from typing import get_args

from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.facts import MORE_AUTHORS
from goldpan.kinds.papers.person_names import ET_AL, organisations_of, usual_name
from goldpan.kinds.papers.sources.records import plain_text

NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("ID", "id", "citationkey", "citekey", "key", "recnumber"),
    "type": ("TY", "M3", "itemtype", "reftype", "type", "genre", "documenttype"),
    "title": ("TI", "T1", "title"),
    "authors": ("AU", "A1", "author", "authors"),
    "editors": ("ED", "A2", "editor", "editors", "secondaryauthors"),
    "year": ("PY", "Y1", "DA", "issued", "publicationyear", "date", "year"),
    "venue": (
        *("T2", "JO", "JF", "BT", "JA", "journal", "journaltitle", "publicationtitle", "proceedingstitle", "booktitle"),
        *("containertitle", "secondarytitle", "fulltitle", "conferencename", "collectiontitle", "series", "repository"),
        *("school", "howpublished", "venue", "sourcetitle"),
    ),
    "publisher": ("PB", "publisher", "university", "institution", "organization"),
    "volume": ("VL", "volume"),
    "issue": ("IS", "issue", "number"),
    "pages": ("pages", "page"),
    "first_page": ("SP", "pagestart", "C7", "artno"),
    "last_page": ("EP", "pageend"),
    "serial": ("SN", "isbn", "issn"),
    "language": ("LA", "language", "langid", "languageoforiginaldocument"),
    "license": ("license", "rights", "copyright"),
    "doi": ("DO", "doi", "electronicresourcenum"),
    "pmid": ("pmid",),
    "pmcid": ("pmcid",),
    "arxiv": ("arxiv",),
    "url": ("UR", "url", "relatedurls", "weburls"),
    "pdf_url": ("L1", "pdfurl", "pdfurls"),
    "abstract": ("AB", "N2", "abstract", "abstractnote"),
    "summary": ("N1", "annote", "annotation", "notes"),
    "tags": ("KW", "keywords", "keyword", "manualtags", "automatictags", "tags", "authorkeywords"),
    "notes": ("N1", "note", "notes", "extra", "archiveid"),
    "citations": ("citations", "citedby"),
    "open_access": ("openaccess",),
}
"""The tags of RIS are in capitals; other names are in small letters, without signs between their words."""
LISTS = ("authors", "editors", "tags", "notes", "type", "serial")
TYPES: Mapping[PaperType, tuple[str, ...]] = {
    "review": ("systematic review", "meta-analysis"),
    "preprint": ("unpb", "unpublished work", "posted-content"),
    "conference": (
        *("inproceedings", "conference paper", "conferencepaper", "conference proceedings", "paper-conference"),
        *("cpaper", "conf", "congress"),
    ),
    "book": ("proceedings", "edited book", "edbook"),
    "chapter": ("inbook", "incollection", "book section", "booksection", "book chapter", "chap"),
    "thesis": ("phdthesis", "mastersthesis", "thes", "dissertation", "academic dissertation"),
    "dataset": ("data",),
    "article": ("jour", "ejour", "journal article", "journalarticle", "article-journal", "article-magazine", "mgzn"),
}
TYPE_OF = {name: kind for kind, names in TYPES.items() for name in names} | {kind: kind for kind in get_args(PaperType)}
MARKED = ("title", "summary")
"""May have the HTML that Zotero writes."""
ACCESS = {"true": True, "yes": True, "false": False, "no": False}
CSL_ALONE = ("issued", "container-title", "DOI", "URL", "ISSN", "ISBN", "page", "genre", "PMID")
"""Fields by which an object with a type is a reference of CSL; the records of goldpan have other names."""
PARTS = ("annotation", "attachment", "note")
"""What Zotero keeps beside the references that it belongs to."""
TAG_LETTERS, ISSN_DIGITS, ENDS = 2, 8, ("first", "last")
CONTAINED = ("article", "review", "conference", "chapter")
"""Types whose venue is never their publisher."""
UNREAD = ("notes", "serial", "first_page", "last_page")
"""What is not a field of a record by itself."""
_SERIAL = re.compile(r"\d[\dX-]{7,}")
_YEAR = re.compile(r"(?<!\d)(1[5-9]|20)\d\d(?!\d)")
_NOTE = re.compile(r"\s*(doi|pmid|pmcid|arxiv|license)\s*:\s*(\S.*)", re.IGNORECASE)
_NOTICE = re.compile(
    r"\s*(?:partial )?(?:retract|withdraw|remov|correct|corrig|errat|expression of|addend|clarif)\w*(?: \w+)?:\s*\S",
    re.IGNORECASE,
)


def reference(held: Mapping[str, object]) -> dict[str, object]:
    """Return the record of a reference by its tags or names: one year and type, and what its notes say."""
    known = {name if len(name) == TAG_LETTERS else re.sub(r"[\W_]", "", name.lower()): held[name] for name in held}
    found = {field: [part for name in names for part in _list(known.get(name))] for field, names in NAMES.items()}
    record = {field: values if field in LISTS else values[0] for field, values in found.items() if values}
    found["authors"] += [ET_AL for text in found["notes"] if MORE_AUTHORS in str(text)]
    for role in ("authors", "editors"):
        record[role] = [usual_name(each) if isinstance(each, str) else each for each in found[role]]
    record["organisations"] = organisations_of(map(_whole, (*found["authors"], *found["editors"])))
    pages = str(record.get("pages") or "-".join(str(record.pop(f"{end}_page")) for end in ENDS if found[f"{end}_page"]))
    year = next(filter(None, (_YEAR.search(str(date)) for date in found["year"])), None)
    record |= {"pages": re.sub(r"\s*[-\u2013]+\s*", "-", pages), "year": int(year[0]) if year else None}
    record |= {
        "open_access": ACCESS.get(str(record.get("open_access")).lower()),
        "url": next((url for url in found["url"] if str(url).startswith("http")), None),
        "type": _type(map(str, found["type"])),
        "tags": found["tags"][0] if len(found["tags"]) == 1 else found["tags"],
    }
    for number in (number for text in found["serial"] for number in _SERIAL.findall(str(text).upper())):
        record.setdefault("isbn" if sum(map(str.isdigit, number)) > ISSN_DIGITS else "issn", number)
    numbers = [text for text in found["issue"] if _NOTE.match(str(text))]  # a preprint may have its id as its number
    record["issue"] = next((text for text in found["issue"] if text not in numbers), None)
    lines = [line for text in [*numbers, *found["notes"]] for line in re.split(r"\n|;\s", str(text))]
    facts = [match for match in map(_NOTE.match, lines) if match]
    for match in facts:
        record.setdefault(match[1].lower(), match[2].strip())
    record["notices"] = notices = [line.strip() for line in lines if _NOTICE.match(line)]
    read = {MORE_AUTHORS, *notices, *(match[0] for match in facts)}
    record["summary"] = "\n".join(text for text in map(str, found["summary"]) if text not in read)
    record |= {name: plain_text(text) for name in MARKED if isinstance(text := record.get(name), str) and "<" in text}
    if not record.get("venue") and record["type"] not in CONTAINED:
        record |= {"venue": record.get("publisher"), "publisher": None}
    if str(record.get("id", "")).isdecimal():  # the number of a record in its file alone
        record["id"] = None
    return {name: value for name, value in record.items() if name not in UNREAD and value not in (None, "", [])}


def _whole(person: object) -> object:
    """Return a name that is not divided: one without parts, or one that ends with a comma, as EndNote writes it."""
    if isinstance(person, Mapping):
        return person.get("literal") or person.get("name")
    return str(person).strip(" ,") if str(person).endswith(",") else None


def _list(value: object) -> list[object]:
    return [each for each in (value if isinstance(value, list | tuple) else [value]) if each not in (None, "")]


def _type(names: Iterable[str]) -> str | None:
    """Return the type that says most: many a review is an article too."""
    known = [TYPE_OF[name] for written in names if (name := written.strip().lower()) in TYPE_OF]
    return next((kind for kind in known if kind != "article"), next(iter(known), None))


def in_json(entry: object) -> dict[str, object] | None:
    """Return a reference of CSL-JSON, Zotero or Better BibTeX as a record. Raises `ValueError` for a file or a note."""
    if not isinstance(entry, Mapping):
        return None
    if isinstance(entry.get("itemType"), str):
        if entry["itemType"] in PARTS:
            raise ValueError(f"{entry['itemType']}: not a reference")
        lists = (entry.get(name) for name in ("creators", "tags", "notes"))
        rows = [row for listed in lists if isinstance(listed, list) for row in listed if isinstance(row, Mapping)]
        notes = "\n\n".join(str(row["note"]) for row in rows if "note" in row)
        people = {role: [row for row in rows if row.get("creatorType") == role] for role in ("author", "editor")}
        tags = [row["tag"] for row in rows if "tag" in row]
        return reference({**entry, **people, "tags": tags, "notes": None, "annote": notes})
    if isinstance(entry.get("type"), str) and any(name in entry for name in CSL_ALONE):
        return reference({**entry, "type": "preprint" if entry["type"] == "article" else entry["type"]})
    return None
