"""What searches cost, and what a stack costs beside them, in US dollars; no price was checked live."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp

from goldpan.aws.events import WARM_UP_SHARE
from goldpan.contracts import Usage
from goldpan.infra.llm.prices import with_cost

from tests.contract.stack.documents import functions, resources, template

AWS = "https://aws.amazon.com"
SOURCES = {
    "gateway": f"{AWS}/api-gateway/pricing",
    "states": f"{AWS}/step-functions/pricing",
    "lambda": f"{AWS}/lambda/pricing",
    "dynamodb": f"{AWS}/dynamodb/pricing/on-demand",
    "logs": f"{AWS}/cloudwatch/pricing",
    "traces": f"{AWS}/xray/pricing",
    "transfer": f"{AWS}/ec2/pricing/on-demand",
    "deepseek": "https://api-docs.deepseek.com/quick_start/pricing",
}
PROMPTS = 26
"""Calls of the language model for one search, all but one of which score a repository."""
TOKENS = Usage(input_tokens=17_909, output_tokens=3_060)
"""Of one search, estimated: 26 calls, 59,697 characters of prompts and 10,200 of replies, 0.3 tokens a character."""
SPENDING_WRITES = 2 * PROMPTS
"""A prompt to the language model is reserved in the count of the day's cost, and corrected there afterwards."""


def tokens(used: Usage = TOKENS, model: str = "deepseek-flash") -> float:
    """Return what the language model costs for one search, in US dollars."""
    return with_cost(used, model, {}).cost_usd


FUNCTIONS = {
    # GB of memory, calls of one search, and their seconds in all: by rules, and waiting for replies of 1.8 s. GitHub's
    # 0.4-1.2 s are part of them; the rest was measured on the built handlers and rounded up.
    "query_translator": (0.5, 2, 0.1, 1.9),
    "scout": (0.5, 4, 3.0, 3.0),
    "screener": (1.0, 28, 1.65, 46.65),
}
"""The calls: `begin` and `translate`; a scout for each strategy; `shortlist`, 25 of `score`, `rank` and `assemble`."""
GB_SECONDS = [sum(row[0] * row[column] for row in FUNCTIONS.values()) for column in (2, 3)]
PAPER_TOKENS = Usage(input_tokens=7_143, output_tokens=1_710)
"""Of one search for papers, estimated: 4 calls, 23,810 characters of prompts and 5,700 of replies."""
SEARCHES = {"cached": 0, "rules": 1, "model": 2}
"""The columns of a search for repositories: answered from the cache, by rules, with a language model."""
PAPER_SEARCHES = {"rules": 3, "model": 4}
"""Those of a search for papers."""
Row = tuple[str, float, str, str, Sequence[float]]
COSTS: tuple[Row, ...] = (
    # US dollars a million units (us-east-1, arm64, November 2026, without free allowances), the unit, the source of the
    # price, and the units of one search in each column. A search for papers writes 204 units of 240 records from six
    # sources, 21 of the answer, 13 reservations of limits, and 24 of calls in flight; counted with abstracts of
    # scifact. A source of papers takes 1.2 s, look-ups by DOI 1.5 s, a call of the model 2.5 s.
    ("API Gateway", 3.50, "requests", "gateway", (1, 1, 1, 1, 1)),
    ("Express executions", 1.00, "executions", "states", (1, 1, 1, 1, 1)),
    ("Express duration", 0.104, "100 ms of 64 MB", "states", (1, 23, 95, 36, 128)),
    ("Lambda calls", 0.20, "calls", "lambda", (0, 34, 34, 14, 14)),
    ("Lambda duration", 13.3334, "GB-seconds", "lambda", (0, *GB_SECONDS, 5.8, 14.2)),
    ("DynamoDB writes", 0.625, "write units", "dynamodb", (3, 249, 249 + SPENDING_WRITES, 267, 276)),
    ("DynamoDB reads", 0.125, "read units", "dynamodb", (4.5, 33, 33, 21, 23)),
    ("Logs and metrics", 0.50, "KB", "logs", (0.5, 37.9, 37.9, 17, 17)),
    ("X-Ray", 5.00, "traces", "traces", (1, 1, 1, 1, 1)),
    ("Data out", 0.09, "KB", "transfer", (35, 52, 138, 30, 60)),
    ("Language model", 1e6, "searches", "deepseek", (0, 0, tokens(), 0, tokens(PAPER_TOKENS))),
)
PRICES = {name: price for name, price, *_ in COSTS}
RESTORES: Row = ("SnapStart, after a pause", 139.7998, "GB", "lambda", (0, 12.5, 12.5))
"""One translator and four scouts of 0.5 GB, ten screeners of 1 GB."""
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


def total(column: int) -> float:
    """Return what one search costs in US dollars."""
    return sum(price * units[column] for _, price, _, _, units in COSTS) / 1e6


def restores() -> float:
    """Return what the snapshots of one search after a pause cost, in US dollars."""
    return RESTORES[1] * RESTORES[4][1] / 1e6


def month(searches: int, column: int, cached: float) -> float:
    """Return what a month costs if searches come at random: those that are not cached may follow a pause."""
    missed = searches * (1 - cached)
    paused = missed * exp(-PAUSE * missed / MINUTES)
    return searches * cached * total(0) + missed * total(column) + paused * restores()


