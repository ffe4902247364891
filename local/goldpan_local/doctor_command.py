"""`goldpan doctor`: says what is configured on this machine, what of it works, and what to do about the rest."""

import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing

import goldpan_data
from goldpan.counts import counted
from goldpan.errors import InvalidRequest, Misconfigured, StoreFailed
from goldpan.escaping import plain
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.kinds.repositories.models import KIND
from goldpan.local.bootstrap import LocalSettings, default_sources, sample_catalogue
from goldpan.local.checks import Finding, State, check_services
from goldpan.version import __version__
from pydantic import TypeAdapter
from rich.console import RenderableType
from rich.text import Text

from goldpan_local.config_files import read_user_file
from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, write_for_terminal, write_json
from goldpan_local.formats.grid import render, unlined_table
from goldpan_local.lazy_group import command
from goldpan_local.option_values import LIBRARY_FORMATS, OutputFormat, Quiet, one_of
from goldpan_local.progress import show_activity

STYLES: Mapping[State, str] = {"ok": "green", "not configured": "dim", "limited": "yellow"}
WORKS = "A search works; sources that are limited or unreachable are left out, and the embedded sample always answers."
OWN_GITHUB = "A search for repositories works as long as your own GitHub answers: the embedded sample is not of it."


@command("doctor", epilog="Example: GITHUB_TOKEN=... goldpan doctor")
def doctor(output_format: OutputFormat = "table", *, quiet: Quiet = False) -> int:
    """Check keys, addresses, limits, cache, versions and data, and say what to do about what does not work.

    It asks each service that is configured, or needs no key, within ten seconds: GitHub and SerpAPI for what is left of
    your limits, the other sources for one paper, a language model for one short answer, an endpoint for embeddings for
    one vector. Keys are never shown.

    Exit codes: 0 a search works, 1 something that is configured does not, 2 invalid input.
    """
    chosen = one_of("--format", output_format, LIBRARY_FORMATS)
    with show_activity("Asking the services", quiet=quiet):
        findings = [*_machine(os.environ), *check_services(os.environ)]
    broken = [each.name for each in findings if each.is_broken]
    if chosen == "json":
        write_json(TypeAdapter(list[Finding]).dump_json(findings, indent=2).decode())
    else:
        works = WORKS if "catalogue" in default_sources(os.environ) else OWN_GITHUB
        last = f"Does not work: {', '.join(broken)}." if broken else works
        write_for_terminal(render(lambda _width: [_table(findings), f"\n{last}"]))
    return NOTHING_FOUND if broken else SUCCESS


def _machine(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Check what lies on this machine, without a network."""
    yield Finding(name="goldpan", state="ok", detail=f"{__version__}, Python {platform.python_version()}")
    for name, check in {"data package": _data, "cache": _cache, "your config file": _config_file}.items():
        try:
            yield Finding(name=name, state="ok", detail=check(environment))
        except (InvalidRequest, Misconfigured) as error:
            yield Finding(name=name, state="wrong", detail=str(error), is_broken=True)


def _data(environment: Mapping[str, str]) -> str:
    sample = sample_catalogue(environment)
    return f"{goldpan_data.__version__}, {counted(sample.size, KIND)} as of {sample.as_of}"


def _cache(environment: Mapping[str, str]) -> str:
    file = LocalSettings.from_environment(environment).cache_file()
    if file is None:
        return "off"
    try:
        with closing(SqliteFile(file)) as opened, opened.transaction():
            return str(file)
    except StoreFailed as error:
        raise Misconfigured(f"{error}. GOLDPAN_CACHE names another file, or off.") from error


def _config_file(environment: Mapping[str, str]) -> str:
    return str(read_user_file(environment)[0] or "none")


def _table(findings: Iterable[Finding]) -> RenderableType:
    """Draw a row for each state and detail, with the names of all that have both."""
    table, names = unlined_table(), dict[tuple[State, str], list[str]]()
    for each in findings:
        names.setdefault((each.state, each.detail), []).append(each.name)
    for (state, detail), named in names.items():
        table.add_row(
            Text(state, STYLES.get(state, "bold red")),
            Text("\n".join(named), "bold"),
            Text(plain(detail), overflow="fold"),
        )
    return table
