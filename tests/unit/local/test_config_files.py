"""What `--config FILE` and the user's own file set."""

import json
from pathlib import Path

import pytest
from goldpan_local.config_files import read_overrides

from tests.support.local import catalogue, use_runtime
from tests.unit.local.conftest import Run, refused


def test_a_config_file_overrides_what_it_names(tmp_path: Path) -> None:
    """Other settings keep their defaults, such as 100 candidates; null, which TOML has not, switches a rule off."""
    for name, text in {
        "c.json": '{"coarse_filter": {"min_stars": 5, "require_readme": null}, "shortlist_size": 7}',
        "c.toml": "shortlist_size = 7\n[coarse_filter]\nmin_stars = 5\n",
        "C.JSON": '\ufeff{"coarse_filter": {"min_stars": 5}, "shortlist_size": 7}',
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
        config = read_overrides(tmp_path / name)
        assert (config.coarse_filter.min_stars, config.shortlist_size, config.max_candidates) == (5, 7, 100)
        assert config.coarse_filter.require_readme is (None if name == "c.json" else True)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.json", b'{"a": 20,\n oops}', "JSON: Expecting property name enclosed in double quotes: line 2"),
        ("c.toml", b"max_candidates = 20\nshortlist_size = = 2\n", "line 2"),
        ("c.json", b'{"coarse_filter": {"min_stars": -1}}', "coarse_filter.min_stars: "),
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
    said = refused(run("search", "x", "--source", "catalogue", "--config", str(path)))
    assert (said.startswith(f"goldpan: {path}: "), message in said) == (True, True)


def test_the_users_file_sets_the_defaults_of_the_command(
    run: Run, monkeypatch: pytest.MonkeyPatch, user_file: Path
) -> None:
    """An option that is typed takes the place of the file's; the file may also tune the search."""
    use_runtime(monkeypatch, catalogue())
    options = 'kind = ["repositories"]\nmax-results = 1\nmode = "focused"\nformat = "json"\n'
    user_file.write_text(f"{options}[coarse_filter]\nmin_stars = 5000\n")

    def ask(*options: str) -> tuple[str, int]:
        answer = json.loads(run("search", "React animation library", *options).stdout)
        return answer["mode"], len(answer["repositories"]["results"])

    assert ask() == ("focused", 1)
    assert ask("--mode", "balanced", "-n", "9") == ("balanced", 1)
    overrides = user_file.with_name("all.toml")
    overrides.write_text("[coarse_filter]\nmin_stars = 0\n")
    assert ask("-n", "9", "--config", str(overrides)) == ("focused", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("max-resluts = 3", "did you mean max_results?"),
        ("max_results = 99", "max_results: must be at most 25 (given 99)"),
        ('mode = "focusd"', "mode: must be focused, balanced or exploratory; did you mean focused?"),
        ('format = "jsn"', "format: must be table, json, "),
        ('kind = ["tools"]', "kind: "),
        ('language = "rust"', "language: unknown field"),
        ('details = "yes"', "details: must be true or false (given 'yes')"),
        ("[coarse_filter]\nmin_star = 1", "coarse_filter.min_star: unknown field"),
        ("a = = 1", "cannot be read as TOML"),
    ],
)
def test_a_mistake_in_the_users_file_is_named(run: Run, user_file: Path, text: str, message: str) -> None:
    """With the file and the field; the exit code is 2, and the help still appears."""
    user_file.write_text(text)
    said = refused(run("search", "date library", "--source", "catalogue"))
    assert (said.startswith(f"goldpan: {user_file}: "), message in said) == (True, True)
    assert run("search", "--help").exit_code == 0


def test_a_folder_that_cannot_be_read_is_named(run: Run) -> None:
    """The options that may stand there are not passed over."""
    settings = f"/{'x' * 300}"
    said = refused(run("search", "date library", env={"XDG_CONFIG_HOME": settings}))
    assert said == f"goldpan: {settings}/goldpan/config.toml: File name too long\n"
