"""What a search costs, service by service."""

from __future__ import annotations

import math

from goldpan.contracts import Usage
from goldpan.infra.llm.prices import with_cost
from goldpan.settings import DEEPSEEK_MODEL

from tests.benchmarks.scale_known import (
    GB,
    HIT,
    KB,
    MILLION,
    MONTH,
    OFF_PEAK,
    PEAK,
    WARM_UP,
    Figures,
)


def costs(n: Figures, kind: str) -> dict[str, float]:
    """Give the cost of one search of a kind in US dollars, service by service."""
    asked, searched, model = kind != WARM_UP, kind != HIT, kind in {OFF_PEAK, PEAK, WARM_UP}
    calls = lambda_calls(n) if searched else 0
    writes, reads = units(n, asked=asked, searched=searched)
    return {
        "API Gateway": asked * n["api_gateway.request"] / MILLION,
        "Step Functions": _express(n, kind),
        "Lambda, calls": calls * n["lambda.request"] / MILLION,
        "Lambda, time": gb_seconds(n, n["llm.seconds"] if model else 0) * n["lambda.gb_second"] if searched else 0,
        "DynamoDB, writes": writes * n["dynamodb.write"] / MILLION,
        "DynamoDB, reads": reads * n["dynamodb.read"] / MILLION,
        "CloudWatch Logs": (calls * n["cloudwatch.call_kb"] + asked * n["cloudwatch.request_kb"])
        * (KB / GB * n["cloudwatch.logs"]),
        "X-Ray": n["others.trace"] / MILLION,
        "data transfer": sent_kb(n, asked=asked, searched=searched, model=model) * KB / GB * n["others.transfer"],
        "EventBridge Scheduler": 0 if asked else n["others.schedule"] / MILLION / n["warm_up_questions"],
        "language model": _model_cost(n, kind) if model else 0,
    }


def lambda_calls(n: Figures) -> int:
    """Count the calls of functions: begin, translate, shortlist, rank, assemble, the scouts and the scorings."""
    return int(5 + n["scouts"] + n["scorings"])


def busy_seconds(n: Figures, model_seconds: float) -> dict[str, float]:
    """Tell how long a search keeps each function busy."""
    return {
        "translator": n["seconds.begin"] + n["seconds.translate"] + model_seconds,
        "scout": n["scouts"] * n["seconds.scout"],
        "screener": n["seconds.shortlist"]
        + n["scorings"] * (n["seconds.score"] + model_seconds)
        + n["seconds.rank"]
        + n["seconds.assemble"],
    }


def gb_seconds(n: Figures, model_seconds: float) -> float:
    """Weigh the time of each function with its memory."""
    return math.fsum(n[f"{name}_gb"] * busy for name, busy in busy_seconds(n, model_seconds).items())


def _express(n: Figures, kind: str) -> float:
    """Give the cost of one execution: its start, and its time and memory, both rounded up."""
    model = n["llm.seconds"] if kind in {OFF_PEAK, PEAK, WARM_UP} else 0
    waves = math.ceil(n["scorings"] / n["scored_at_once"])
    path = sum(n[f"seconds.{stage}"] for stage in ("begin", "translate", "scout", "shortlist", "rank", "assemble"))
    lasted = n["seconds.hit"] if kind == HIT else path + model + waves * (n["seconds.score"] + model)
    data = n["asked.answer_kb"] if kind == HIT else n["step_functions.state_kb"] * n["scorings"]
    step = n["step_functions.step_mb"]
    gb = step / 1024 * math.ceil((n["step_functions.base_mb"] + n["flow_mb"] + data / 1024) / step)
    run = n["step_functions.run_transitions"] / n["warm_up_questions"]
    transitions = n["step_functions.transitions"] + run if kind == WARM_UP else 0
    seconds = n["step_functions.step_seconds"] * math.ceil(lasted / n["step_functions.step_seconds"])
    starts = n["step_functions.request"] + transitions * n["step_functions.transition"]
    return float(starts / MILLION + seconds * gb * n["step_functions.gb_hour"] / 3600)


