"""The documents and the code say the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import goldpan
from goldpan.config import DimensionWeights, PipelineConfig
from goldpan.contracts import Answer
from goldpan.infra.settings import LLMSettings, Settings
from goldpan.kinds.registry import all_kinds
from goldpan.kinds.repositories.dimensions import SIGNALS
from goldpan_local.bootstrap import LocalSettings

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_example_answer_is_an_answer() -> None:
    """The example in the documents is complete, and the version of the package is in the changelog."""
    text = (ROOT / "docs" / "example-answer.json").read_text("utf-8")
    answer = Answer.model_validate_json(text)
    assert answer.repositories
    assert answer.repositories.results
    assert {"sources", "errors", "warnings", "usage", "cached", "answered_at"} <= set(json.loads(text))
    assert f"## {goldpan.__version__} " in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_how_we_score_names_every_signal_and_the_order() -> None:
    """The table has every dimension with its weight, and every signal with its share and scale."""
    weights = DimensionWeights().model_dump()
    for dimension, signals in SIGNALS.items():
        assert f"| {dimension.replace('_', ' ')} | {weights[dimension]} |" in README
        for signal in signals:
            assert f"| {signal.name} | {signal.share:g} | {signal.scale} |" in README
        assert sum(signal.share for signal in signals) == 1
    weight = PipelineConfig().relevance_weight
    formula = f"`{weight:g} x relevance + {1 - weight:.1g} x overall / 10`"
    assert formula in README.replace("×", "x")  # noqa: RUF001


def test_every_setting_is_documented() -> None:
    """The README lists every variable that is read, and no other, and every field of the configuration."""
    listed = set(re.findall(r"`([A-Z][A-Z_]+)`", README.partition("## Configuration")[2].partition("## How")[0]))
    models: list[type[Settings]] = [LLMSettings, LocalSettings, *(kind.connector().settings for kind in all_kinds())]
    assert {name.upper() for model in models for name in model.model_fields} == listed
    fields = [*PipelineConfig.model_fields, *PipelineConfig().coarse_filter.model_dump()]
    assert [name for name in fields if name not in README] == []
