"""The documents and the code say the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

from goldpan.config import DimensionWeights, PipelineConfig
from goldpan.contracts import Answer
from goldpan.infra.settings import LLMSettings, Settings
from goldpan.kinds.registry import all_kinds
from goldpan.kinds.repositories.dimensions import SIGNALS
from goldpan_local.bootstrap import LocalSettings

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def test_the_example_answer_is_an_answer() -> None:
    """The example in the documents keeps the contract to the letter."""
    text = (ROOT / "docs" / "example-answer.json").read_text("utf-8")
    answer = Answer.model_validate_json(text)
    assert answer.repositories is not None
    assert answer.repositories.results
    assert set(json.loads(text)) >= {
        "query", "mode", "repositories", "links", "sources", "errors", "warnings",
        "execution_time_ms", "usage", "cached", "answered_at",
    }  # fmt: skip


def test_how_we_score_names_every_signal() -> None:
    """The table for people has every dimension with its weight, and every signal with its share and scale."""
    weights = DimensionWeights().model_dump()
    for dimension, signals in SIGNALS.items():
        assert f"| {dimension.replace('_', ' ')} | {weights[dimension]} |" in README
        for signal in signals:
            assert f"| {signal.name} | {signal.share:g} | {signal.scale} |" in README
        assert sum(signal.share for signal in signals) == 1


def test_the_order_is_the_documented_one() -> None:
    """The formula of the order has the weight that the configuration has."""
    weight = PipelineConfig().relevance_weight
    formula = f"`{weight:g} x relevance + {1 - weight:.1g} x overall / 10`"
    assert formula in README.replace("×", "x")  # noqa: RUF001


def test_every_make_target_of_the_documents_exists() -> None:
    """No document names a target that the Makefile does not have."""
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    texts = README + (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = set(re.findall(r"`make ([a-z-]+)", texts)) | set(re.findall(r"^make ([a-z-]+)", texts, re.MULTILINE))
    assert named
    assert named <= targets


def test_every_setting_is_documented() -> None:
    """The README lists every variable that is read, and no other."""
    listed = set(re.findall(r"`([A-Z][A-Z_]+)`", README.partition("## Configuration")[2].partition("## How")[0]))
    models: list[type[Settings]] = [LLMSettings, LocalSettings, *(kind.connector().settings for kind in all_kinds())]
    assert {name.upper() for model in models for name in model.model_fields} == listed


def test_every_option_of_the_configuration_is_documented() -> None:
    """The README names every field of the configuration."""
    fields = [*PipelineConfig.model_fields, *PipelineConfig().coarse_filter.model_dump()]
    assert [name for name in fields if name not in README] == []


def test_the_changelog_has_the_version() -> None:
    """The version that the package has is in the changelog."""
    import goldpan  # noqa: PLC0415

    assert f"## {goldpan.__version__} " in (ROOT / "CHANGELOG.md").read_text("utf-8")
