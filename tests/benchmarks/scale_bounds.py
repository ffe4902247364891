"""What binds first when more is asked at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from goldpan.aws.container import LIFETIME_SECONDS
from goldpan.kinds.repositories.sources.github.settings import SEARCHES_WITHOUT_TOKEN

from tests.benchmarks.scale_costs import (
    _reads,
    _writes,
    budget_writes,
    busy_seconds,
    cache_writes,
    lambda_calls,
)
from tests.benchmarks.scale_known import (
    Figures,
)


@dataclass(frozen=True)
class Bound:
    """So much is allowed a second, or at once; a search that misses the cache takes this, one that hits it that."""

    name: str
    allowed: float
    missed: float
    hit: float = 0
    kind: Literal["usual", "instead", "own"] = "usual"
    """`instead`: takes another's place in a deployment that is set up otherwise; `own`: a parameter of the stack."""

    def carries(self, hit_rate: float) -> float:
        """Tell how many searches a second it carries."""
        return self.allowed / ((1 - hit_rate) * self.missed + hit_rate * self.hit)


def bounds(n: Figures) -> list[Bound]:
    """List all bounds, the tightest first."""
    return sorted(
        [*_outer_bounds(n), *_function_bounds(n), *_table_bounds(n), *_own_bounds(n)],
        key=lambda bound: bound.carries(0),
    )


def _outer_bounds(n: Figures) -> list[Bound]:
    tokens = n["input_tokens"] + n["output_tokens"]
    at_once = n["llm_calls"] * n["llm.slow_seconds"]
    return [
        Bound("GitHub, no token, REST a minute", n["github_rest"], SEARCHES_WITHOUT_TOKEN, kind="instead"),
        Bound("GitHub, token, REST a minute", n["github_rest_token"], n["searches"], kind="instead"),
        Bound("GitHub, token, points an hour", n["github_hour"], n["github_points"]),
        Bound("GitHub, token, points a minute", n["github_minute"], n["github_points"]),
        Bound("OpenAI, tokens a minute", n["llm.openai_tokens"] / 60, tokens, kind="instead"),
        Bound("OpenAI, calls a minute", n["llm.openai_calls"] / 60, n["llm_calls"], kind="instead"),
        Bound("DeepSeek, calls at once", n["llm.deepseek_at_once"], at_once),
        Bound("API Gateway, requests", n["api_gateway.a_second"], 1, 1),
        Bound("Step Functions, starts", n["step_functions.starts"], 1, 1),
    ]


def _function_bounds(n: Figures) -> list[Bound]:
    busy = busy_seconds(n, n["llm.slow_seconds"])
    started = {"translator": 1, "scout": n["scouts"], "screener": n["scored_at_once"]}
    secrets = {name: n[f"others.{name}_secrets"] for name in started}
    first = sum(count * secrets[name] for name, count in started.items())
    again = sum(seconds * secrets[name] for name, seconds in busy.items()) / LIFETIME_SECONDS
    most_calls = n["lambda.at_once"] * n["lambda.calls_an_environment"]
    return [
        Bound("SSM, secrets of new functions", n["others.ssm_reads"], first),
        Bound("SSM, secrets every 15 minutes", n["others.ssm_reads"], again),
        Bound("Lambda, calls at once", n["lambda.at_once"], sum(busy.values())),
        Bound("Lambda, growth of the screener", n["lambda.growth"], started["screener"]),
        Bound("Lambda, calls a second", most_calls, lambda_calls(n)),
    ]


def _table_bounds(n: Figures) -> list[Bound]:
    writes, reads, hottest = n["dynamodb.partition_writes"], n["dynamodb.partition_reads"], n["asked.hottest_share"]
    counter = _writes(n, n["dynamodb.counter_kb"])
    index = counter * n["dynamodb.index_writes"]
    read = hottest * 0.5 * _reads(n, n["asked.answer_kb"])
    return [
        Bound("DynamoDB, a token's budget", writes, budget_writes(n)),
        Bound("DynamoDB, index of a day", writes, index, index),
        Bound("DynamoDB, hottest counter", writes, hottest * counter, hottest * counter),
        Bound("DynamoDB, hottest answer", reads, read, read),
        Bound("DynamoDB, cache as new", n["dynamodb.new_table_writes"], cache_writes(n)),
    ]


def _own_bounds(n: Figures) -> list[Bound]:
    """List what the stack's own parameters allow; 0 calls at once reserve and bound nothing."""
    busy = busy_seconds(n, n["llm.slow_seconds"])
    at_once = {name: n[f"{name}_at_once"] for name in busy}
    return [
        Bound("requests a day of a key", n["api_day"] / 86_400, 1, 1, kind="own"),
        Bound("requests a second", n["api_second"], 1, 1, kind="own"),
        *(Bound(f"{name}, calls at once", most, busy[name], kind="own") for name, most in at_once.items() if most),
    ]
