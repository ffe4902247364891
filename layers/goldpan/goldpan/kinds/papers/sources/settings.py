"""The settings of the sources of papers: their addresses and keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from goldpan.infra.settings import Secret, Settings, Url

OPENALEX, CROSSREF, ARXIV = "https://api.openalex.org", "https://api.crossref.org", "https://export.arxiv.org/api"
SEMANTIC_SCHOLAR = "https://api.semanticscholar.org/graph/v1"
EUROPE_PMC, SERPAPI = "https://www.ebi.ac.uk/europepmc/webservices/rest", "https://serpapi.com"
TITLES: Mapping[str, str] = {
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "arxiv": "arXiv",
    "semantic_scholar": "Semantic Scholar",
    "europe_pmc": "Europe PMC",
    "serpapi": "SerpAPI",
}
"""How messages name each source."""


Email = Annotated[str, Field(pattern=r"^[!-;=?A-~]+@[!-;=?A-~]+$")]
"""Without spaces and angle brackets, because it is sent in a header."""


class PaperSettings(Settings):
    """The addresses and keys of the sources of papers.

    Without `OPENALEX_API_KEY` and `SERPAPI_API_KEY` those sources are skipped; `CROSSREF_MAILTO` is an email address
    that admits to Crossref's polite pool, and `SEMANTIC_SCHOLAR_API_KEY` gives a rate limit of one's own.
    """

    openalex_url: Url = OPENALEX
    openalex_api_key: Secret | None = None
    crossref_url: Url = CROSSREF
    crossref_mailto: Email | None = None
    arxiv_url: Url = ARXIV
    semantic_scholar_url: Url = SEMANTIC_SCHOLAR
    semantic_scholar_api_key: Secret | None = None
    europe_pmc_url: Url = EUROPE_PMC
    serpapi_url: Url = SERPAPI
    serpapi_api_key: Secret | None = None
