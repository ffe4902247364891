"""`goldpan catalogue crawl`, `update` and `enrich`: work that takes long, and that goes on where it was interrupted."""

import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer
from goldpan.counts import counted
from goldpan.engine.deadlines import WallClock
from goldpan.errors import CallFailed, CredentialRejected, InvalidRequest, Misconfigured, StoreFailed, naming
from goldpan.escaping import plain
from goldpan.infra.cache import Cache
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.llm.port import LanguageModel
from goldpan.infra.llm.prices import is_priced
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable
from goldpan.kinds.answer import Answer
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.sources.catalogue import enrich, update
from goldpan.kinds.repositories.sources.catalogue.changes import SUFFIX, Changes
from goldpan.kinds.repositories.sources.catalogue.pace import Pace
from goldpan.kinds.repositories.sources.github.settings import RATE_LIMITS, GitHubSettings
from goldpan.kinds.repositories.sources.github.source import GitHub, open_github
from goldpan.local.bootstrap import LocalSettings, language_model, make_encoder, open_connections
from pydantic import ValidationError
from rich import filesize

from goldpan_local.exit_codes import write_notes, write_stdout
from goldpan_local.option_values import option, whole_number
from goldpan_local.progress import show_activity

NO_MODEL = (
    "no language model is configured: set LLM_API_KEY with LLM_BASE_URL and LLM_MODEL, DEEPSEEK_API_KEY or "
    "OPENAI_API_KEY"
)
SHARE = 0.8
"""The share of each limit of GitHub's at which work on a catalogue waits, so that searches never wait for it."""
LARGEST, MAX_MINUTES = 10**9 - 1, 60 * 24 * 30
BUDGET = re.compile(r"\d{1,4}(?:\.\d{1,3})?", re.ASCII)
NAMES = {
    "--language": (re.compile(r"\w[\w .+#'*()/-]{0,39}"), "the name of a language, at most 40 characters"),
    "--topic": (
        re.compile(r"[a-z0-9][a-z0-9-]{0,49}"),
        "letters, digits and hyphens in lower case, at most 50 characters",
    ),
}
"""What an option takes, and how a message says it; GitHub would read other values differently."""
work_app = typer.Typer(add_completion=False, rich_markup_mode=None)
File = Annotated[Path, typer.Argument(metavar="FILE", help="A catalogue file.")]
Minutes = Annotated[str | None, option("N", "Stop after this time; the same command goes on.")]


@work_app.command("crawl", epilog="Example: goldpan catalogue crawl go.sqlite --language Go --min-stars 100")
def crawl_github(  # noqa: PLR0913, PLR0917 - the options
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The catalogue file to make or to extend.")],
    max_repositories: Annotated[
        str, option("N", "Stop when the catalogue has N repositories, or up to 100 more.")
    ] = "100000",
    min_stars: Annotated[str, option("N", "Leave out what has fewer stars.")] = "50",
    language: Annotated[list[str] | None, option("NAME", "Only this language; repeatable.")] = None,
    topic: Annotated[list[str] | None, option("TOPIC", "Only this topic; repeatable.")] = None,
    minutes: Minutes = None,
    title: Annotated[str | None, option("TEXT", 'How answers name it. Default: "the catalogue FILE".')] = None,
) -> None:
    """Grow a catalogue from GitHub's search. The most starred first; what was interrupted goes on."""
    languages, topics = _checked("--language", language), _checked("--topic", topic)
    most = whole_number("--max-repositories", max_repositories, 1, LARGEST)
    least = whole_number("--min-stars", min_stars, 0, LARGEST)
    parts = [f"--min-stars {least}", *(f"--language {each}" for each in languages)]
    options = " ".join([*parts, *(f"--topic {each}" for each in topics)])
    with _working(file, "Crawling", minutes, must_exist=False) as session:
        changes, before = session.changes, len(session.changes)
        if changes.begin_crawl(options, update.first_searches(least, languages, topics)):
            write_notes([f"{file}: going on with the crawl that was interrupted; {counted(before, KIND)} so far"])
        with session.pace.until_end():
            update.crawl(changes, session.github, session.pace, most)
        session.publish(f"{len(changes) - before:,} new", title)
        if changes.next_search():
            write_notes(["not all searches were run; the same command, with a higher limit, goes on"])


@work_app.command("update", epilog="Example: goldpan catalogue update repositories.sqlite --minutes 30")
def update_facts(file: File, minutes: Minutes = None) -> None:
    """Refresh the facts at GitHub, and drop what is gone. The oldest and most shown first."""
    with _working(file, "Updating", minutes) as session:
        today = WallClock().now().date()
        names = update.due(session.changes.repositories(), shown_counts(os.environ), today)
        counts = Counter[str]()
        with session.pace.until_end():
            update.update(session.changes, session.github, names, session.pace, counts)
        refreshed, renamed, vanished, unread = (counts[outcome] for outcome in update.OUTCOMES)
        found = f"{refreshed:,} refreshed, {renamed:,} of them renamed, {vanished:,} gone"
        session.publish(found + (f", {unread:,} could not be read" if unread else ""))


