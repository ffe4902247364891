"""The tables of docs/scale.md, between its markers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable

from goldpan.config import PipelineConfig
from goldpan.infra.cache.port import TTL
from goldpan.infra.llm.prices import PRICES
from goldpan.settings import DEEPSEEK_MODEL, OPENAI_MODEL

from tests.benchmarks.figures import table
from tests.benchmarks.scale_bounds import bounds
from tests.benchmarks.scale_costs import (
    a_month,
    costs,
    restores,
    standing,
    tokens_cost,
    total,
)
from tests.benchmarks.scale_drawing import drawing, ends, named
from tests.benchmarks.scale_known import (
    HIT,
    KINDS,
    MILLION,
    OFF_PEAK,
    PARAMETERS,
    PEAK,
    ROOT,
    RULES,
    Figures,
    known,
)

PAGE = ROOT / "docs" / "scale.md"
MARKED = re.compile(r"(<!-- scale: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def written(page: str, parameters: Figures) -> str:
    """Put the tables between the page's markers."""
    made = tables(parameters)
    replace: Callable[[re.Match[str]], str] = lambda found: f"{found[1]}\n{made[found[2]]}\n\n{found[3]}"  # noqa: E731
    return MARKED.sub(replace, page)


def tables(parameters: Figures) -> dict[str, str]:
    """Write all tables, by the names of their markers."""
    n = known(parameters)
    return {
        "search": _search_table(n),
        "model": _model_table(n),
        "month": _month_table(n),
        "standing": table(("each month", "USD"), [(name, f"{usd:,.2f}") for name, usd in standing(n).items()]),
        "drawing": drawing(n),
        "bounds": _bounds_table(n),
        "first": _first_list(n),
        "levers": _levers_table(parameters),
        "sources": _sources(),
    }


def _search_table(n: Figures) -> str:
    by_kind = {kind: costs(n, kind) for kind in KINDS}
    rows = [[service, *(_thousand(by_kind[kind][service]) for kind in KINDS)] for service in by_kind[HIT]]
    whole = [f"**{_thousand(total(n, kind))}**" for kind in KINDS]
    paused = ["" if kind == HIT else _thousand(restores(n)) for kind in KINDS]
    return table(
        ("USD for 1,000", *KINDS), [*rows, ["**all**", *whole], ["after a pause, SnapStart restores besides", *paused]]
    )


def _model_table(n: Figures) -> str:
    def off_peak(model: str) -> str:
        return _thousand(tokens_cost(n, model) * n["llm.off_peak"]) if model.startswith("deepseek") else ""

    marks = {DEEPSEEK_MODEL: " (DeepSeek's key)", OPENAI_MODEL: " (OpenAI's key)"}
    rows = [(f"{name}{marks.get(name, '')}", _thousand(tokens_cost(n, name)), off_peak(name)) for name in PRICES]
    said = (
        f"{n['llm_calls']} calls, {n['prompt_characters']:,} characters in, of them {n['fixed_characters']:,} of "
        f"instructions: {n['input_tokens']:,.0f} tokens in, {n['output_tokens']:,.0f} out."
    )
    return f"{said}\n\n{table(('USD for 1,000 searches', 'price of the table', 'off-peak'), rows)}"


def _month_table(n: Figures) -> str:
    counts = n["asked.a_month"]
    rows = [
        [f"{kind}, {rate:.0%} hits", _thousand(a_month(n, kind, rate, MILLION) / MILLION)]
        + [f"{a_month(n, kind, rate, count):,.2f}" for count in counts]
        for kind in (RULES, OFF_PEAK, PEAK)
        for rate in n["asked.hit_rates"]
    ]
    return table(("USD", "1,000 searches", *(f"{count:,} a month" for count in counts)), rows)


def _bounds_table(n: Figures) -> str:
    low, high = ends(n)
    rows = [
        [named(bound), _figure(bound.allowed), _figure(bound.missed), _figure(bound.hit) if bound.hit else ""]
        + [_figure(bound.carries(rate)) for rate in (low, high)]
        for bound in bounds(n)
    ]
    return table(
        ("bound", "allowed a second, or at once", "a miss takes", "a hit takes", f"{low:.0%} hits", f"{high:.0%} hits"),
        rows,
    )


