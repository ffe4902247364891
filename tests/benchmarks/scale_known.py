"""What is known of the stack, of what it uses and of what both cost: read from the project and from its parameters."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from goldpan.config import PipelineConfig
from goldpan.infra.rate_limits.limits import LIMITS
from goldpan.infra.rate_limits.sliding_window import PARTS, Limit
from goldpan.kinds.repositories.prompts import instructions
from goldpan.kinds.repositories.question.searches import SHARES, divide_searches
from goldpan.kinds.repositories.sources.github.graphql import BATCH
from goldpan.kinds.repositories.sources.github.queries import enrichment_document, search_cost, search_document

from tests.contract.stack.documents import FLOW, functions, resources, template

ROOT = Path(__file__).resolve().parents[2]
PARAMETERS = Path(__file__).with_name("scale_parameters.toml")
MONTH, MILLION = 30 * 86_400, 1_000_000
KB, GB = 1e3, 1e9
BUDGET_ATTRIBUTE_BYTES = 30
"""A part of a window in a budget's item: its name, such as 3600s/14890123, and a number as DynamoDB counts it."""
HIT, RULES, OFF_PEAK, PEAK, WARM_UP = "cache hit", "rules only", "model, off-peak", "model, peak", "warm-up"
KINDS = (HIT, RULES, OFF_PEAK, PEAK, WARM_UP)
Figures = Mapping[str, Any]


def read_parameters(text: str) -> dict[str, Any]:
    """Read the parameters, each under its section and its name."""
    sections = {
        name: part for name, part in tomllib.loads(text).items() if isinstance(part, dict) and name != "sources"
    }
    return {f"{name}.{key}": row["value"] for name, part in sections.items() for key, row in part.items()}


def known(parameters: Figures, config: PipelineConfig | None = None) -> dict[str, Any]:
    """Add what the project's own files say of a usual search."""
    config = config or PipelineConfig()
    shares = divide_searches(dict(SHARES), config.max_searches)
    batches = math.ceil(config.max_enriched / BATCH)
    sent = [len(search_document(count)) for count in shares.values()] + [len(enrichment_document(BATCH))] * batches
    return {
        **parameters,
        **_prompts(parameters, config),
        **_stack(),
        **{name: limit.most / limit.window_seconds for name, limit in _github_limits().items()},
        "scouts": len(shares),
        "enriched": config.max_enriched,
        "scorings": config.shortlist_size,
        "scored_at_once": config.llm_concurrency,
        "searches": sum(shares.values()),
        "github_points": sum(search_cost(count) for count in shares.values()) + batches,
        "github_calls": len(sent),
        "github_bytes": sum(sent),
        "budget_kb": BUDGET_ATTRIBUTE_BYTES * (PARTS + 2) * len(LIMITS["github:graphql:token"]) / KB,
        "flow_mb": FLOW.stat().st_size / MILLION,
    }


def _stack() -> dict[str, float]:
    """Read what the template says: memory, and the defaults of its parameters."""
    names = {"translator": "QueryTranslator", "scout": "Scout", "screener": "Screener"}
    made, chosen = functions(), {name: row.get("Default") for name, row in template()["Parameters"].items()}
    return {
        **{f"{name}_gb": made[f"{of}Function"]["MemorySize"] / 1024 for name, of in names.items()},
        **{f"{name}_at_once": chosen[f"{of}Concurrency"] for name, of in names.items()},
        "api_second": chosen["ApiRequestsPerSecond"],
        "api_day": chosen["ApiRequestsPerDay"],
        "warm_up_minutes": chosen["WarmUpMinutes"],
        "warm_up_questions": chosen["WarmUpQuestions"],
        "alarms": sum(map(_watched, resources("AWS::CloudWatch::Alarm").values())),
    }


def _watched(alarm: Mapping[str, Any]) -> int:
    """Count the metrics of an alarm: one that does arithmetic is billed by each of them."""
    return max(1, sum("MetricStat" in metric for metric in alarm.get("Metrics", ())))


def _github_limits() -> dict[str, Limit]:
    hour, minute = LIMITS["github:graphql:token"]
    rest, rest_token = (LIMITS[f"github:rest-search:{who}"][0] for who in ("anonymous", "token"))
    return {"github_hour": hour, "github_minute": minute, "github_rest": rest, "github_rest_token": rest_token}


def _prompts(n: Figures, config: PipelineConfig) -> dict[str, float]:
    """Estimate the tokens of a search: the stages' own instructions, and what is told of a usual repository."""
    parts = ("question", "description", "names", "frame")
    told = config.readme_chars + sum(n[f"prompt.{part}_characters"] for part in parts)
    fixed = len(instructions("translate")) + config.shortlist_size * len(instructions("score"))
    shown = fixed + n["prompt.question_characters"] + config.shortlist_size * told
    said = n["llm.translation_characters"] + config.shortlist_size * n["llm.verdict_characters"]
    return {
        "llm_calls": 1 + config.shortlist_size,
        "prompt_characters": shown,
        "fixed_characters": fixed,
        "input_tokens": shown * n["llm.tokens_a_character"],
        "output_tokens": said * n["llm.tokens_a_character"],
    }
