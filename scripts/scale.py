"""Prints what a thousand searches cost on AWS and which limits bind first: `python -m scripts.scale`.

Everything is computed from the tables below; no price or limit was checked live. docs/scale.md quotes the output.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from goldpan.aws.events import WARM_UP_SHARE
from goldpan.contracts import Usage
from goldpan.infra.llm.prices import with_cost

from tests.contract.stack.documents import functions, resources, template

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
PROMPTS, REPLY = 26, 1.8
"""Calls of the language model for one search, all but one of which score a repository, and the seconds of a reply."""
TOKENS = Usage(input_tokens=17_909, output_tokens=3_060)
"""Of one search, estimated: 26 calls, 59,697 characters of prompts and 10,200 of replies, 0.3 tokens a character."""
SPENDING_WRITES = 2 * PROMPTS
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
CONTAINERS = 14
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


SNAPSHOT, METRIC, ALARM_METRIC, DASHBOARD, KEY = 0.0000015046, 0.30, 0.10, 3.0, 1.0
"""US dollars for a GB-second of a published snapshot, and a month of a metric, one of an alarm, and of the others."""
KMS_CALL = 0.03 / 10_000
PAUSE = 5
"""Minutes without a search after which Lambda has no container left, as an assumption."""
MINUTES = 30 * 1440
METRICS = 40
"""Those of a stack in a month without failures; the metrics of the API are those of its stage, which have no price."""
TABLES, ROLES = 3, 5
"""DynamoDB asks KMS again for the key of a table after five minutes, for each role that calls it."""
MACHINE_VERSIONS, KEPT = 1000, 2
"""The quota of versions of one state machine, and how many are left by a deployment."""


def total(kind: int) -> float:
    """Return what one search costs in US dollars: from the cache (0), by rules (1), or with a model (2)."""
    return sum(price * units[kind] for _, price, _, _, *units in COSTS) / 1e6


def tokens() -> float:
    """Return what the language model costs for one search, in US dollars."""
    return with_cost(TOKENS, "deepseek-flash", {}).cost_usd


def restores() -> float:
    """Return what the snapshots of one search after a pause cost, in US dollars."""
    _, price, _, _, *units = RESTORES
    return price * units[1] / 1e6


def month(searches: int, kind: int, cached: float) -> float:
    """Return what a month costs if searches come at random: those that are not cached may follow a pause."""
    missed = searches * (1 - cached)
    paused = missed * exp(-PAUSE * missed / MINUTES)
    return searches * cached * total(0) + missed * total(kind) + paused * restores()


def idle_warm_ups(minutes: int) -> float:
    """Return what a month of warm-ups at this interval costs if none finds a question, in US dollars."""
    prices = {name: price for name, price, *_ in COSTS}
    return MINUTES / minutes * sum(prices[name] * units for name, units in EMPTY_WARM_UP.items()) / 1e6


def warm_ups() -> tuple[int, float, float]:
    """Return the searches of a month of warm-ups, their cost, and what the share of the daily limit leaves of it."""
    given = {name: row["Default"] for name, row in template()["Parameters"].items()}
    searches = MINUTES // 10 * given["WarmUpQuestions"]
    stopped = min(searches * tokens(), 30 * WARM_UP_SHARE * given["DailyCostLimit"])
    return searches, searches * total(2), searches * (total(2) - tokens()) + stopped


def snapshots() -> float:
    """Return what the published versions of a deployment cost in a month, in US dollars."""
    gigabytes = sum(function["MemorySize"] for function in functions().values()) / 1024
    return float(gigabytes * MINUTES * 60 * SNAPSHOT)


def alarm_metrics() -> tuple[int, int]:
    """Return how many metrics the alarms watch, and how many alarms there are."""
    alarms = resources("AWS::CloudWatch::Alarm").values()
    return sum(sum("MetricStat" in row for row in alarm.get("Metrics", ())) or 1 for alarm in alarms), len(alarms)


def _months() -> list[str]:
    """Return what a month costs by the number of searches."""
    rows = ["| US dollars | 1,000 searches | 100,000 | 1,000,000 |", "|---|---:|---:|---:|"]
    for name, kind, cached in (("rules", 1, 0.0), ("rules", 1, 0.9), ("model", 2, 0.0), ("model", 2, 0.9)):
        costs = (month(searches, kind, cached) for searches in (1000, 100_000, 1_000_000))
        label = f"{cached:.0%} cached" if cached else "nothing cached"
        rows.append(f"| {name}, {label} | {' | '.join(_rounded(cost) for cost in costs)} |")
    return rows


def _standing() -> list[str]:
    """Return what a stack costs in a month beside its searches."""
    watched, alarms = alarm_metrics()
    searches, cost, limited = warm_ups()
    calls = TABLES * ROLES * MINUTES // 5
    rows = {
        f"three published snapshots: 2 GB at {SNAPSHOT:.10f} a second": snapshots(),
        "those of the deployment before, from the second one on": snapshots(),
        f"{METRICS} metrics, if each has a value every hour": METRICS * METRIC,
        "the metrics of the API, of its stage alone": 0,
        f"{watched} metrics of {alarms} alarms": watched * ALARM_METRIC,
        "the dashboard, if the account has more than three": DASHBOARD,
        f"{MINUTES // 10:,} warm-ups that find no question": idle_warm_ups(10),
        "the key of the alarms' topic, if `AlarmEmail` is set": KEY,
        f"calls of KMS for the tables, {calls:,} at most": calls * KMS_CALL,
        f"warm-ups of three questions every ten minutes: {searches:,} searches with a model": cost,
        f"the same, where they stop at {WARM_UP_SHARE:.0%} of the default `DailyCostLimit`": limited,
    }
    return ["| each month | US dollars |", "|---|---:|", *(f"| {name} | {cost:.2f} |" for name, cost in rows.items())]


def deploying() -> list[str]:
    """Return the statements of docs/deploying.md that have a figure."""
    watched, alarms = alarm_metrics()
    calls, seconds = (sum(row[column] for row in FUNCTIONS.values()) for column in (1, 3))
    papers = [_paper_total(kind) for kind in range(2)]
    paper_tokens = 1000 * with_cost(PAPER_TOKENS, "deepseek-flash", {}).cost_usd
    of_aws = [1000 * total(0), 1000 * total(1), 1000 * (total(2) - tokens())]
    reserved = sum(template()["Mappings"]["Concurrency"]["20"].values())
    return [
        f"`SearchesAtOnce` 20 reserves {reserved}",
        f"{PROMPTS} calls each, about {round(TOKENS.input_tokens + TOKENS.output_tokens, -3):,} tokens",
        f"for {PROMPTS - 1} verdicts of {REPLY} s each",
        f"restores {CONTAINERS} containers",
        f"{SNAPSHOT:.10f} for each GB-second",
        f"about {METRICS} metrics at {METRIC:.2f} a month each, so {METRICS * METRIC / 720:.2f} for an hour",
        f"at most {METRICS * METRIC:.0f} a month",
        f"a KMS key adds {KEY:.0f}",
        f"| AWS | {' | '.join(f'{cost:.2f}' for cost in of_aws)} |",
        f"tokens | 0.00 | 0.00 | {1000 * tokens():.2f} |",
        f"calls functions {calls} times, about {seconds:.0f} seconds in all",
        f"adds {restores():.4f}",
        f"cost {papers[0]:.2f} by rules and {papers[1]:.2f} with a language model, of which {paper_tokens:.2f}",
        f"**{snapshots():.2f} a month**",
        f"**{2 * snapshots():.2f} a month**",
        f"{alarms} alarms cost {watched * ALARM_METRIC:.2f} a month",
        f"{MINUTES // 10:,} warm-ups of a month cost {idle_warm_ups(10):.2f}",
        f"up to {warm_ups()[1] / 30:.2f} US dollars a day",
        f"`DailyCostLimit` leaves {warm_ups()[2] / 30:.2f}",
    ]


def prose() -> list[str]:
    """Return the statements of docs/scale.md outside of its tables that have a figure of this script."""
    calls = sum(row[1] for row in FUNCTIONS.values())
    models = ("gpt-4.1-mini", "gpt-4.1-nano", "gpt-4o-mini")
    others = [f"`{model}` {1000 * with_cost(TOKENS, model, {}).cost_usd:.2f}" for model in models]
    return [
        f"calls functions {calls} times; {PROMPTS - 1} of these calls score",
        f"wait for {PROMPTS} replies of {REPLY} s each",
        *(f"estimate: {used.input_tokens:,} in and {used.output_tokens:,} out" for used in (TOKENS, PAPER_TOKENS)),
        f"{', '.join(others)} for 1,000 searches",
        f"the daily cost adds {SPENDING_WRITES} writes",
        f"SnapStart restores {CONTAINERS} containers",
        f"It calls functions {PAPER_COSTS['Lambda calls'][0]} times, six of them scouts",
        f"{MACHINE_VERSIONS:,} versions at most",
    ]


def main() -> str:
    """Return the costs and the limits of searches for repositories and for papers, and the sources, in Markdown."""
    totals = [1000 * total(kind) for kind in range(3)]
    costs = [
        "| US dollars for 1,000 searches | cached | rules | model | unit |",
        "|---|---:|---:|---:|---|",
        *(f"| {name} | {_dollars(price, units)} | {unit} |" for name, price, unit, _, *units in COSTS),
        "| **total** | " + " | ".join(f"**{total:.2f}**" for total in totals) + " | |",
        *(f"| {name} | {_dollars(price, units)} | {unit} |" for name, price, unit, _, *units in (RESTORES,)),
    ]
    used = {row[3] for row in (*COSTS, RESTORES, *LIMITS, *PAPER_LIMITS)}
    sources = [f"- <{url}>" for name, url in SOURCES.items() if name in used]
    tables = (_functions(), _paper_costs(), _months(), _standing(), _limits(LIMITS), _limits(PAPER_LIMITS))
    parts = (costs, *tables, sources)
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
    rows = _paper_rows()
    return [
        "| US dollars for 1,000 searches for papers | rules | model | unit |",
        "|---|---:|---:|---|",
        *(f"| {name} | {_dollars(price, units)} | {unit} |" for name, price, unit, units in rows),
        "| **total** | " + " | ".join(f"**{_paper_total(kind):.2f}**" for kind in range(2)) + " | |",
    ]


def _paper_rows() -> list[tuple[str, float, str, Sequence[float]]]:
    dollars = 1e6 * with_cost(PAPER_TOKENS, "deepseek-flash", {}).cost_usd
    return [
        (name, dollars if name == "Language model" else price, unit, PAPER_COSTS.get(name, units[1:]))
        for name, price, unit, _, *units in COSTS
    ]


def _paper_total(kind: int) -> float:
    """Return what 1,000 searches for papers cost by rules (0) or with a model (1), in US dollars."""
    return sum(price * units[kind] / 1000 for _, price, _, units in _paper_rows())


def _limits(limits: Sequence[tuple[str, float, str, str, float, float]]) -> list[str]:
    """Return the searches a second that each limit allows, the tightest first."""
    rows = ["| limit | nothing cached | 90% cached | allows | unit |", "|---|---:|---:|---:|---|"]
    for name, allowed, unit, _, missed, hit in sorted(limits, key=lambda row: row[1] / row[4]):
        rates = (allowed / missed, allowed / (0.1 * missed + 0.9 * hit), allowed)
        rows.append(f"| {name} | {' | '.join(map(_figure, rates))} | {unit} |")
    return rows


def _dollars(price: float, units: Sequence[float]) -> str:
    return " | ".join(f"{price * count / 1000:.4f}" for count in units)


def _rounded(cost: float) -> str:
    return f"{cost:,.0f}" if cost >= 100 else f"{cost:.2f}" if cost < 30 else f"{cost:.0f}"


def _figure(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.2g}"


if __name__ == "__main__":
    print(main())
