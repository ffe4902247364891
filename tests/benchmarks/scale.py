"""Prints what a thousand searches cost on AWS and which limits bind first: `python -m tests.benchmarks.scale`.

Everything is computed from the tables below; no price or limit was checked live. docs/scale.md quotes the output.
"""

from __future__ import annotations

from collections.abc import Sequence

from goldpan.contracts import Usage
from goldpan.infra.llm.prices import with_cost

AWS, AWS_DOCS, GITHUB = "https://aws.amazon.com", "https://docs.aws.amazon.com", "https://docs.github.com"
SOURCES = {
    "gateway": f"{AWS}/api-gateway/pricing",
    "gateway limits": f"{AWS_DOCS}/apigateway/latest/developerguide/limits.html",
    "states": f"{AWS}/step-functions/pricing",
    "states limits": f"{AWS_DOCS}/step-functions/latest/dg/service-quotas.html",
    "lambda": f"{AWS}/lambda/pricing",
    "lambda limits": f"{AWS_DOCS}/lambda/latest/dg/gettingstarted-limits.html",
    "lambda scaling": f"{AWS_DOCS}/lambda/latest/dg/scaling-behavior.html",
    "dynamodb": f"{AWS}/dynamodb/pricing/on-demand",
    "dynamodb partition": f"{AWS_DOCS}/amazondynamodb/latest/developerguide/bp-partition-key-design.html",
    "dynamodb table": f"{AWS_DOCS}/amazondynamodb/latest/developerguide/warm-throughput.html",
    "logs": f"{AWS}/cloudwatch/pricing",
    "traces": f"{AWS}/xray/pricing",
    "transfer": f"{AWS}/ec2/pricing/on-demand",
    "ssm": f"{AWS_DOCS}/general/latest/gr/ssm.html",
    "rest": f"{GITHUB}/rest/search",
    "graphql": f"{GITHUB}/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api",
    "deepseek": "https://api-docs.deepseek.com/quick_start/pricing",
    "openalex": "https://developers.openalex.org/api-reference/authentication",
    "arxiv": "https://info.arxiv.org/help/api/tou.html",
    "semantic scholar": "https://www.semanticscholar.org/product/api",
    "crossref": "https://www.crossref.org/blog/announcing-changes-to-rest-api-rate-limits/",
    "europe pmc": "https://groups.google.com/a/ebi.ac.uk/g/epmc-webservices/c/FHexaNdSXJg",
}
TOKENS = Usage(input_tokens=17_909, output_tokens=3_060)
"""Of one search, estimated: 26 calls, 59,697 characters of prompts and 10,200 of replies, 0.3 tokens a character."""
SPENDING_WRITES = 2 * 26
"""A prompt to the language model is reserved in the count of the day's cost, and corrected there afterwards."""
FUNCTIONS = {
    # GB of memory, calls of one search, and their seconds in all: by rules, and waiting for replies of 1.8 s. GitHub's
    # 0.4-1.2 s are part of them; the rest was measured on the built handlers and rounded up.
    "query_translator": (0.5, 2, 0.1, 1.9),
    "scout": (0.5, 3, 2.7, 2.7),
    "screener": (1.0, 28, 1.65, 46.65),
}
"""The calls: `begin` and `translate`; a scout for each strategy; `shortlist`, 25 of `score`, `rank` and `assemble`."""
GB_SECONDS = [sum(row[0] * row[column] for row in FUNCTIONS.values()) for column in (2, 3)]
COSTS = (
    # US dollars a million units (us-east-1, arm64, November 2026, without free allowances), the unit, the source of the
    # price, and the units of one search: answered from the cache, by rules, with a language model.
    ("API Gateway", 3.50, "requests", "gateway", 1, 1, 1),
    ("Express executions", 1.00, "executions", "states", 1, 1, 1),
    ("Express duration", 0.104, "100 ms of 64 MB", "states", 1, 23, 95),
    ("Lambda calls", 0.20, "calls", "lambda", 0, 33, 33),
    ("Lambda duration", 13.3334, "GB-seconds", "lambda", 0, GB_SECONDS[0], GB_SECONDS[1]),
    ("DynamoDB writes", 0.625, "write units", "dynamodb", 3, 249, 249 + SPENDING_WRITES),
    ("DynamoDB reads", 0.125, "read units", "dynamodb", 4.5, 31, 31),
    ("Logs and metrics", 0.50, "KB", "logs", 0.5, 36.8, 36.8),
    ("X-Ray", 5.00, "traces", "traces", 1, 1, 1),
    ("Data out", 0.09, "KB", "transfer", 35, 52, 138),
    ("Language model", 1e6 * with_cost(TOKENS, "deepseek-flash", {}).cost_usd, "searches", "deepseek", 0, 0, 1),
)
PAPER_TOKENS = Usage(input_tokens=7_143, output_tokens=1_710)
"""Of one search for papers, estimated: 4 calls, 23,810 characters of prompts and 5,700 of replies."""
PAPER_COSTS = {
    # The units of one search for papers where they differ from those above: by rules, with a language model. Written
    # are 204 units of 240 records from six sources, 21 of the answer, 13 reservations of limits, and 24 of calls in
    # flight; counted with abstracts of scifact. A source takes 1.2 s, look-ups by DOI 1.5 s, a call of the model 2.5 s.
    "Express duration": (36, 128),
    "Lambda calls": (14, 14),
    "Lambda duration": (5.8, 14.2),
    "DynamoDB writes": (267, 276),
    "DynamoDB reads": (18, 20),
    "Logs and metrics": (17, 17),
    "Data out": (30, 60),
    "Language model": (0, 1),
}
RESTORES = ("SnapStart, after a pause", 139.7998, "GB", "lambda", 0, 12, 12)
"""One translator and three scouts of 0.5 GB, ten screeners of 1 GB."""
LIMITS = (
    # How many units the limit allows in a second, or at once, the unit, its source, and the units that a search takes:
    # if it is not answered from the cache, and if it is. A call of the language model is taken to last 4 s.
    ("GitHub without a token", 10 / 60, "REST searches", "rest", 5, 0),
    ("GitHub, hourly", 5000 / 3600, "points", "graphql", 12, 0),
    ("GitHub, by the minute", 2000 / 60, "points", "graphql", 12, 0),
    ("SSM, new containers", 40, "secrets read", "ssm", 24, 0),
    ("Lambda concurrency", 1000, "calls at once", "lambda limits", 108, 0),
    ("Lambda scaling", 100, "new screeners", "lambda scaling", 10, 0),
    ("New cache table", 4000, "write units", "dynamodb table", 218, 0),
    ("DeepSeek concurrency", 2500, "calls at once", "deepseek", 104, 0),
    ("Rate limit item", 1000, "write units", "dynamodb partition", 14, 0),
    ("Calls in flight item", 1000, "write units", "dynamodb partition", 14, 0),
    ("Daily cost item", 1000, "write units", "dynamodb partition", SPENDING_WRITES, 0),
    ("Popularity index", 1000, "write units", "dynamodb partition", 2, 2),
    ("Step Functions", 6000, "executions", "states limits", 1, 1),
    ("API Gateway", 10_000, "requests", "gateway limits", 1, 1),
)