def _first_list(n: Figures) -> str:
    return "\n".join(
        f"- {second} a second, {rate:.0%} hits: {_beyond(n, second, rate)}"
        for second in n["asked.a_second"]
        for rate in ends(n)
    )


def _beyond(n: Figures, second: float, rate: float) -> str:
    usual = sorted((bound for bound in bounds(n) if bound.kind == "usual"), key=lambda bound: bound.carries(rate))
    told = [f"{bound.name} ({_figure(second / bound.carries(rate))} times)" for bound in usual]
    beyond = sum(bound.carries(rate) < second for bound in usual)
    return "; ".join(told[:beyond]) or f"nothing; nearest is {told[0]}"


def _levers_table(parameters: Figures) -> str:
    """Tell what each lever makes of what it moves."""
    n, fewer = known(parameters), PipelineConfig(shortlist_size=15)

    def carried(name: str, given: Figures, rate: float = 0) -> str:
        return _figure(next(bound for bound in bounds(given) if bound.name == name).carries(rate))

    def row(lever: str, name: str, to: Figures, rate: float = 0) -> list[str]:
        return [f"{name}: {lever}", carried(name, n), carried(name, to, rate)]

    def cost(lever: str, to: float) -> list[str]:
        return [f"USD for 1,000, model at peak: {lever}", _thousand(total(n, PEAK)), _thousand(to)]

    life, longer, gap = TTL["answer"].total_seconds() / 60, n["asked.longer_life"], n["asked.gap"]
    points, ssm, at_once = "GitHub, token, points an hour", "SSM, secrets of new functions", "Lambda, calls at once"
    screeners = "screener, calls at once"
    warm = n["github_points"] * n["warm_up_questions"] / n["warm_up_minutes"] / 60
    saved = n["fixed_characters"] * n["llm.tokens_a_character"] * (1 - n["llm.cached_input"]) / MILLION
    app, enterprise = n["others.installation_points"], n["others.enterprise_points"]
    rows = [
        [f"hit rate, asked every {gap} min: fresh for {longer:g} min, not {life:g}"]
        + [f"{fresh / (fresh + gap):.0%}" for fresh in (life, longer)],
        *(row(f"hit rate {rate:.0%}", points, n, rate) for rate in n["asked.hit_rates"][1:]),
        row(f"GitHub App, largest installation, {app:,}", points, {**n, "github_hour": app / 3600}),
        row(f"GitHub App on Enterprise Cloud, {enterprise:,}", points, {**n, "github_hour": enterprise / 3600}),
        row("`max_enriched` 20, not 40", points, known(parameters, PipelineConfig(max_enriched=20))),
        row("`max_searches` 8, not 15", points, known(parameters, PipelineConfig(max_searches=8))),
        row("what warm-ups take of it at most", points, {**n, "github_hour": n["github_hour"] - warm}),
        row("higher throughput", ssm, {**n, "others.ssm_reads": n["others.ssm_more"]}),
        row("as many screeners as the account allows", screeners, {**n, "screener_at_once": n["lambda.at_once"]}),
        row("quota raised", at_once, {**n, "lambda.at_once": n["lambda.more_at_once"]}),
        row("`shortlist_size` 15, not 25", at_once, known(parameters, fewer)),
        row("`shortlist_size` 15, not 25", "DeepSeek, calls at once", known(parameters, fewer)),
        cost("`shortlist_size` 15, not 25", total(known(parameters, fewer), PEAK)),
        cost("`readme_chars` 0, not 500", total(known(parameters, PipelineConfig(readme_chars=0)), PEAK)),
        cost("instructions from DeepSeek's cache", total(n, PEAK) - saved * PRICES[DEEPSEEK_MODEL].input),
    ]
    return table(("what it moves: lever", "from", "to"), rows)


def _sources() -> str:
    read = tomllib.loads(PARAMETERS.read_text("utf-8"))
    pages = [address for address in read["sources"].values() if address.startswith("https://")]
    return "\n".join([f"As of {read['as_of']}, none checked live:", "", *(f"- <{address}>" for address in pages)])


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"


def _thousand(usd: float) -> str:
    return f"{1000 * usd:,.4f}"
