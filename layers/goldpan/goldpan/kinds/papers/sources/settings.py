"""The sources of papers: their titles, addresses, keys and documented rate limits."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field

from goldpan.config import pattern_in_words
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.settings import OptionalSetting, Secret, Settings, Url

TITLES: Mapping[str, str] = {
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "arxiv": "arXiv",
    "semantic_scholar": "Semantic Scholar",
    "europe_pmc": "Europe PMC",
    "serpapi": "SerpAPI",
}
"""How messages name each source of goldpan itself."""


def title_of(source: str) -> str:
    """Return how messages name a source; one of another distribution is named as its entry point."""
    return TITLES.get(source, source)


Email = Annotated[
    str,
    Field(pattern=r"^[!-;=?A-~]+@[!-;=?A-~]+$"),
    pattern_in_words("must be an email address such as you@example.org"),
]
"""Without spaces and angle brackets, because it is sent in a header."""


class PaperSettings(Settings):
    """The addresses and keys of the sources of papers.

    Without `OPENALEX_API_KEY` and `SERPAPI_API_KEY` those sources are skipped; `CROSSREF_MAILTO` is an email address
    that admits to Crossref's polite pool, and `SEMANTIC_SCHOLAR_API_KEY` gives a rate limit of one's own.
    """

    openalex_url: Url = "https://api.openalex.org"
    openalex_api_key: Secret | None = None
    crossref_url: Url = "https://api.crossref.org"
    crossref_mailto: Email | None = None
    arxiv_url: Url = "https://export.arxiv.org/api"
    semantic_scholar_url: Url = "https://api.semanticscholar.org/graph/v1"
    semantic_scholar_api_key: Secret | None = None
    europe_pmc_url: Url = "https://www.ebi.ac.uk/europepmc/webservices/rest"
    serpapi_url: Url = "https://serpapi.com"
    serpapi_api_key: Secret | None = None


OPTIONAL = (
    OptionalSetting("OpenAlex", ("OPENALEX_API_KEY",), "Its key is free; without one OpenAlex is left out."),
    OptionalSetting("Crossref", ("CROSSREF_MAILTO",), "An email address gives you three times as many requests."),
    OptionalSetting("Semantic Scholar", ("SEMANTIC_SCHOLAR_API_KEY",), "A key gives you a rate limit of your own."),
    OptionalSetting("SerpAPI", ("SERPAPI_API_KEY",), "Its key is paid for; without one SerpAPI is left out."),
)
OPENALEX_DAILY = 10_000
OPENALEX_COSTS = {"semantic": 100, "search": 10, "list": 1}
"""Credits of $0.0001, of which a day has $1; a list of works by their DOIs costs a tenth of a search."""
CROSSREF_IN_FLIGHT = {"polite": 3, "public": 1}
"""Calls at the same time, by the pool; from the page that is named below."""
DAY = 24 * 60 * 60
RATE_LIMITS: Mapping[str, Sequence[Limit]] = {
    # https://developers.openalex.org/api-reference/authentication
    # $1 of free use a day, in credits of $0.0001, and 100 requests a second.
    "openalex:search": (Limit(DAY, OPENALEX_DAILY), Limit(1, 100 * OPENALEX_COSTS["search"])),
    # https://developers.openalex.org/guides/semantic-search: one request a second; the rest of a day's credits is for
    # the searches by words.
    "openalex:semantic": (Limit(DAY, 60 * OPENALEX_COSTS["semantic"]), Limit(1, OPENALEX_COSTS["semantic"])),
    # https://www.crossref.org/blog/announcing-changes-to-rest-api-rate-limits/ (lists, since December 2025)
    "crossref:polite": (Limit(1, 3),),
    "crossref:public": (Limit(1, 1),),
    # https://info.arxiv.org/help/api/tou.html#rate-limits
    "arxiv": (Limit(3, 1),),
    # https://www.semanticscholar.org/product/api
    # Calls without a key share a limit with all others that have none, and are no more frequent than those with one.
    "semantic_scholar": (Limit(1, 1),),
    # https://groups.google.com/a/ebi.ac.uk/g/epmc-webservices/c/FHexaNdSXJg
    "europe_pmc": (Limit(60, 500), Limit(1, 10)),
    # https://serpapi.com/pricing: the free plan has 250 searches a month; the plan that is paid for is not known here.
    "serpapi": (Limit(1, 10),),
}
"""By the beginning of a rate limit key."""
