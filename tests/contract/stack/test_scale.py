"""The page on cost and scale says what its script computes, and the script computes what a hand does."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from goldpan.config import PipelineConfig
from goldpan.contracts import FoundBy, SearchRequest, Usage
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.infra.llm.port import Completion, Prompt
from goldpan.kinds.repositories.models import Repository, ScoreTask
from goldpan.kinds.repositories.ports import Dependencies
from goldpan.kinds.repositories.prompts import instructions
from goldpan.kinds.repositories.score import score

from tests.benchmarks import scale, scale_bounds, scale_costs, scale_known, scale_page

TEXT = scale_known.PARAMETERS.read_text("utf-8")
PARAMETERS = scale_known.read_parameters(TEXT)
FIGURES = scale_known.known(PARAMETERS)
SECTIONS = {name: part for name, part in tomllib.loads(TEXT).items() if isinstance(part, dict)}
ROWS = {f"{name}.{key}": row for name, part in SECTIONS.items() if name != "sources" for key, row in part.items()}


def _other(value: Any) -> Any:
    """Change a parameter so much that no rounding hides it."""
    return value[:-1] if isinstance(value, list) else 100 * value


def test_the_page_is_what_the_script_writes() -> None:
    """Whoever changes a figure writes the page anew: `python tests/benchmarks/scale.py`."""
    page = scale_page.PAGE.read_text("utf-8")
    assert scale_page.written(page, PARAMETERS) == page


def test_every_table_stands_on_the_page_once() -> None:
    """No table is left out, and no marker is of a table that nobody writes."""
    marked = re.findall(r"<!-- scale: (\w+) -->", scale_page.PAGE.read_text("utf-8"))
    assert sorted(marked) == sorted(scale_page.tables(PARAMETERS))


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_every_parameter_changes_a_figure(name: str) -> None:
    """A parameter that nothing reads would only look like a reason."""
    assert scale_page.tables({**PARAMETERS, name: _other(PARAMETERS[name])}) != scale_page.tables(PARAMETERS)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_every_parameter_has_a_unit_and_a_known_source(name: str) -> None:
    """A figure can be looked up where it comes from."""
    assert set(ROWS[name]) == {"value", "unit", "source"}
    assert ROWS[name]["unit"]
    assert ROWS[name]["source"] in SECTIONS["sources"]


def test_every_source_is_used() -> None:
    """The list of sources names none from which nothing was taken."""
    assert {row["source"] for row in ROWS.values()} == set(SECTIONS["sources"])


def test_a_search_makes_the_calls_of_the_flow_and_its_begin() -> None:
    """The 32 calls of docs/benchmarks.md, and the one that begins a search that is not in the cache."""
    told = re.search(r"starts (\d+) functions", (scale_known.ROOT / "docs" / "benchmarks.md").read_text("utf-8"))
    assert told
    assert scale_costs.lambda_calls(FIGURES) == int(told[1]) + 1


def test_a_hit_costs_what_a_hand_computes() -> None:
    """Gateway, a tenth of a second of 64 MB, nine reads at half price, three writes, half a KB of logs, 35 KB out."""
    costs = scale_costs.costs(FIGURES, scale_known.HIT)
    by_hand = {
        "API Gateway": 3.5e-6,
        "Step Functions": 1e-6 + 0.1 * 64 / 1024 * 0.06 / 3600,
        "DynamoDB, writes": 3 * 0.625e-6,
        "DynamoDB, reads": 9 / 2 * 0.125e-6,
        "CloudWatch Logs": 0.5e-6 * 0.5,
        "X-Ray": 5e-6,
        "data transfer": 35e-6 * 0.09,
    }
    assert {name: usd for name, usd in costs.items() if usd} == pytest.approx(by_hand)


def test_a_search_with_a_model_costs_what_a_hand_computes() -> None:
    """Half a GB translates 1.9 s and scouts 2.7 s, one GB screens 46.65 s; 218 units are cached, 14 budgeted."""
    costs = scale_costs.costs(FIGURES, scale_known.PEAK)
    assert costs["Lambda, time"] == pytest.approx((0.5 * (1.9 + 2.7) + 46.65) * 0.0000133334)
    assert costs["DynamoDB, writes"] == pytest.approx((35 + 3 * 20 + 40 * 3 + 3 + 7 * 2 + 3) * 0.625e-6)
    assert costs["Step Functions"] == pytest.approx(1e-6 + 9.5 * 64 / 1024 * 0.06 / 3600, rel=0.02)


def test_off_peak_halves_the_tokens_alone() -> None:
    """All else costs the same at any hour."""
    peak, off_peak = (scale_costs.costs(FIGURES, kind) for kind in (scale_known.PEAK, scale_known.OFF_PEAK))
    assert off_peak == pytest.approx({**peak, "language model": peak["language model"] / 2})


def test_a_warm_up_pays_for_its_schedule_and_for_no_asker() -> None:
    """Its share of a run of the Standard machine is paid by transition; no gateway, and no count of an asking."""
    n = {**FIGURES, "warm_up_questions": 3}
    peak, warm = scale_costs.costs(n, scale_known.PEAK), scale_costs.costs(n, scale_known.WARM_UP)
    assert warm["Step Functions"] - peak["Step Functions"] == pytest.approx((4 + 9 / 3) * 25e-6)
    assert warm["DynamoDB, writes"] - peak["DynamoDB, writes"] == pytest.approx((7 * 2 - 3) * 0.625e-6)
    assert warm["EventBridge Scheduler"] == pytest.approx(1e-6 / 3)
    assert warm["API Gateway"] == 0


def test_the_stack_bounds_itself() -> None:
    """What an operator reserves is shared by the searches; 0 reserves nothing, and bounds nothing."""
    bounds = {
        bound.name: bound for bound in scale_bounds.bounds({**FIGURES, "screener_at_once": 200, "scout_at_once": 0})
    }
    assert bounds["screener, calls at once"].carries(0) == pytest.approx(200 / (1.15 + 25 * 4.02))
    assert "scout, calls at once" not in bounds


def test_a_month_is_its_searches() -> None:
    """A million searches, half of them hits, come so close upon each other that nothing is restored."""
    half = 500_000 * (scale_costs.total(FIGURES, scale_known.HIT) + scale_costs.total(FIGURES, scale_known.RULES))
    assert scale_costs.a_month(FIGURES, scale_known.RULES, 0.5, 1_000_000) == pytest.approx(half)


def test_rare_searches_pay_for_restores() -> None:
    """One search a month finds every function cold: twelve GB are restored."""
    alone = scale_costs.a_month(FIGURES, scale_known.RULES, 0, 1) - scale_costs.total(FIGURES, scale_known.RULES)
    assert alone == pytest.approx(12 * 0.0001397998, rel=0.001)


def test_the_snapshots_cost_what_the_readme_says() -> None:
    """Both pages give one figure for what stands while nobody asks."""
    snapshots = next(iter(scale_costs.standing(FIGURES).values()))
    assert f"**{snapshots:.2f} a month**" in (scale_known.ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "hit_rate", "by_hand"),
    [
        ("GitHub, token, points an hour", 0, 5000 / 3600 / 12),
        ("GitHub, token, points an hour", 0.9, 5000 / 3600 / 1.2),
        ("GitHub, token, points a minute", 0, 2000 / 60 / 12),
        ("(GitHub, no token, REST a minute)", 0, 10 / 60 / 5),
        ("SSM, secrets of new functions", 0, 40 / (1 + 3 + 10 * 2)),
        ("Lambda, growth of the screener", 0, 10),
        ("DeepSeek, calls at once", 0, 2500 / (26 * 4)),
        ("DynamoDB, index of a day", 0.9, 500),
        ("API Gateway, requests", 0.9, 10_000),
    ],
)
def test_a_bound_carries_what_a_hand_computes(name: str, hit_rate: float, by_hand: float) -> None:
    """What is allowed, by what the searches that miss and those that hit take of it."""
    bound = next(bound for bound in scale_bounds.bounds(FIGURES) if name in {bound.name, f"({bound.name})"})
    assert bound.carries(hit_rate) == pytest.approx(by_hand)


def test_the_bounds_are_listed_from_the_tightest_on() -> None:
    """The reader sees first what binds first."""
    carried = [bound.carries(0) for bound in scale_bounds.bounds(FIGURES)]
    assert carried == sorted(carried)


def test_a_prompt_is_as_long_as_the_estimate_says() -> None:
    """What the stage really writes of a usual repository is what is taken for it, but for a thirtieth."""
    asked: list[Prompt] = []

    class _Listening:
        name = "listening"

        def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:  # noqa: ARG002 - the port has it
            asked.append(prompt)
            return Completion(data={}, usage=Usage(llm_calls=1))

    clock = WallClock()
    score(_usual(), SearchRequest(query="q" * 40), Dependencies(clock, llm=_Listening()), Deadline.after(60, clock))
    translation = len(instructions("translate")) + 40
    taken = (FIGURES["prompt_characters"] - translation) / PipelineConfig().shortlist_size
    assert taken == pytest.approx(len(asked[0].system) + len(asked[0].user), rel=0.03)


def _usual() -> ScoreTask:
    """Make a task of a repository with 5 topics and 20 files, of 10 characters each."""
    repository = Repository.model_validate(
        {
            "full_name": "some-owner/some-repository",
            "description": "d" * 100,
            "url": "https://github.com/some-owner/some-repository",
            "language": "TypeScript",
            "license": "MIT",
            "stars": 12345,
            "forks": 1234,
            "topics": ("t" * 10,) * 5,
            "tree": ("f" * 10,) * 20,
            "readme": "r" * 500,
            "pushed_at": "2026-11-01T00:00:00Z",
        }
    )
    return ScoreTask(repository=repository, relevance=0.5, found_by=(FoundBy(strategy="stars", rank=1),), ask_llm=True)


@pytest.mark.parametrize(("told", "code"), [("", 0), ("another figure", 1)])
def test_the_check_notices_another_page(told: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--check` writes nothing, and fails where the page says something else."""
    page = tmp_path / "scale.md"
    text = scale_page.PAGE.read_text("utf-8").replace("<!-- end -->", f"{told}<!-- end -->", 1)
    page.write_text(text, "utf-8")
    monkeypatch.setattr(scale, "PAGE", page)
    monkeypatch.setattr(sys, "argv", ["scale.py", "--check"])
    assert scale.main() == code
    assert page.read_text("utf-8") == text