def units(n: Figures, *, asked: bool, searched: bool) -> tuple[float, float]:
    """Count the write and read units: an item is rounded up by itself, a read that may be late counts half."""
    late = 0.5
    writes, reads = 0.0, late * _reads(n, n["asked.answer_kb"] if asked and not searched else 0)
    if asked:
        writes += _writes(n, n["dynamodb.counter_kb"]) * (1 + n["dynamodb.index_writes"])
    else:
        reads += late * _reads(n, n["dynamodb.counter_kb"] * n["warm_up_questions"]) / n["warm_up_questions"]
    if searched:
        taken = 1 if asked else 2  # a warm-up takes from its own share of the budget too
        writes += cache_writes(n) + taken * budget_writes(n)
        reads += late * (n["dynamodb.small_reads"] + n["scouts"] + n["enriched"])
        reads += taken * n["github_calls"] * n["dynamodb.budget_reads"] * _reads(n, n["budget_kb"])
    return writes, reads


def cache_writes(n: Figures) -> float:
    """Count the write units of what a search leaves in the cache."""
    batches, facts = (_writes(n, n[f"dynamodb.{name}_kb"]) for name in ("batch", "facts"))
    answer = _writes(n, n["asked.answer_kb"])
    return float(answer + n["scouts"] * batches + n["enriched"] * facts + n["dynamodb.small_writes"])


def budget_writes(n: Figures) -> float:
    """Count the write units that a search takes of its token's budget."""
    return float(n["github_calls"] * n["dynamodb.budget_writes"] * _writes(n, n["budget_kb"]))


def _writes(n: Figures, kb: float) -> int:
    return max(1, math.ceil(kb / float(n["dynamodb.write_kb"])))


def _reads(n: Figures, kb: float) -> int:
    return max(1, math.ceil(kb / float(n["dynamodb.read_kb"])))


def sent_kb(n: Figures, *, asked: bool, searched: bool, model: bool) -> float:
    """Sum up what leaves AWS: the answer, and what is asked of GitHub and of the model."""
    github = n["github_bytes"] / KB + n["github_calls"] * n["others.call_kb"] if searched else 0
    prompts = n["prompt_characters"] / KB + n["llm_calls"] * n["others.call_kb"] if model else 0
    return float(asked * n["asked.answer_kb"] + github + prompts)


def tokens_cost(n: Figures, model: str) -> float:
    """Give the cost of a search's tokens at the price of the built-in table."""
    usage = Usage(input_tokens=round(n["input_tokens"]), output_tokens=round(n["output_tokens"]))
    return with_cost(usage, model, {}).cost_usd


def _model_cost(n: Figures, kind: str) -> float:
    """Give the cost at peak, off it, or for warm-ups, which run at all hours, between the two."""
    peak = n["llm.peak_hours"] / 168
    share = {PEAK: 1, OFF_PEAK: n["llm.off_peak"], WARM_UP: peak + (1 - peak) * n["llm.off_peak"]}
    return tokens_cost(n, DEEPSEEK_MODEL) * float(share[kind])


def total(n: Figures, kind: str) -> float:
    """Give the whole cost of one search of a kind."""
    return sum(costs(n, kind).values())


def restores(n: Figures) -> float:
    """Give what SnapStart takes for a search after a pause: a translator, the scouts, the scorings at once."""
    gb = n["translator_gb"] + n["scouts"] * n["scout_gb"] + n["scored_at_once"] * n["screener_gb"]
    return float(gb * n["lambda.restored_gb"])


def standing(n: Figures) -> dict[str, float]:
    """Give what a month costs, asked or not."""
    snapshots = sum(n[f"{name}_gb"] for name in ("translator", "scout", "screener"))
    refreshes = MONTH / 60 / n["warm_up_minutes"] * n["warm_up_questions"]
    return {
        "SnapStart, three published snapshots": snapshots * MONTH * n["lambda.cached_gb_second"],
        "metrics, if there is something to count every hour": n["cloudwatch.metrics"] * n["cloudwatch.metric"],
        "alarms": n["alarms"] * n["cloudwatch.alarm"],
        "the key of the alarms' topic, with an address for them": n["others.key"],
        f"warm-ups, {refreshes:,.0f} at most, of {n['warm_up_questions']} questions": refreshes * total(n, WARM_UP),
    }


def a_month(n: Figures, kind: str, hit_rate: float, searches: float) -> float:
    """Give what so many searches cost, with the restores after pauses, without what stands anyway."""
    missed = searches * (1 - hit_rate)
    paused = math.exp(-missed / MONTH * n["lambda.idle_seconds"])
    return searches * hit_rate * total(n, HIT) + missed * (total(n, kind) + paused * restores(n))
