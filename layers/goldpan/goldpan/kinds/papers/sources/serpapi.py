"""Google Scholar as a source of papers, over SerpAPI: https://serpapi.com/google-scholar-api.

It gives neither a DOI nor an abstract. Authors, venue and year are in one line, in which an ellipsis stands for what
was left out; addresses of papers often hold an identifier.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Unavailable
from goldpan.identities import find_papers
from goldpan.infra.redaction import one_line
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.identifiers import NORMALISERS
from goldpan.kinds.papers.models import Paper, PaperIds, PaperQuery
from goldpan.kinds.papers.person_names import listed
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.queries import Asked, any_of, in_field, name_and_initial, write_query
from goldpan.kinds.papers.sources.records import Record, at, make_ids, make_paper, members, read_object, read_url
from goldpan.kinds.papers.venues import venue_names

_MARK = re.compile(r"^(?:\[(?:PDF|HTML|DOC|BOOK|CITATION|B|C)\]\s*)+", re.IGNORECASE)
_ELLIPSIS = "\u2026"
_WHOLE = re.compile(r"\s\w[^\s.]")
"""In a name that has more than initials."""
_YEAR = re.compile(r"(?:^|,\s*|\s)(1[5-9]\d\d|20\d\d)$")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_PREPRINT = re.compile(r"^arxiv(?: preprint)?\b", re.IGNORECASE)
_MAX_ID = 100


def read_result(result: Record) -> Paper | None:
    """Read a paper; None without a title."""
    authors, venue, year = read_summary(at(result, "publication_info", "summary"))
    link, number = at(result, "link"), at(result, "result_id")
    is_book = str(at(result, "type")).lower() == "book"  # the other types are forms of the file
    files = members(at(result, "resources"), dict)
    title, on_arxiv = at(result, "title"), _PREPRINT.match(venue or "")
    return make_paper(
        "serpapi",
        _MARK.sub("", title) if isinstance(title, str) else title,
        authors=authors,
        year=year,
        venue=None if on_arxiv else venue,
        snippet=at(result, "snippet"),
        url=link,
        pdf_url=next((file.get("link") for file in files if file.get("file_format") == "PDF"), None),
        ids=_ids([link, *(file.get("link") for file in files)], venue or "", number),
        citations=at(result, "inline_links", "cited_by", "total"),
        type="preprint" if on_arxiv else "book" if is_book else None,
    )


def read_summary(line: object) -> tuple[tuple[str, ...], str | None, int | None]:
    """Read authors, venue and year of a line such as `A Lovelace, C Babbage - Journal, 2021 - publisher`, if given.

    What an ellipsis cuts is left out: the beginning of a venue could be that of another one, and initials are no name.
    """
    if not isinstance(line, str):
        return (), None, None
    parts = [" ".join(part.split()) for part in re.split(r"\s-\s", f" {line} ")]
    *before, last = parts
    if before and (_YEAR.search(before[-1]) or not _YEAR.search(last)):
        parts = before  # the last is the publisher
    dated = next((place for place, part in enumerate(parts) if _YEAR.search(part)), None)
    where = " - ".join(parts[1:] if dated != 0 else parts)
    year = _YEAR.search(where)
    venue = where[: year.start()] if year else where
    names = parts[0].split(", ") if dated != 0 else []
    if names and names[-1].endswith(_ELLIPSIS):
        last = names.pop().strip(f" {_ELLIPSIS}")
        names += [last, _ELLIPSIS] if _WHOLE.search(last) else [_ELLIPSIS]
    return (
        listed(names),
        venue if any(map(str.isalnum, venue)) and _ELLIPSIS not in venue and not _HOST.fullmatch(venue) else None,
        int(year[1]) if year else None,
    )


def _ids(links: list[object], venue: str, number: object) -> PaperIds:
    """Read the identifiers that a venue such as `arXiv preprint arXiv:2104.12255` and the addresses of a paper hold."""
    found: dict[str, str | None] = {**dict(identity.split(":", 1) for identity, _ in find_papers(venue))}
    for url in (read_url(link) or "" for link in links):
        for system in ("doi", "arxiv", "pmid", "pmcid"):
            found[system] = found.get(system) or NORMALISERS[system](url)
    scholar = number if isinstance(number, str) and 0 < len(number) <= _MAX_ID else None
    return make_ids(**found, google_scholar=scholar)


PAGE = 20
"""The most that Google Scholar shows at once."""
LONGEST_QUERY = 256
"""Characters: Google Scholar ignores what follows."""
WITHOUT_RESULTS = "returned any results for this query"
"""SerpAPI reports a search without results as an error: `Google hasn't returned any results for this query.`"""


class SerpApi(ApiSource):
    """Google Scholar, with a key of SerpAPI; every search is paid for."""

    name = "serpapi"
    is_paid = True
    widened = "the first search found nothing, so a second one was paid for, of any of its words"
    read = staticmethod(read_result)

    @staticmethod
    def write(query: PaperQuery, constraints: Constraints) -> Asked:
        """Write a query in Google Scholar's syntax, and the parameters that it has for years and reviews."""
        asked = write_query(query, constraints, "serpapi", LONGEST_QUERY, _write_wording, _filters(constraints), " ")
        years = {"as_ylo": constraints.year_from, "as_yhi": constraints.year_to}
        params = {name: str(year) for name, year in years.items() if year is not None}
        reviews = {"as_rr": "1"} if constraints.types == ("review",) else {}
        return replace(asked, params=params | reviews)

    def check(self, deadline: Deadline) -> str:
        """Ask for the account, which is free: https://serpapi.com/account-api."""
        account = read_object(self.send("/account.json", {"api_key": self.key or ""}, deadline), self.title)
        left = account.get("total_searches_left")
        return f"{left:,} searches left" if isinstance(left, int) else ""

    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Send a search; one without results is reported as an error."""
        given = {"engine": "google_scholar", "q": asked.text, "hl": "en", "num": str(min(rows, PAGE))}
        params = {**given, **asked.params, "api_key": self.key or ""}
        body = read_object(self.send("/search.json", params, deadline), self.title)
        error = body.get("error")
        if error and WITHOUT_RESULTS in str(error):
            return [], 0
        if error:
            raise Unavailable(f"SerpAPI's search failed: {one_line(error)}")
        return body.get("organic_results"), at(body, "search_information", "total_results")


def _write_wording(text: str) -> str:
    """Quote a phrase; a single word in quotes would not be found in its other forms."""
    return f'"{text}"' if " " in text else text


def _filters(constraints: Constraints) -> Iterator[str]:
    names = (" ".join(reversed(name_and_initial(author))) for author in constraints.authors)
    yield from (text for name in names if (text := in_field("author", name)))
    known = ([name for name in venue_names(venue) if " " in name] or [venue] for venue in constraints.venues)
    yield from any_of([in_field("source", max(names, key=len)) for names in known])  # there is no room for all of them
    yield from (text for term in constraints.excluded_terms if (text := in_field("-intitle", term)))
