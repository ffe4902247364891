"""`goldpan catalogue crawl`, `update` and `enrich` against a GitHub and a language model on loopback ports."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from goldpan.engine.deadlines import WallClock
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.catalogue.build import Record, build_catalogue
from goldpan.kinds.repositories.sources.catalogue.pace import Pace
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan_local import catalogue_work_commands as commands
from goldpan_local.command import app
from typer.testing import CliRunner, Result

from tests.integration.conftest import MODEL, environment
from tests.support.loopback import Fault, LoopbackGitHub, LoopbackLLM

FIRST_DAY = date(2020, 1, 1)
COMMAND = [sys.executable, "-m", "goldpan_local"]
Run = Callable[..., Result]


def stored(number: int) -> dict[str, Any]:
    """Make a repository; most of them have the same stars, and each has a day of creation of its own."""
    stars = 60 if number % 5 else 50 + 2 * number
    created = (FIRST_DAY + timedelta(days=number % 1500)).isoformat()
    facts = {"full_name": f"o/r{number}", "stars": stars, "created_at": created, "pushed_at": "2026-10-01"}
    return facts | {"description": f"Terminal tool number {number}", "language": "Go", "topics": ["cli"]}


MANY = [stored(number) for number in range(1400)]
NAMES = {each["full_name"] for each in MANY}


@pytest.fixture
def github() -> Iterator[LoopbackGitHub]:
    """Serve more repositories than one search gives, and more of one number of stars."""
    with LoopbackGitHub(MANY, searches_a_minute=1000) as server:
        yield server


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Name a catalogue file."""
    return tmp_path / "grown.sqlite"


def command(*arguments: object, env: dict[str, str]) -> Result:
    """Run a command of the catalogue in this process, with limits that no other process shares."""
    given = ["catalogue", *map(str, arguments)]
    return CliRunner().invoke(app, given, env={"GOLDPAN_CACHE": "off", **env}, prog_name="goldpan")


def contents(file: Path) -> dict[str, Repository]:
    """Return what a catalogue has, by name."""
    catalogue = Catalogue.open(file)
    found = {each.full_name: each for each in catalogue.repositories()}
    catalogue.close()
    return found


def make(file: Path, *names: str, **facts: object) -> None:
    """Build a catalogue with facts of an earlier day."""
    day = {"stars": date(2026, 8, 1)}
    records = [Record.model_validate({"full_name": name, "as_of": day, "stars": 7, **facts}) for name in names]
    build_catalogue(records, file, "mine")


def test_a_crawl_finds_all_that_single_searches_cannot_give(github: LoopbackGitHub, file: Path) -> None:
    """Searches are split by stars, and those of one number of stars by the day of creation."""
    done = command("crawl", file, "--title", "all of it", env=environment(github))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{file}: 1,400 repositories, ")
    found = contents(file)
    assert found.keys() == NAMES
    assert found["o/r7"].observed["stars"] == WallClock().now().date()
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert github.searches < 14 * 3
    answered = CliRunner().invoke(app, ["search", "terminal tool in Go", "--catalogue", str(file), "--format", "json"])
    assert json.loads(answered.stdout)["repositories"]["results"]
    assert "Answered from all of it of 1,400 repositories" in answered.stdout


def test_a_crawl_without_a_token_stops_at_a_number_and_goes_on(github: LoopbackGitHub, file: Path) -> None:
    """REST gives the pages then; the most starred come first; another crawl is refused until this one has ended."""
    settings = {**environment(github), "GITHUB_TOKEN": "", "GH_TOKEN": ""}
    arguments = ("crawl", file, "--language", "Go", "--topic", "cli", "--max-repositories")
    first = command(*arguments, "100", env=settings)
    assert first.exit_code == 0
    assert "not all searches were run; the same command, with a higher limit, goes on" in first.stderr
    assert min(each.stars or 0 for each in contents(file).values()) == 1850
    other = command("crawl", file, "--min-stars", "9", env=settings)
    assert (other.exit_code, "--min-stars 50 --language Go --topic cli is not finished" in other.stderr) == (2, True)
    second = command(*arguments, "250", env=settings)
    assert "going on with the crawl that was interrupted; 100 repositories so far" in second.stderr
    assert 250 <= len(contents(file)) < 350


@pytest.fixture
def slow_github() -> Iterator[LoopbackGitHub]:
    """Serve them, each answer after a while, so that a process can be killed in between."""
    with LoopbackGitHub(MANY, latency=0.1) as server:
        yield server


