"""Reading the options and the config file, and printing the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from goldpan.contracts import Answer, parse_request
from goldpan_local.search_command import print_answer, read_request

from tests.support.local import answer
from tests.unit.local.conftest import Run


def test_options_left_out_keep_the_defaults() -> None:
    """None and an empty list stand for an option that was not given."""
    options: dict[str, object] = {"query": "x", "mode": None, "kinds": [], "max_results": "3"}
    assert read_request(options, {"min_stars": None, "topics": []}, None) == parse_request(
        {"query": "x", "max_results": 3}
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.json", '{"coarse_filter": {"min_stars": 5, "require_readme": null}, "shortlist_size": 7}'),
        ("c.toml", "shortlist_size = 7\n[coarse_filter]\nmin_stars = 5\n"),
        ("C.JSON", '\ufeff{"coarse_filter": {"min_stars": 5}, "shortlist_size": 7}'),
    ],
)
def test_a_config_file_overrides_what_it_names(tmp_path: Path, name: str, text: str) -> None:
    """Other settings keep their defaults, such as 100 candidates; null, which TOML has not, switches a rule off."""
    path = tmp_path / name
    path.write_text(text, "utf-8")
    config = read_request({"query": "x"}, {}, path).config
    assert (config.coarse_filter.min_stars, config.shortlist_size, config.max_candidates) == (5, 7, 100)
    assert config.coarse_filter.require_readme is (None if name == "c.json" else True)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.json", b'{"a": 20,\n oops}', "not JSON: Expecting property name enclosed in double quotes (at line 2"),
        ("c.toml", b"max_candidates = 20\nshortlist_size = = 2\n", "line 2"),
        ("c.json", b'{"coarse_filter": {"min_stars": -1}}', "config.coarse_filter.min_stars: "),
        ("c.json", b'{"colour": 1}', "config.colour: unknown field"),
        ("c.json", b"\xff\xfe", "cannot be read as JSON"),
        ("c.yaml", b"a: 1", "the name of a config file must end in .json or .toml"),
        ("c.json", None, "No such file"),
    ],
)
def test_an_invalid_config_file_is_named(
    run: Run, tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    """The message names the file, and the line or the field; the exit code is 2."""
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    result = run("search", "x", "--source", "catalogue", "--config", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"goldpan: {path}: ")
    assert message in result.stderr


def test_json_is_the_whole_answer_without_terminal_commands(capfd: pytest.CaptureFixture[str]) -> None:
    """The JSON parses to the same answer; control characters are written as JSON escapes."""
    shown = answer(query="a\u009b31mb\u202e")
    assert print_answer(shown, "json") == 0
    printed = capfd.readouterr().out
    assert Answer.model_validate_json(printed) == shown
    assert json.loads(printed)["repositories"]["results"][1]["scores"]["documentation"] is None
    assert r"a\u009b31mb\u202e" in printed
    assert printed.endswith("}\n")