PAPER_LIMITS = (
    # The same for a search for papers, at all sources, each with its key or in its polite pool.
    ("OpenAlex, free credits", 10_000 / 86_400, "credits", "openalex", 30, 0),
    ("arXiv", 1 / 3, "requests", "arxiv", 1, 0),
    ("Semantic Scholar", 1, "requests", "semantic scholar", 3, 0),
    ("Crossref", 3, "requests", "crossref", 3, 0),
    ("Europe PMC, by the minute", 500 / 60, "requests", "europe pmc", 4, 0),
    ("SSM, new containers", 40, "secrets read", "ssm", 23, 0),
    ("Lambda concurrency", 1000, "calls at once", "lambda limits", 25, 0),
    ("New cache table", 4000, "write units", "dynamodb table", 226, 0),
)


EMPTY_WARM_UP = {"Express executions": 1, "Express duration": 2, "DynamoDB reads": 1, "X-Ray": 1}
"""Units of a warm-up that finds no question, at the prices above; Scheduler charges nothing for 14 million starts."""


def idle_warm_ups(minutes: int) -> float:
    """Return what a month of warm-ups at this interval costs if none finds a question, in US dollars."""
    prices = {name: price for name, price, *_ in COSTS}
    return 30 * 1440 / minutes * sum(prices[name] * units for name, units in EMPTY_WARM_UP.items()) / 1e6