def idle_warm_ups(minutes: int) -> float:
    """Return what a month of warm-ups at this interval costs if none finds a question, in US dollars."""
    return MINUTES / minutes * sum(PRICES[name] * units for name, units in EMPTY_WARM_UP.items()) / 1e6


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
    """Return how many metrics the alarms of every stack watch, and how many alarms these are."""
    made = template()["Resources"]
    alarms = [each for name, each in resources("AWS::CloudWatch::Alarm").items() if "Condition" not in made[name]]
    return sum(sum("MetricStat" in row for row in alarm.get("Metrics", ())) or 1 for alarm in alarms), len(alarms)


def deploying() -> list[str]:
    """Return the statements of docs/deploying.md that have a figure."""
    watched, alarms = alarm_metrics()
    calls, seconds = (sum(row[column] for row in FUNCTIONS.values()) for column in (1, 3))
    papers = " and ".join(f"{1000 * total(column):.2f} {how}" for column, how in ((3, "by rules"), (4, "with a")))
    of_aws = " | ".join(f"{1000 * cost:.2f}" for cost in (total(0), total(1), total(2) - tokens()))
    reserved = sum(template()["Mappings"]["Concurrency"]["20"].values())
    return [
        f"`SearchesAtOnce` 20 reserves {reserved}",
        f"{PROMPTS} calls each, about {round(TOKENS.input_tokens + TOKENS.output_tokens, -3):,} tokens",
        f"{SNAPSHOT:.10f} for each GB-second",
        f"about {METRICS} metrics at {METRIC:.2f} a month each, so {METRICS * METRIC / 720:.2f} for an hour",
        f"at most {METRICS * METRIC:.0f} a month",
        f"| AWS | {of_aws} |",
        f"tokens | 0.00 | 0.00 | {1000 * tokens():.2f} |",
        f"calls functions {calls} times, about {seconds:.0f} seconds in all",
        f"adds {restores():.4f}",
        f"cost {papers} language model, of which {1000 * tokens(PAPER_TOKENS):.2f}",
        f"**{snapshots():.2f} a month**",
        f"**{2 * snapshots():.2f} a month**",
        f"{alarms} alarms cost {watched * ALARM_METRIC:.2f} a month",
        f"{MINUTES // 10:,} warm-ups of a month cost {idle_warm_ups(10):.2f}",
        f"up to {warm_ups()[1] / 30:.2f} US dollars a day",
        f"`DailyCostLimit` leaves {warm_ups()[2] / 30:.2f}",
    ]


def prose() -> list[str]:
    """Return the statements of docs/scale.md outside of its tables that have a figure of this script."""
    others = (
        f"`{model}` {1000 * tokens(model=model):.2f}" for model in ("gpt-4.1-mini", "gpt-4.1-nano", "gpt-4o-mini")
    )
    [paper_calls] = [units[3] for name, _, _, _, units in COSTS if name == "Lambda calls"]
    return [
        f"calls functions {sum(row[1] for row in FUNCTIONS.values())} times; {PROMPTS - 1} of these calls score",
        *(f"estimate: {used.input_tokens:,} in and {used.output_tokens:,} out" for used in (TOKENS, PAPER_TOKENS)),
        f"{', '.join(others)} for 1,000 searches",
        f"the daily cost adds {SPENDING_WRITES} writes",
        f"It calls functions {paper_calls} times, six of them scouts",
    ]


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table in Markdown, with numbers in all columns but the first one and those of units."""
    aligned = ("---" if head in {heads[0], "unit"} else "---:" for head in heads)
    lines = [f"| {' | '.join(map(str, row))} |" for row in (heads, *rows)]
    return "\n".join([lines[0], f"|{'|'.join(aligned)}|", *lines[1:]])


def costs(title: str, columns: Mapping[str, int], *beside: Row) -> str:
    """Return what each service costs, the total, and what comes beside it."""

    def row_of(row: Row) -> list[str]:
        name, price, unit, _, units = row
        return [name, *(f"{price * units[column] / 1000:.4f}" for column in columns.values()), unit]

    totals = [f"**{1000 * total(column):.2f}**" for column in columns.values()]
    rows = [*map(row_of, COSTS), ["**total**", *totals, ""], *map(row_of, beside)]
    return table([title, *columns, "unit"], rows).replace(" |  |", " | |")


def by_function() -> str:
    """Return what the calls and the time of each function cost."""
    call, second = PRICES["Lambda calls"], PRICES["Lambda duration"]
    rows = (
        (
            f"`{name}`",
            f"{1024 * memory:.0f} MB",
            calls,
            *(f"{(call * calls + second * memory * busy) / 1000:.3f}" for busy in seconds),
        )
        for name, (memory, calls, *seconds) in FUNCTIONS.items()
    )
    return table(("function", "memory", "calls", "by rules", "with a model"), rows)


def months() -> str:
    """Return what a month costs by the number of searches."""
    rows = (
        (f"{name}, {label}", *(_rounded(month(searches, SEARCHES[name], cached)) for searches in (1000, 10**5, 10**6)))
        for name in ("rules", "model")
        for label, cached in (("nothing cached", 0.0), ("90% cached", 0.9))
    )
    return table(("US dollars", "1,000 searches", "100,000", "1,000,000"), rows)


def standing() -> str:
    """Return what a stack costs in a month beside its searches."""
    watched, alarms = alarm_metrics()
    searches, cost, limited = warm_ups()
    calls = TABLES * ROLES * MINUTES // 5
    costs = {
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
    return table(("each month", "US dollars"), ((name, f"{cost:.2f}") for name, cost in costs.items()))


def _rounded(cost: float) -> str:
    return f"{cost:,.0f}" if cost >= 100 else f"{cost:.2f}" if cost < 30 else f"{cost:.0f}"