def killed(github: LoopbackGitHub, *arguments: object, after: int, then: Callable[[], None] = lambda: None) -> int:
    """Run a command in a process of its own, and kill it after some requests; returns how many it sent."""
    env = os.environ | environment(github) | {"GOLDPAN_CACHE": "off"}
    with subprocess.Popen([*COMMAND, "catalogue", *map(str, arguments)], env=env) as process:
        while len(github.requests) < after:
            time.sleep(0.01)
        then()
        process.kill()
    return len(github.requests)


def test_a_crawl_goes_on_after_kill_9(slow_github: LoopbackGitHub, file: Path) -> None:
    """What was stored is not asked for again, and a second process is refused while the first one works."""
    github = slow_github

    def refused() -> None:
        result = command("crawl", file, env=environment(github))
        assert (result.exit_code, "may be in use by another process" in result.stderr) == (2, True)

    before = killed(github, "crawl", file, after=8, then=refused)
    done = command("crawl", file, env=environment(github))
    assert "going on with the crawl" in done.stderr
    assert contents(file).keys() == NAMES
    assert len(github.requests) - before < 14 * 3 - 4


def test_damaged_changes_are_to_be_deleted(file: Path) -> None:
    """Nothing else works on the catalogue then."""
    file.with_name(f"{file.name}.changes").write_text("no database")
    refused = command("crawl", file, env={})
    assert refused.exit_code == 2
    assert "(file is not a database); it may be in use by another process, else delete it" in refused.stderr


