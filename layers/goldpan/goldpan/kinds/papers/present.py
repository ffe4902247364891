"""How papers are shown, and the bibliographies that they are exported to."""

from collections.abc import Iterator

from goldpan.engine.presentation import (
    CAVEATS,
    REASONING,
    RELEVANCE,
    Attribute,
    Column,
    ExportFormat,
    Facet,
    Line,
    Presentation,
)
from goldpan.escaping import plain, web_address
from goldpan.kinds.papers.constraint_checks import DROPPED
from goldpan.kinds.papers.exports import render_bibtex, render_csl_json, render_ris
from goldpan.kinds.papers.facts import links
from goldpan.kinds.papers.models import PaperVersion
from goldpan.kinds.papers.person_names import split_name
from goldpan.kinds.papers.results import PaperCollection, RankedPaper

TITLE: Attribute[RankedPaper] = Attribute("title", "paper")
ADDRESS: Attribute[RankedPaper] = Attribute(
    "url", format="address", value=lambda item: web_address(item.url) or next(iter(links(item).values()), None)
)
YEAR: Column[RankedPaper] = Column("year", "year", "year")
CITATIONS: Column[RankedPaper] = Column("citations", "citations", "count", priority=1, heading="Cited")
VENUE: Attribute[RankedPaper] = Attribute("venue")
TYPE: Attribute[RankedPaper] = Attribute("type")
ACCESS: Attribute[RankedPaper] = Attribute("open_access", "open access", "flag")
NAMES: Attribute[RankedPaper] = Attribute(
    "authors", format="names", value=lambda item: tuple(split_name(author).in_order for author in item.authors)
)
AUTHORS: Attribute[RankedPaper] = Attribute("authors", format="list")
DOI: Attribute[RankedPaper] = Attribute("doi", path="ids.doi")
ARXIV: Attribute[RankedPaper] = Attribute("arxiv", path="ids.arxiv")
PDF: Attribute[RankedPaper] = Attribute("pdf_url", "PDF", format="address", value=lambda item: links(item).get("PDF"))
LINKS = {
    "doi": ("DOI", "https://doi.org/{}"),
    "arxiv": ("arXiv", "https://arxiv.org/abs/{}"),
    "pmid": ("PMID", "https://pubmed.ncbi.nlm.nih.gov/{}/"),
    "openalex": ("OpenAlex", "https://openalex.org/{}"),
}
IDS = tuple(Attribute[RankedPaper](each, label, path=f"ids.{each}", link=to) for each, (label, to) in LINKS.items())
MAX_FACETS = 5
"""Values of each facet in its line."""
UNVERIFIED: Attribute[RankedPaper] = Attribute("unverified", format="list")


def _lines(item: RankedPaper) -> Iterator[Line]:
    if versions := "; ".join(" ".join(_version(version)) for version in item.versions):
        yield Line("versions", versions)
    if item.found_by:
        yield Line("found by", ", ".join(f"{plain(each.strategy)} (rank {each.rank})" for each in item.found_by))


def _version(version: PaperVersion) -> Iterator[str]:
    venue = "" if version.arxiv and (version.venue or "").lower().startswith("arxiv") else plain(version.venue)
    arxiv = f"arXiv:{plain(version.arxiv)}" if version.arxiv else web_address(version.url)
    identifier = f"doi:{plain(version.doi)}" if version.doi else arxiv
    yield from (str(fact) for fact in (version.type, version.year, venue, identifier) if fact)


def _section_lines(section: PaperCollection) -> Iterator[Line]:
    facets = section.facets
    lists = {
        "years": facets.by_year, "venues": facets.by_venue,
        "authors": tuple(each for each in facets.top_authors if each.count > 1),  # not those of one paper
        "themes": facets.key_themes,
    }  # fmt: skip
    named = (
        f"{name} {', '.join(f'{plain(each.value)} ({each.count})' for each in values[:MAX_FACETS])}"
        for name, values in lists.items()
        if values
    )
    if line := " · ".join(named):
        yield Line("facets", line)


PRESENTATION: Presentation[RankedPaper, PaperCollection] = Presentation(
    singular="paper",
    plural="papers",
    title=TITLE,
    identity=Attribute("id"),
    address=ADDRESS,
    columns=(YEAR, CITATIONS, RELEVANCE),
    facts=(NAMES, VENUE, TYPE, ACCESS),
    details=(PDF, *IDS),
    text=Attribute("abstract"),
    links=links,
    lines=_lines,
    section_lines=_section_lines,
    dropped=DROPPED,
    facets=(
        Facet("Year", "year", "year", by_value=True),
        Facet("Venue", "venue"),
        Facet("Author", "authors", "names"),
        Facet("Theme", terms="facets.key_themes"),
    ),
    export=(
        TITLE,
        AUTHORS,
        *(YEAR, VENUE, TYPE, CITATIONS, ACCESS),
        *(DOI, ARXIV, ADDRESS, PDF, RELEVANCE, REASONING, UNVERIFIED, CAVEATS),
    ),
    is_liked_by_title=True,
    formats=(
        ExportFormat("bibtex", "application/x-bibtex", ".bib", render_bibtex),
        ExportFormat("ris", "application/x-research-info-systems", ".ris", render_ris),
        ExportFormat("csl-json", "application/vnd.citationstyles.csl+json", ".json", render_csl_json),
    ),
)
