"""Reads a PDF into a paper: its title, its identifiers, and its text, whose pages a form feed separates."""

import io
import logging
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from goldpan.identities import find_papers
from goldpan.kinds.papers.input_files.input_record import MAX_LONG
from goldpan.kinds.papers.sources.library.chunks import PAGE_BREAK
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from pypdf import PageObject, PdfReader

from goldpan_local.files import read_bytes
from goldpan_local.library_files.records import Reading, make_library_paper

MAX_BYTES, MAX_PAGES, MAX_SECONDS = 128 * 1024 * 1024, 2_000, 30
MIN_TITLE_LETTERS = 5
_NO_TITLE = re.compile(r"^(?:untitled|microsoft word\b.*|.*\.(?:dvi|docx?|pdf|tex|indd|qxd|ps)|\W*)$", re.IGNORECASE)
_STAMP = re.compile(r"arXiv:[\w./-]{7,30}v\d+\s+\[[\w.-]+\]\s+\d{1,2} [A-Z][a-z]{2} \d{4}")
_ID_ALONE = re.compile(r"(?im)^[^\w\n]*+(?:(?:doi|digital object identifier|arxiv)\b[^\w\n]*+)?\S++ *$")
"""A line of one word, which may be the identifier of the paper; those within sentences are of papers that it cites."""


def read_pdf(path: Path, paper_id: str, reading: Reading) -> LibraryPaper:
    """Read a PDF. Raises `ValueError` that describes why it is left out: it is damaged, or has no text."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings name no file
    content = read_bytes(path, MAX_BYTES)
    try:
        document = PdfReader(io.BytesIO(content))
        pages = document.pages[:MAX_PAGES]
        texts = [*_texts(pages)]
        metadata = {name: str(value) for name, value in (document.metadata or {}).items()}
        title = metadata.get("/Title", "").strip()
        title = _largest(pages[0]) if _NO_TITLE.match(title) and texts else title
    except Exception as error:  # of any class, if it is damaged, or its filter or encryption needs another package
        message = f"not a PDF that can be read: {' '.join(str(error).split())[:200] or type(error).__name__}"
        raise ValueError(message) from error
    if not any(texts):
        raise ValueError("a PDF without text, such as scanned pages")
    about = [text for name, text in metadata.items() if name != "/Title"]
    places = "\n".join([*_STAMP.findall(texts[0]), *_ID_ALONE.findall(texts[0]), *about])
    found = dict(identity.split(":", 1) for identity, _ in [*find_papers(places)][::-1])
    fields: dict[str, object] = {
        "title": title or path.stem,
        "authors": metadata.get("/Author"),
        "summary": PAGE_BREAK.join(texts)[:MAX_LONG],
    }
    return make_library_paper(fields | {"id": paper_id} | found, paper_id, reading.counts)


def _texts(pages: Iterable[PageObject]) -> Iterator[str]:
    """Yield the text of each page, as far as a paper keeps them. Raises `ValueError` if they take too long."""
    size, until = 0, time.monotonic() + MAX_SECONDS
    for page in pages:
        text = " ".join(page.extract_text().replace(PAGE_BREAK, " ").split(" ")).strip()
        if time.monotonic() > until:
            raise ValueError(f"its pages take longer than {MAX_SECONDS} s")
        yield text
        size += len(text)
        if size > MAX_LONG:
            return


def _largest(first: PageObject) -> str:
    """Return the page's text in the largest type, but for what is turned, such as arXiv's stamp at the margin."""
    by_size: dict[int, list[str]] = defaultdict(list)

    def visit(text: str, page: list[float], matrix: list[float], _font: object, size: float) -> None:
        if not page[1] and not matrix[1]:
            by_size[round(size * abs(page[3] * matrix[3]))].append(text)

    first.extract_text(visitor_text=visit)
    lines = (" ".join("".join(by_size[size]).split()) for size in sorted(by_size, reverse=True))
    return next((line[:500] for line in lines if sum(map(str.isalpha, line)) >= MIN_TITLE_LETTERS), "")