def test_a_crawl_waits_for_a_limit_and_an_outage(
    github: LoopbackGitHub, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Null members of a page cost nothing but themselves; an outage without an end is the end of the command."""
    monkeypatch.setattr("goldpan.kinds.repositories.sources.catalogue.pace.OUTAGE_WAITS", (0.01, 0.01))
    github.inject(Fault.limited(403, retry_after=1), Fault.null_members(), Fault.status(502, times=2))
    done = command("crawl", file, "--max-repositories", "150", env=environment(github))
    assert (done.exit_code, len(contents(file))) == (0, 200)
    github.inject(Fault.partial_data(times=None))
    failed = command("crawl", file, env=environment(github))
    assert (failed.exit_code, f"is kept in {file}.changes; the same command goes on" in failed.stderr) == (3, True)


@pytest.mark.parametrize("token", ["good-token", ""])
def test_an_update_follows_names_and_drops_what_is_gone(
    file: Path, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    """What GitHub never showed, or now cannot show, is kept, and its notes stay; an update has so many minutes."""
    served = [
        {"full_name": "new/moved", "former_names": ("o/moved",), "stars": 70},
        {"full_name": "o/kept", "stars": 80, "description": "Today's words"},
        {"full_name": "o/blocked", "blocked": True},
    ]
    make(file, "o/moved", "o/kept", "o/blocked", "o/gone", "corp/private", list_description="A list says so")
    with LoopbackGitHub([{"full_name": "o/gone"}]) as github:
        command("update", file, env=environment(github))
    ends: list[datetime] = []
    monkeypatch.setattr(commands, "Pace", lambda *given: ends.append(given[-1]) or Pace(*given))  # type: ignore[func-returns-value]
    with LoopbackGitHub(served) as github:
        done = command("update", file, "--minutes", "3", env=environment(github, token=token) | {"GH_TOKEN": ""})
    assert 120 < (ends[0] - WallClock().now()).total_seconds() <= 180
    found = contents(file)
    assert done.stdout.endswith("; 2 refreshed, 1 of them renamed, 1 gone, 2 could not be read\n")
    assert found.keys() == {"new/moved", "o/kept", "o/blocked", "corp/private"}
    assert (found["o/kept"].stars, found["o/kept"].curator_text) == (80, "A list says so")
    assert (found["o/blocked"].stars, found["o/blocked"].observed["stars"]) == (7, date(2026, 8, 1))


def test_an_update_goes_on_after_kill_9(slow_github: LoopbackGitHub, file: Path) -> None:
    """The catalogue is as it was until the end; what was refreshed before is not looked up again."""
    make(file, *sorted(NAMES))
    assert killed(slow_github, "update", file, after=4) < 14
    assert {each.stars for each in contents(file).values()} == {7}
    assert command("update", file, env=environment(slow_github)).exit_code == 0
    assert 7 not in {each.stars for each in contents(file).values()}
    assert len(slow_github.requests) <= 14 + 1


def described(body: dict[str, Any]) -> str:
    """Answer as a model would, but for one repository with nonsense and for one that shows nothing."""
    name = json.loads(body["messages"][1]["content"])["repository"]["name"]
    answers: dict[str, dict[str, Any]] = {
        "o/nonsense": {"kinds": "42", "needs": [{"see": "https://evil.example"}]},
        "o/empty": {"kinds": [], "needs": []},
    }
    good = {"kinds": ["colony counter for beekeepers"], "needs": ["count insects on photographs"]}
    return json.dumps(answers.get(name, good))


def test_notes_of_a_model_are_searched_without_it_and_labelled(file: Path) -> None:
    """What breaks the form is counted and left out; a second run asks about those alone that have no note."""
    make(file, "o/bees", "o/nonsense", "o/empty", description="Zzyx")
    with LoopbackGitHub() as github, LoopbackLLM(described) as llm:
        done = command("enrich", file, "--budget", "1", env=environment(github, llm))
        asked = len(llm.requests)
        command("enrich", file, "--budget", "1", env=environment(github, llm))
        assert (asked, len(llm.requests)) == (3, 5)
    assert done.stdout.endswith("; 1 new note\n")
    assert "1 note written, 1 had nothing to describe; 3 calls, 0.00" in done.stderr
    assert "the price of" not in done.stderr
    assert "1 answer not used, the first because: the language model's answer breaks the form: kinds" in done.stderr
    note = contents(file)["o/bees"]
    assert note.note == "colony counter for beekeepers: count insects on photographs"
    assert (note.note_by or "").startswith(f"{MODEL}, 2")
    searched = ["search", "count insects on photographs", "--catalogue", str(file), "--format", "json"]
    configured = json.dumps({"coarse_filter": {"min_stars": None}})
    (file.parent / "config.json").write_text(configured, "utf-8")
    answer = json.loads(CliRunner().invoke(app, [*searched, "--config", str(file.parent / "config.json")]).stdout)
    results = [*answer["repositories"]["results"], *answer["repositories"]["weaker"]]
    assert [each["repo"] for each in results][:1] == ["o/bees"]
    assert f"(written by {MODEL}, " in results[0]["note"]


def test_no_note_is_written_without_the_readme(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a limit and a short outage the command waits for it; after a long one the repository has none yet."""
    monkeypatch.setattr("goldpan.kinds.repositories.sources.catalogue.pace.OUTAGE_WAITS", (0.01, 0.01))
    make(file, "o/bees")
    served = [{"full_name": "o/bees", "readme": "Counts bees."}]
    with LoopbackGitHub(served) as github, LoopbackLLM(described) as llm:
        github.inject(Fault.status(502, times=6))
        lost = command("enrich", file, "--budget", "1", env=environment(github, llm))
        assert "1 repository left for another run: GitHub answered 502" in lost.stderr
        github.inject(Fault.limited(403, retry_after=1), Fault.status(502, times=3))
        command("enrich", file, "--budget", "1", env=environment(github, llm))
        assert ["Counts bees." in str(request.body) for request in llm.requests] == [True]


def test_a_model_is_not_asked_beyond_the_budget(file: Path) -> None:
    """The most that a call can cost must be left; a key that is refused ends the command with what was written."""
    make(file, *(f"o/r{number}" for number in range(30)), description="A tool")
    with LoopbackGitHub() as github, LoopbackLLM(described) as llm:
        done = command("enrich", file, "--budget", "0.03", env=environment(github, llm))
        assert "stopped early: the budget is used up" in done.stderr
        assert 0 < len(llm.requests) < 30
        refused = command("enrich", file, "--budget", "1", env=environment(github, llm, key="bad-key"))
        assert (refused.exit_code, "LLM_API_KEY" in refused.stderr) == (2, True)
    unable = command("enrich", file, "--budget", "1", env=environment(github))
    assert unable.stderr.startswith("goldpan: no language model")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("crawl", "--topic", "Two Words"), "--topic: must be letters, digits and hyphens in lower case"),
        (("crawl", "--language", 'C" stars:>1'), "--language: must be the name of a language"),
        (("update",), "no catalogue at "),
        (("enrich", "--budget", "0"), "--budget: must be US dollars from 0.001 to 9999, such as 2.50 (given '0')"),
    ],
)
def test_errors_name_the_option_and_what_is_allowed(file: Path, arguments: tuple[str, ...], said: str) -> None:
    """Nothing is made."""
    refused = command(arguments[0], file, *arguments[1:], env={})
    assert (refused.exit_code, list(file.parent.iterdir())) == (2, [])
    assert said in refused.stderr
