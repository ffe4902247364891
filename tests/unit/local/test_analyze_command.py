"""`goldpan analyze` and `analyze_repository`: what is printed, in which format, and how a failure ends."""

import re

import goldpan
import pytest
from goldpan.engine.dependencies import Runtime
from goldpan.errors import TimedOut
from goldpan.kinds.repositories.analysis.models import Analysis, Point
from goldpan_local.analyze_command import render_analysis
from rich.cells import cell_len

from tests.support.analysis_fakes import FULL_NAME, ListedReader, facts, runtime
from tests.support.local import HOSTILE
from tests.unit.local.conftest import Run, refused


def use(monkeypatch: pytest.MonkeyPatch, reader: ListedReader | None = None) -> Runtime:
    """Let the command read from this reader only."""
    made = runtime(reader)
    monkeypatch.setattr("goldpan.local.bootstrap.open_runtime", lambda *_: made)
    return made


def test_the_table_fits_a_terminal_of_80_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the scores as bars, the statements by dimension, and what was not looked at."""
    use(monkeypatch)
    shown = run("analyze", FULL_NAME, "--query", "Python web framework", env={"COLUMNS": "80"}).stdout
    lines = shown.splitlines()
    assert max(cell_len(line) for line in lines) <= 80
    assert lines[:5] == [FULL_NAME, "", "A Python web framework", "", "For: Python web framework"]
    assert any(line.startswith(" maintenance") and "█" in line for line in lines)
    assert lines[lines.index("Maturity") + 3] == " • 70,000 stars."
    assert " • No guide for contributors." in lines
    assert " • github: ok, readme, 1 by named; 0.0 s" in lines


def test_each_format_has_the_same_facts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON is the analysis; Markdown links each statement to its page."""
    use(monkeypatch)
    made = Analysis.model_validate_json(run("analyze", FULL_NAME, "--format", "json").stdout)
    written = run("analyze", FULL_NAME, "--format", "MARKDOWN").stdout
    assert [each for each in made.statements if f"](<{each.evidence_url}>)" not in written] == []
    assert written.startswith(f"# [{FULL_NAME}](<https://github.com/{FULL_NAME}>)\n")


def test_a_hostile_text_is_shown_as_text(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """No terminal command, link or markup in untrusted text is carried out."""
    changes = {"description": HOSTILE, "license": HOSTILE[:60], "homepage": None, "latest_release_name": HOSTILE[:60]}
    paths = ("README.md", f"docs{HOSTILE[:20]}/", "[a](javascript:b)/tests/")
    use(monkeypatch, ListedReader((facts(changes, paths=paths),)))
    table, written, made = (
        run("analyze", FULL_NAME, "--format", each).stdout for each in ("table", "markdown", "json")
    )
    assert not {"\x1b", "\x07", "\x9b"} & {*table, *written, *made}
    assert "[red]x[/red]" in table
    assert "<script>" not in written
    assert not re.search(r"(?<!\\)\]\((?!<https://github\.com/)", written)
    assert "tree/HEAD/%5Ba%5D%28javascript%3Ab%29/tests" in written


def test_a_failure_ends_with_its_code(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the field or the source, and nothing goes to stdout."""
    use(monkeypatch)
    assert refused(run("analyze", "octocat/gone")).startswith("goldpan: repo: octocat/gone was not found on GitHub")
    use(monkeypatch, ListedReader(failure=TimedOut("no answer before the deadline")))
    late = run("analyze", FULL_NAME)
    assert (late.exit_code, late.stdout, late.stderr[:37]) == (3, "", "goldpan: github: no answer before the")


def test_the_document_says_what_is_known_and_since_when(monkeypatch: pytest.MonkeyPatch) -> None:
    """A score has a bar of its length, an unknown one a dash; texts of others are text, a cached analysis says so."""
    analysis = goldpan.analyze_repository(FULL_NAME, "Python web framework", runtime=use(monkeypatch))
    assert (analysis.query, goldpan.analyze_repository(FULL_NAME).query) == ("Python web framework", None)
    scores = analysis.scores.model_copy(update={"community": None, "activity": 5.0})
    summary = [Point(text="*One* point.", evidence=("stars",))]
    known = {"scores": scores, "summary": summary, "caveats": ("*Not* seen.",)}
    shown = render_analysis(analysis.model_copy(update={**known, "cached": True, "execution_time_ms": 1240}))
    lines = ("| community | - | unknown |", f"| activity | 5.0 | {'█' * 10} |", r"\*One\* point.", r"- \*Not\* seen.")
    assert [line for line in lines if line not in shown.splitlines()] == []
    assert shown.endswith(" UTC, 1.2 s, no language model calls; cached.\n")
    assert not render_analysis(analysis).endswith("; cached.\n")
