"""`--config` reads overrides from JSON or TOML, and says where a file is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from goldpan_local.config_file import read_config

from tests.unit.local.conftest import Run


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.json", '{"coarse_filter": {"min_stars": 5}, "shortlist_size": 7}'),
        ("c.toml", "shortlist_size = 7\n[coarse_filter]\nmin_stars = 5\n"),
        ("C.JSON", '\ufeff{"coarse_filter": {"min_stars": 5}, "shortlist_size": 7}'),
    ],
)
def test_overrides_are_read(tmp_path: Path, name: str, text: str) -> None:
    """Both notations mean the same; what is not named keeps its default."""
    path = tmp_path / name
    path.write_text(text, "utf-8")
    config = read_config(path)
    assert (config.coarse_filter.min_stars, config.shortlist_size, config.max_candidates) == (5, 7, 100)


def test_null_switches_a_rule_off(tmp_path: Path) -> None:
    """JSON null reaches the rule."""
    path = tmp_path / "c.json"
    path.write_text('{"coarse_filter": {"min_stars": null}}')
    assert read_config(path).coarse_filter.min_stars is None


def test_the_overrides_change_the_answer(run: Run, tmp_path: Path) -> None:
    """A rule that the file sharpens drops repositories."""
    path = tmp_path / "c.toml"
    path.write_text("[coarse_filter]\nmin_stars = 1000000\n")
    assert run("search", "Rust web framework", "--source", "catalogue", "--config", str(path)).exit_code == 1


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("c.json", b'{"max_candidates": 20,\n oops}', "c.json: not JSON: Expecting property name"),
        ("c.json", b'{"max_candidates": 20,\n oops}', "(at line 2, column 2)"),
        ("c.toml", b"max_candidates = 20\nshortlist_size = = 2\n", "line 2"),
        ("c.json", b'{"coarse_filter": {"min_stars": -1}}', "c.json: config.coarse_filter.min_stars: "),
        ("c.json", b'{"colour": 1}', "c.json: config.colour: unknown field"),
        ("c.json", b"[1, 2]", "c.json: config: "),
        ("c.json", b"\xff\xfe", "c.json: cannot be read as JSON"),
        ("c.yaml", b"a: 1", "c.yaml: the name of a config file ends in .json or .toml"),
        ("c.toml", b"[dimension_weights]\nmaturity = 1\n", "the six weights must sum to 1"),
    ],
)
def test_a_wrong_file_ends_with_2_and_is_named(run: Run, tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """The message names the file, and the line or the field."""
    path = tmp_path / name
    path.write_bytes(content)
    result = run("search", "x", "--source", "catalogue", "--config", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert str(path) in result.stderr


def test_a_missing_file_ends_with_2_and_is_named(run: Run, tmp_path: Path) -> None:
    """A file that is not there is not ignored, nor is a folder read."""
    for path, said in ((tmp_path / "none.json", "No such file"), (tmp_path / "d.json", "Is a directory")):
        if said == "Is a directory":
            path.mkdir()
        result = run("search", "x", "--config", str(path))
        assert result.exit_code == 2
        assert f"goldpan: {path}: {said}" in result.stderr
