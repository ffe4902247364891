"""Which limits bind first when more people search; no limit was checked live."""

from __future__ import annotations

from collections.abc import Sequence

from scripts.scale.costs import SPENDING_WRITES, table

AWS, GITHUB = "https://docs.aws.amazon.com", "https://docs.github.com"
SOURCES = {
    "gateway": f"{AWS}/apigateway/latest/developerguide/limits.html",
    "states": f"{AWS}/step-functions/latest/dg/service-quotas.html",
    "lambda": f"{AWS}/lambda/latest/dg/gettingstarted-limits.html",
    "lambda scaling": f"{AWS}/lambda/latest/dg/scaling-behavior.html",
    "partition": f"{AWS}/amazondynamodb/latest/developerguide/bp-partition-key-design.html",
    "table": f"{AWS}/amazondynamodb/latest/developerguide/warm-throughput.html",
    "ssm": f"{AWS}/general/latest/gr/ssm.html",
    "rest": f"{GITHUB}/rest/search",
    "graphql": f"{GITHUB}/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api",
    "deepseek": "https://api-docs.deepseek.com/quick_start/pricing",
    "openalex": "https://developers.openalex.org/api-reference/authentication",
    "arxiv": "https://info.arxiv.org/help/api/tou.html",
    "semantic scholar": "https://www.semanticscholar.org/product/api",
    "crossref": "https://www.crossref.org/blog/announcing-changes-to-rest-api-rate-limits/",
    "europe pmc": "https://groups.google.com/a/ebi.ac.uk/g/epmc-webservices/c/FHexaNdSXJg",
}
LIMITS = (
    # How many units the limit allows in a second, or at once, the unit, its source, and the units that a search takes:
    # if it is not answered from the cache, and if it is. A call of the language model is taken to last 4 s.
    ("GitHub without a token", 10 / 60, "REST searches", "rest", 5, 0),
    ("GitHub, hourly", 5000 / 3600, "points", "graphql", 12, 0),
    ("GitHub, by the minute", 2000 / 60, "points", "graphql", 12, 0),
    ("SSM, new containers", 40, "secrets read", "ssm", 25, 0),
    ("Lambda concurrency", 1000, "calls at once", "lambda", 109, 0),
    ("Lambda scaling", 100, "new screeners", "lambda scaling", 10, 0),
    ("New cache table", 4000, "write units", "table", 218, 0),
    ("DeepSeek concurrency", 2500, "calls at once", "deepseek", 104, 0),
    ("Rate limit item", 1000, "write units", "partition", 14, 0),
    ("Calls in flight item", 1000, "write units", "partition", 14, 0),
    ("Daily cost item", 1000, "write units", "partition", SPENDING_WRITES, 0),
    ("Popularity index", 1000, "write units", "partition", 2, 2),
    ("Step Functions", 6000, "executions", "states", 1, 1),
    ("API Gateway", 10_000, "requests", "gateway", 1, 1),
)
PAPER_LIMITS = (
    # The same for a search for papers, at all sources, each with its key or in its polite pool.
    ("OpenAlex, free credits", 10_000 / 86_400, "credits", "openalex", 30, 0),
    ("arXiv", 1 / 3, "requests", "arxiv", 1, 0),
    ("Semantic Scholar", 1, "requests", "semantic scholar", 3, 0),
    ("Crossref", 3, "requests", "crossref", 3, 0),
    ("Europe PMC, by the minute", 500 / 60, "requests", "europe pmc", 4, 0),
    ("SSM, new containers", 40, "secrets read", "ssm", 23, 0),
    ("Lambda concurrency", 1000, "calls at once", "lambda", 25, 0),
    ("New cache table", 4000, "write units", "table", 226, 0),
)


def limits_table(limits: Sequence[tuple[str, float, str, str, float, float]]) -> str:
    """Return the searches a second that each limit allows, the tightest first."""
    rows = (
        (name, *map(_figure, (allowed / missed, allowed / (0.1 * missed + 0.9 * hit), allowed)), unit)
        for name, allowed, unit, _, missed, hit in sorted(limits, key=lambda row: row[1] / row[4])
    )
    return table(("limit", "nothing cached", "90% cached", "allows", "unit"), rows)


def _figure(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.2g}"
