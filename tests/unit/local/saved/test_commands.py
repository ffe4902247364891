"""`goldpan search --save` and `goldpan saved`: what is kept, what is new, and the report of a review."""

import json
import re
from pathlib import Path
from unittest.mock import Mock

import pytest
from goldpan.errors import RateLimited
from goldpan.local import bootstrap

from tests.support.factories import ListedSource
from tests.support.fakes import START
from tests.support.local import catalogue, records, use_runtime
from tests.support.sample import catalogue_in_memory
from tests.unit.local.conftest import Run, refused

SAVE = ("search", "React animation library", "--format", "urls", "--save", "motion")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Keep saved searches in a folder of this test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "goldpan" / "saved"


@pytest.fixture
def motion(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Save a search of the test catalogue; returns the folder."""
    use_runtime(monkeypatch, catalogue())
    run(*SAVE)
    return folder


def test_a_saved_search_tells_what_is_new_since_its_last_run(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It exits with 0 if anything is, else with 1; each run is a line of the log."""
    use_runtime(monkeypatch, catalogue_in_memory(records()[:1], title="one"))
    saved = run(*SAVE)
    assert (saved.exit_code, saved.stdout) == (0, "https://github.com/motion/react-motion\n")
    assert {path.stat().st_mode & 0o777 for path in folder.glob("motion.*")} == {0o600}
    same = run("saved", "run", "motion")
    assert (same.exit_code, same.stdout.splitlines()[0][:27]) == (1, "motion: 0 new, 0 gone since")
    use_runtime(monkeypatch, catalogue_in_memory(records()[1:], title="others"))
    changed = run("saved", "run", "motion", "--format", "json")
    names = [[each["result"]["id"] for each in json.loads(changed.stdout)[name]] for name in ("new", "gone")]
    assert (changed.exit_code, names) == (0, [["glide/glide"], ["motion/react-motion"]])
    assert ["motion", "3"] in [line.split()[:2] for line in run("saved").stdout.splitlines()]
    assert "1. glide/glide" in run("saved", "log", "motion").stdout


@pytest.mark.usefixtures("folder")
def test_a_run_searches_the_catalogue_that_was_saved(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Wherever it is started; its warnings are shown."""
    use_runtime(monkeypatch, catalogue())
    open_runtime = Mock(return_value=bootstrap.open_runtime({}))
    monkeypatch.setattr(bootstrap, "open_runtime", open_runtime)
    monkeypatch.chdir(tmp_path)
    run(*SAVE, "--catalogue", "own.sqlite")
    assert "Answered from the test catalogue" in run("saved", "run", "motion").stdout
    assert [call.args[2] for call in open_runtime.call_args_list] == [Path("own.sqlite"), tmp_path / "own.sqlite"]


@pytest.mark.usefixtures("motion")
def test_a_failed_run_is_logged_and_compares_with_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report says why it failed."""
    use_runtime(monkeypatch, ListedSource(failure=RateLimited("over its limit", START)))
    assert run("saved", "run", "motion").exit_code == 3
    assert "The run failed: catalogue: rate" in run("saved", "log", "motion").stdout


def test_the_report_has_the_items_of_a_review_and_no_markup_of_others(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each query as sent, the counts, the rules, the results; JSON has the runs as they are."""
    use_runtime(monkeypatch, catalogue())
    run("search", "React animation `library` | <b>", "--format", "urls", "--save", "motion")
    report = run("saved", "log", "motion").stdout
    assert report.startswith("# Search report: motion\n")
    assert "- Question: React animation \\`library\\` \\| &lt;b&gt;" in report
    assert "| source | strategy | query as sent | status | available | fetched | kept |" in report
    assert "- records before deduplication: " in report
    assert "- after deduplication: " in report
    assert r"react animation \u0060library\u0060 | " in report.replace("React", "react")
    assert re.search(r"^1\. motion/react-motion, relevance 0\.\d\d by rules$", report, re.MULTILINE)
    [logged] = json.loads(run("saved", "log", "motion", "--format", "json").stdout)
    logged["sources"][0] |= {"status": "rate_limited", "cached": True, "age_s": 3600, "detail": "over its | limit"}
    runs = (logged, {**logged, "sections": {}})
    (folder / "motion.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in runs))
    source = "| rate limited, cached 1 hour ago (over its \\| limit) | 4 | 2 | 2 |"
    first, second = run("saved", "log", "motion").stdout.split("## Run 2, ")
    assert source in first
    assert re.search(r"Changes: 0 new, [1-3] gone since", second)
    assert {"at", "goldpan", "request", "sources", "sections", "decisions"} <= set(logged)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("search", "x", "--save", "Bad Name"), "--save: must have 1 to 64 characters"),
        (("search", "another question", "--save", "motion"), "--save: motion names another search already"),
        ((*SAVE, "--catalogue", "other.sqlite"), "--save: motion names another search already"),
        (("saved", "run", "none"), "NAME: there is no saved search 'none' (there are: motion)"),
        (("saved", "log", "../motion"), "NAME: must have 1 to 64"),
        (("saved", "run", "motion", "--format", "csv"), "--format: 'csv' is unknown; allowed: table, json, markdown"),
        (("saved", "remove", "none"), "NAME: there is no saved search"),
    ],
)
def test_invalid_input_exits_with_2(run: Run, motion: Path, arguments: tuple[str, ...], message: str) -> None:
    """The message says what there is, or what is allowed; nothing is changed."""
    before = {path.name: path.read_bytes() for path in motion.iterdir()}
    assert message in refused(run(*arguments))
    assert {path.name: path.read_bytes() for path in motion.iterdir()} == before


def test_a_damaged_search_hides_no_other_and_can_be_removed(run: Run, motion: Path) -> None:
    """The list names it on stderr; without a folder for data there is nothing to save in."""
    (motion / "broken.json").write_text("{")
    (motion / "No name.json").write_text("{")
    listed = run("saved")
    assert "No name" not in listed.output
    (motion / "No name.json").unlink()
    assert ("motion" in listed.stdout, "broken.json: damaged" in listed.stderr) == (True, True)
    assert run("saved", "remove", "broken").exit_code == 0
    assert run("saved", "remove", "motion").exit_code == 0
    assert (run("saved").stdout[:18], list(motion.iterdir())) == ("No search is saved", [])
    motion.rmdir()
    motion.touch()
    assert refused(run("saved")) == f"goldpan: {motion}: Not a directory\n"
    assert "XDG_DATA_HOME: set it" in run("saved", env={"XDG_DATA_HOME": "relative", "HOME": ""}).stderr


@pytest.mark.usefixtures("motion")
def test_names_are_completed_where_there_is_a_folder_and_nothing_elsewhere(run: Run) -> None:
    """A shell gets the names that begin so; without a folder for data it gets none, and no traceback."""
    typed = {"_GOLDPAN_COMPLETE": "complete_bash", "COMP_WORDS": "goldpan saved run mo", "COMP_CWORD": "3"}
    completed = run(env=typed)
    assert completed.stdout.split() == ["motion"]
    nowhere = run(env=typed | {"XDG_DATA_HOME": "", "HOME": ""})
    assert (nowhere.stdout.split(), nowhere.stderr, nowhere.exit_code) == ([], "", 0)
