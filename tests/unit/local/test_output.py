"""The formats of an answer, and what a terminal gets."""

import csv
import io
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from goldpan.engine.interpretation import NO_MODEL
from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.kinds.answer import Answer
from goldpan_local.output import open_result, print_answer
from goldpan_local.search_options import SearchOptions

from tests.support.local import ANSWER, answer

Show = Callable[[Answer, SearchOptions], str]


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch) -> Show:
    """Print answers on a terminal without colours, of 24 lines, and without a pager; gives what is printed."""
    for name, value in {"TERM": "dumb", "COLUMNS": "100", "LINES": "24", "PAGER": ""}.items():
        monkeypatch.setenv(name, value)

    def printed(shown: Answer, given: SearchOptions) -> str:
        terminal = io.TextIOWrapper(output := io.BytesIO(), "utf-8")
        monkeypatch.setattr(terminal, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdout", terminal)  # pytest replaces stdout after the fixtures
        print_answer(shown, given, os.environ)
        return output.getvalue().decode()

    return printed


def many(count: int) -> Answer:
    """Make an answer with a number of results."""
    section = ANSWER["repositories"]
    return answer(repositories={**section, "results": [section["results"][0]] * count})


def test_the_notice_of_a_missing_model_stands_in_full_once_a_day(
    monkeypatch: pytest.MonkeyPatch, show: Show, tmp_path: Path
) -> None:
    """Then in a few words; not in what is no terminal, where it is always the same."""
    monkeypatch.setenv("GOLDPAN_CACHE", str(tmp_path / "cache.sqlite"))
    monkeypatch.setenv("COLUMNS", "80")
    noticed = answer(warnings=[NO_MODEL])
    show(answer(), {"compact": True})  # an answer without it is no notice
    pages = [show(noticed, {"compact": True}) for _ in range(2)]
    assert ["were ordered by rules alone" in page for page in pages] == [True, False]
    assert "! Without a language model.\n" in pages[1]
    os.utime(tmp_path / "cache.notice", (0, 0))
    assert "No language model is" in show(noticed, {"compact": True})


def test_json_is_the_whole_answer_without_terminal_commands(capfd: pytest.CaptureFixture[str]) -> None:
    """The JSON parses to the same answer; control characters are written as JSON escapes."""
    shown = answer(query="a\u009b31mb\u202e")
    assert print_answer(shown, {"format": "json"}, {}) == 0
    printed = capfd.readouterr().out
    assert Answer.model_validate_json(printed) == shown
    assert json.loads(printed)["repositories"]["results"][1]["scores"]["documentation"] is None
    assert r"a\u009b31mb\u202e" in printed
    assert printed.endswith("}\n")


def test_csv_has_a_line_a_result_and_no_formula(capfd: pytest.CaptureFixture[str]) -> None:
    """A spreadsheet shows a description that begins like a formula as text; what failed is on stderr."""
    first, second = ANSWER["repositories"]["results"]
    hostile = {**first, "description": '=HYPERLINK("http://evil.example")'}
    shown = answer(repositories={**ANSWER["repositories"], "results": [hostile, second]})
    print_answer(shown, {"format": "csv"}, {})
    printed = capfd.readouterr()
    rows = [(row["repo"], row["stars"], row["description"][:3]) for row in csv.DictReader(io.StringIO(printed.out))]
    assert rows == [("motion/react-motion", "21456", "'=H"), ("glide/glide", "", "")]
    assert "goldpan: github rate limited: expanded; no searches left" in printed.err
    for changes, said in (({"results": []}, "One strategy failed."), ({"nothing_fits": True}, "Nothing fits well")):
        section = {**ANSWER["repositories"], **changes}
        code = print_answer(answer(repositories=section, sources=[]), {"format": "csv"}, {})
        assert (code, said in capfd.readouterr().err) == (0 if "nothing_fits" in changes else 1, True)


def test_a_list_that_does_not_fit_the_terminal_has_one_line_a_result(show: Show) -> None:
    """It keeps what failed, and says how the whole table is shown, which alone has reasons; no line is too long."""
    shown = show(many(10), {})
    assert len([line for line in shown.splitlines() if "motion/react-motion" in line]) == 10
    assert "github rate limited: expanded" in shown
    assert "--no-compact" in shown
    assert max(len(line) for line in shown.splitlines()) <= 100
    whole: list[tuple[int, SearchOptions]] = [(1, {}), (10, {"compact": False}), (10, {"details": True})]
    for count, given in whole:
        assert "It animates with springs" in show(many(count), given)
    assert "It animates with springs" not in show(many(1), {"compact": True}) + shown


@pytest.mark.parametrize(
    ("variables", "given", "lines", "paged"),
    [
        ({"PAGER": "{}"}, {}, 24, True),
        ({"PAGER": "{}"}, {}, 23, False),  # with the prompt below them
        ({"GOLDPAN_PAGER": "{}", "PAGER": "false"}, {}, 24, True),
        ({"PAGER": "{}"}, {"pager": False}, 24, False),
        ({"PAGER": "cat"}, {}, 24, False),
        ({"PAGER": None, "TERM": "dumb"}, {}, 24, False),
        ({"PAGER": None, "TERM": "xterm"}, {}, 24, True),
        ({"PAGER": "no-such-pager -x"}, {}, 24, False),
    ],
)
def test_what_is_longer_than_the_terminal_is_paged(  # noqa: PLR0913, PLR0917 - fixtures and columns
    monkeypatch: pytest.MonkeyPatch,
    show: Show,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    variables: dict[str, str | None],
    given: SearchOptions,
    lines: int,
    *,
    paged: bool,
) -> None:
    """GOLDPAN_PAGER comes before PAGER; a terminal that cannot move its cursor has no pager but one that was chosen."""
    file = tmp_path / "paged"
    less = tmp_path / "less"
    less.write_text(f"#!/bin/sh\n(cat; echo LESS is $LESS, LV is $LV) > {file}\n")
    less.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    for name, value in variables.items():
        if value is None:
            monkeypatch.delenv(name)
        else:
            monkeypatch.setenv(name, value.format(f"sh -c 'cat > {file}'"))
    monkeypatch.setenv("LESS", "own")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background ignores it
    shown = show(many(lines), {"format": "urls", **given})
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler
    assert (shown == "", file.exists()) == (paged, paged)
    assert "motion/react-motion" in (text := file.read_text() if paged else shown)
    assert variables.get("TERM") != "xterm" or text.endswith("LESS is own, LV is -c\n")
    missing = "no-such-pager -x" in variables.values()
    assert ("the pager no-such-pager: No such file" in capfd.readouterr().err) == missing


def test_a_result_is_opened_in_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a web address is; a number that no result has, and a machine without a browser, are named."""
    monkeypatch.setattr("webbrowser.open", start := Mock(side_effect=[True, False, False]))
    open_result(answer(), "1")
    start.assert_called_once_with("https://github.com/motion/react-motion")
    with pytest.raises(Misconfigured, match=r"no browser could be started for https://github\.com/motion"):
        open_result(answer(), "1")
    with pytest.raises(Misconfigured, match="a result without a web address"):
        open_result(answer(), "2")
    for number in ("0", "3", "30", "x", "1" * 5_000):
        with pytest.raises(InvalidRequest, match=rf"--open: .* from 1 to 2 \(given '{number[:60]}'\)"):
            open_result(answer(), number)
    section = ANSWER["repositories"]
    later = answer(repositories={**section, "results": section["results"][:1], "offset": 10, "total": 11})
    with pytest.raises(Misconfigured, match=r"for https://github\.com/motion"):
        open_result(later, "11")
