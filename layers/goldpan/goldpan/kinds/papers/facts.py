"""What every format shows of a paper: authors, links, versions, sources, and what the papers have in common."""

from collections.abc import Iterator
from urllib.parse import quote

from goldpan.engine.presentation import name_people
from goldpan.escaping import plain, web_address
from goldpan.kinds.papers.identifiers import normalise_url
from goldpan.kinds.papers.models import PaperVersion
from goldpan.kinds.papers.person_names import split_name
from goldpan.kinds.papers.results import Facet, Facets, RankedPaper

MAX_FACETS = 5
"""Values of each facet in its line."""


def author_line(authors: tuple[str, ...]) -> str:
    """Name the authors of a paper in a few words; "" if none is known."""
    return name_people([split_name(author).in_order for author in authors])


def doi_address(doi: str | None) -> str | None:
    """Return the address that resolves a DOI."""
    return web_address(f"https://doi.org/{quote(plain(doi), safe='/:;.-_')}") if doi else None


def links(item: RankedPaper) -> dict[str, str]:
    """Return the web addresses of a paper by their targets; a page that its DOI resolves to is left out.

    One that has neither a DOI nor a page, but an arXiv id, has its page there.
    """
    doi, page, pdf = doi_address(item.ids.doi), web_address(item.url), web_address(item.pdf_url)
    if doi and page and _leads_to_doi(page, doi):
        page = None
    arxiv = None if doi or page or not item.ids.arxiv else web_address(f"https://arxiv.org/abs/{item.ids.arxiv}")
    found = (("DOI", doi), ("page", page), ("arXiv", arxiv), ("PDF", pdf))
    return {name: address for name, address in found if address}


def main_address(item: RankedPaper) -> str | None:
    """Return the address of the paper: its page, else by its DOI, else the PDF."""
    return web_address(item.url) or next(iter(links(item).values()), None)


def version_line(versions: tuple[PaperVersion, ...]) -> str:
    """Describe each version by type, year, venue and identifier."""
    return "; ".join(" ".join(_version(version)) for version in versions)


def found_by_line(item: RankedPaper) -> str:
    """Name the strategies that found the paper, each with its rank there."""
    return ", ".join(f"{plain(each.strategy)} (rank {each.rank})" for each in item.found_by)


def facet_line(facets: Facets) -> str:
    """Describe what the papers have in common in a short line, "" if nothing: an author of one paper is left out."""
    lists = {
        "years": facets.by_year, "venues": facets.by_venue,
        "authors": tuple(each for each in facets.top_authors if each.count > 1), "themes": facets.key_themes,
    }  # fmt: skip
    return " · ".join(f"{name} {_counts(values)}" for name, values in lists.items() if values)


def _counts(values: tuple[Facet, ...]) -> str:
    return ", ".join(f"{plain(each.value)} ({each.count})" for each in values[:MAX_FACETS])


def _version(version: PaperVersion) -> Iterator[str]:
    venue = "" if version.arxiv and (version.venue or "").lower().startswith("arxiv") else plain(version.venue)
    arxiv = f"arXiv:{plain(version.arxiv)}" if version.arxiv else web_address(version.url)
    identifier = f"doi:{plain(version.doi)}" if version.doi else arxiv
    yield from (str(fact) for fact in (version.type, version.year, venue, identifier) if fact)


def _leads_to_doi(page: str, doi: str) -> bool:
    written = (normalise_url(page) or "").lower().removeprefix("dx.")
    return written == (normalise_url(doi) or "").lower()