def main() -> str:
    """Return the costs and the limits of searches for repositories and for papers, and the sources, in Markdown."""
    totals = [sum(price * units[kind] / 1000 for _, price, _, _, *units in COSTS) for kind in range(3)]
    costs = [
        "| US dollars for 1,000 searches | cached | rules | model | unit |",
        "|---|---:|---:|---:|---|",
        *(f"| {name} | {_dollars(price, units)} | {unit} |" for name, price, unit, _, *units in COSTS),
        "| **total** | " + " | ".join(f"**{total:.2f}**" for total in totals) + " | |",
        *(f"| {name} | {_dollars(price, units)} | {unit} |" for name, price, unit, _, *units in (RESTORES,)),
    ]
    used = {row[3] for row in (*COSTS, RESTORES, *LIMITS, *PAPER_LIMITS)}
    sources = [f"- <{url}>" for name, url in SOURCES.items() if name in used]
    parts = (costs, _functions(), _paper_costs(), _limits(LIMITS), _limits(PAPER_LIMITS), sources)
    return "\n\n".join("\n".join(part) for part in parts)


def _functions() -> list[str]:
    """Return what the calls and the time of each function cost."""
    rows = ["| function | memory | calls | by rules | with a model |", "|---|---:|---:|---:|---:|"]
    for name, (memory, calls, *seconds) in FUNCTIONS.items():
        costs = " | ".join(f"{(0.20 * calls + 13.3334 * memory * busy) / 1000:.3f}" for busy in seconds)
        rows.append(f"| `{name}` | {1024 * memory:.0f} MB | {calls} | {costs} |")
    return rows


def _paper_costs() -> list[str]:
    """Return the costs of searches for papers, by rules and with a language model."""
    tokens = 1e6 * with_cost(PAPER_TOKENS, "deepseek-flash", {}).cost_usd
    rows = [
        (name, tokens if name == "Language model" else price, unit, PAPER_COSTS.get(name, units[1:]))
        for name, price, unit, _, *units in COSTS
    ]
    totals = [sum(price * units[kind] / 1000 for _, price, _, units in rows) for kind in range(2)]
    return [
        "| US dollars for 1,000 searches for papers | rules | model | unit |",
        "|---|---:|---:|---|",
        *(f"| {name} | {_dollars(price, units)} | {unit} |" for name, price, unit, units in rows),
        "| **total** | " + " | ".join(f"**{total:.2f}**" for total in totals) + " | |",
    ]


def _limits(limits: Sequence[tuple[str, float, str, str, float, float]]) -> list[str]:
    """Return the searches a second that each limit allows, the tightest first."""
    rows = ["| limit | nothing cached | 90% cached | allows | unit |", "|---|---:|---:|---:|---|"]
    for name, allowed, unit, _, missed, hit in sorted(limits, key=lambda row: row[1] / row[4]):
        rates = (allowed / missed, allowed / (0.1 * missed + 0.9 * hit), allowed)
        rows.append(f"| {name} | {' | '.join(map(_figure, rates))} | {unit} |")
    return rows


def _dollars(price: float, units: Sequence[float]) -> str:
    return " | ".join(f"{price * count / 1000:.4f}" for count in units)


def _figure(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.2g}"


if __name__ == "__main__":
    print(main())