@work_app.command("enrich", epilog="Example: goldpan catalogue enrich repositories.sqlite --budget 2.50")
def enrich_notes(
    file: File, budget: Annotated[str, option("DOLLARS", "US dollars that may be spent.")], minutes: Minutes = None
) -> None:
    """Let the language model describe what has no note. It writes what each is, and for what needs."""
    dollars = float(budget) if BUDGET.fullmatch(budget) else 0.0
    if not dollars:
        raise InvalidRequest(f"--budget: must be US dollars from 0.001 to 9999, such as 2.50 (given {budget[:60]!r})")
    with _working(file, "Enriching", minutes) as session:
        model = session.model
        if model is None:
            raise Misconfigured(NO_MODEL)
        if not is_priced(model.name, {}):
            write_notes([f"the price of {model.name} is unknown; the budget is counted at a high one"])
        names = enrich.without_note(session.changes.repositories())
        work = enrich.Enrichment(session.changes, model, round(dollars * enrich.MILLION), session.pace)
        try:
            with session.pace.until_end():
                work.run(names, session.github)
        finally:
            cost = f"{counted(work.calls, 'calls')}, {work.spent / enrich.MILLION:.4f} US dollars at most"
            write_notes([f"{counted(work.written, 'notes')} written, {work.nothing:,} had nothing to describe; {cost}"])
        if work.failed:
            write_notes([f"{counted(work.failed, 'answers')} not used, the first because: {work.first_failure}"])
        session.publish(counted(work.written, "new notes"))


@dataclass(frozen=True)
class _Session:
    """The changes of a file, and what works on them."""

    file: Path
    changes: Changes
    pace: Pace
    github: GitHub
    encoder: Encoder
    model: LanguageModel | None

    def publish(self, found: str, title: str | None = None) -> None:
        """Write the file anew, and say what it has."""
        self.pace.show(f"writing {self.file}")
        count = self.changes.publish(title, self.encoder)
        size = filesize.decimal(self.file.stat().st_size)
        write_stdout(f"{plain(str(self.file))}: {counted(count, KIND)}, {size}; {found}\n")


@contextmanager
def _working(file: Path, label: str, minutes: str | None, *, must_exist: bool = True) -> Iterator[_Session]:
    """Open a catalogue to be changed; what ends the work early is followed by how to go on."""
    seconds = None if minutes is None else 60 * whole_number("--minutes", minutes, 1, MAX_MINUTES)
    clock = WallClock()
    with open_connections(os.environ, RATE_LIMITS, clock) as connections:
        shared = replace(connections, rate_limiter=connections.rate_limiter.with_share(SHARE))
        github = open_github(GitHubSettings.from_environment(os.environ), shared)
        encoder, model = make_encoder(os.environ), language_model(os.environ, connections)
        with (
            naming(f"{file}: cannot be written", sqlite3.Error),
            Changes.of(file, must_exist=must_exist) as changes,
            show_activity(label) as show,
        ):
            ends = None if seconds is None else clock.now() + timedelta(seconds=seconds)
            pace = Pace(clock, lambda text: show(f"{label}: {text}"), lambda text: write_notes([text]), ends)
            try:
                yield _Session(file, changes, pace, github, encoder, model)
            except (KeyboardInterrupt, CallFailed, CredentialRejected):
                clock.cancel()
                write_notes([f"what was found is kept in {file}{SUFFIX}; the same command goes on from there"])
                raise


def shown_counts(environment: Mapping[str, str]) -> Counter[str]:
    """Count how often each repository is in the answers that are in the cache, which are those of the last day."""
    shown = Counter[str]()
    path = LocalSettings.from_environment(environment).cache_file()
    if path is None or not path.exists():
        return shown
    file, clock = SqliteFile(path), WallClock()
    table = SqliteTable(file, clock)
    with closing(file), suppress(StoreFailed):  # the order of an update is not worth failing for
        for entry in Cache(table, clock).read(table.keys("answer:")).values():
            with suppress(ValidationError):
                section = Answer.model_validate_json(entry.value).repositories
                shown.update(result.repo for result in (section.results if section else ()))
    return shown


def _checked(option: str, values: list[str] | None) -> list[str]:
    """Return the values of an option, each once. Raises `InvalidRequest` for one that is not allowed."""
    allowed, wanted = NAMES[option]
    for value in values or ():
        if not allowed.fullmatch(value):
            raise InvalidRequest(f"{option}: must be {wanted} (given {value[:60]!r})")
    return list(dict.fromkeys(values or ()))
