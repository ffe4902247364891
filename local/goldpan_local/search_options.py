"""The arguments and options of `goldpan search`; those for filters and orders come from the kinds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Optional, TypedDict, get_args, get_type_hints

import typer
from goldpan.contracts import Mode
from goldpan.contracts.kind_rules import DEFAULT_SORT
from goldpan.engine.filter_options import FilterOption, filter_options
from goldpan.kinds.registry import DEFAULT_KIND, all_kinds, kind_names, source_names

from goldpan_local.library_commands.options import projects
from goldpan_local.option_values import FORMATS, Values, complete_from
from goldpan_local.presentations import export_formats, presentation

Texts = list[str] | None
Flag = bool | None
FilterValue = str | bool | list[str]
"""What is typed for a filter."""


class SearchOptions(TypedDict, total=False):
    """What was given for a search, as typed; the request that it makes checks the values."""

    question: list[str]
    kind: list[str]
    sort: str
    filters: dict[str, FilterValue]
    """By the names of their options."""
    max_results: str
    mode: str
    ignore: list[str]
    source: list[str]
    project: str
    library_only: bool
    catalogue: Path
    refine: str
    save: str
    max_seconds: str
    max_llm_calls: str
    config: Path
    refresh: bool
    format: str
    details: bool
    weaker: bool
    compact: bool
    pager: bool
    open: str
    quiet: bool
    compared: bool
    """Whether the results are shown side by side."""
    revalidate: bool
    """Whether the sources are asked even if their data is in the cache."""


@dataclass(frozen=True)
class CommandOption:
    """An option; `names` replace those that its name and type give, `type` is that of `SearchOptions` for most."""

    name: str
    metavar: str
    help: str
    names: tuple[str, ...] = ()
    values: Values | None = None
    type: object = None

    def parameter(self) -> Parameter:
        """Return the parameter that typer reads the option from."""
        value_type = self.type or get_type_hints(SearchOptions)[self.name]
        typed = dashed(self.name)
        names = self.names or ((f"--{typed}/--no-{typed}",) if value_type is bool else (f"--{typed}",))
        complete = complete_from(self.values) if self.values else None
        given = typer.Option(*names, metavar=self.metavar or None, help=self.help, autocompletion=complete)
        return make_parameter(self.name, value_type, given)


FIXED = (
    CommandOption("max_results", "1-25", "Number of results. Default: 10.", ("--max-results", "-n")),
    CommandOption("mode", "MODE", "focused, balanced (default) or exploratory.", values=lambda: get_args(Mode)),
    CommandOption("ignore", "ID", "Leave out this entry of the JSON answer's interpretation; repeatable."),
    CommandOption("catalogue", "FILE", "Search this catalogue file instead of GitHub."),
    CommandOption("save", "NAME", "Save the search; `goldpan saved run NAME` shows what is new since."),
    CommandOption("max_seconds", "5-27", "Time limit. Default: 25."),
    CommandOption("max_llm_calls", "0-60", "Limit of language model calls. Default: 40."),
    CommandOption("config", "FILE", "JSON or TOML file with overrides; null (JSON) switches a rule off."),
    CommandOption("refresh", "", "Search again even if the answer is cached.", ("--refresh",)),
    CommandOption("details", "", "Show further facts, and abstracts."),
    CommandOption("weaker", "", "Show the weaker matches below the results."),
    CommandOption("compact", "", "One line per result. Default: if the table is longer than the terminal."),
    CommandOption("pager", "", "Page what is longer than the terminal. Default: --pager."),
    CommandOption("open", "N", "Open result N in the browser."),
    CommandOption("quiet", "", "Show no progress on a terminal's stderr.", ("--quiet/--no-quiet", "-q")),
)


@dataclass(frozen=True)
class KindFilter:
    """A filter as an option of the command, and the kinds that have it."""

    option: FilterOption
    kinds: tuple[str, ...]

    def parameter(self) -> Parameter:
        """Return the parameter that typer reads the option from."""
        given = self.option
        value_type = bool if given.type == "flag" else list[str] if given.is_repeatable else str
        option = CommandOption(given.name, given.metavar, self._help(), (), lambda: given.choices, value_type)
        return option.parameter()

    def _help(self) -> str:
        said = f"{self.option.help.removesuffix('.')}{'; repeatable' if self.option.is_repeatable else ''}."
        if DEFAULT_KIND in self.kinds:
            return said
        return f"{_plurals(self.kinds)}: {said[0].lower()}{said[1:]}"


def kind_filters() -> dict[str, KindFilter]:
    """Return the filters of all kinds by the names of their options; those with the same name are one option."""
    found: dict[str, KindFilter] = {}
    for kind in all_kinds():
        for option in filter_options(kind.filters):
            before = found.get(option.name)
            found[option.name] = KindFilter(option, (*(before.kinds if before else ()), kind.name))
    return found


def dashed(name: str) -> str:
    """Write the name of an option as it is typed."""
    return name.replace("_", "-")


def all_formats() -> tuple[str, ...]:
    """Return the formats of an answer, with those that hold the results of one kind alone."""
    return (*FORMATS, *export_formats())


def make_parameter(name: str, value_type: object, option: object) -> Parameter:
    """Make the parameter that typer reads an option from; None is one that was not given."""
    annotation = Annotated[Optional[value_type], option]  # type: ignore[valid-type] # made at run time # noqa: UP045
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def search_signature(kind: str | None = None) -> Signature:
    """Return the options of a search, with the filters of one kind or of all, as typer reads them."""
    question = make_parameter("question", list[str], typer.Argument(metavar="QUESTION", hidden=True))
    filters = [each.parameter() for each in kind_filters().values() if kind in {None, *each.kinds}]
    fixed = [each.parameter() for each in FIXED]
    return Signature([question, *(each.parameter() for each in _options_of_kinds()), *filters, *fixed])


def _options_of_kinds() -> tuple[CommandOption, ...]:
    """Return the options whose values depend on the kinds.

    The argument QUESTION is hidden, because the help would give its type; the help of the command describes it.
    """
    kinds, names, formats = all_kinds(), kind_names(), all_formats()
    own = "; ".join(f"{kind.name}: {', '.join(kind.sorts[1:])}" for kind in kinds if kind.sorts[1:])
    orders = tuple(dict.fromkeys(order for kind in kinds for order in kind.sorts))
    sources, library = source_names(), _plurals(kind.name for kind in kinds if kind.library_source)
    continued = _plurals(kind.name for kind in kinds if kind.continues)
    kind_help = f"{' or '.join(names)}; repeatable for several. Default: {DEFAULT_KIND}."
    format_help = f"{formats[0]} (default), {', '.join(formats[1:-1])} or {formats[-1]}."
    return (
        CommandOption("kind", "KIND", kind_help, values=lambda: names),
        CommandOption("format", "FORMAT", format_help, values=lambda: formats),
        CommandOption("sort", "ORDER", f"{DEFAULT_SORT} (default); {own}.", values=lambda: orders),
        CommandOption(
            "source",
            "NAME",
            f"{', '.join(sources)}; repeatable; no others are asked. Default: all configured.",
            values=lambda: sources,
        ),
        CommandOption("project", "NAME", f"{library}: search your library of this project too.", values=projects),
        CommandOption("library_only", "", f"{library}: search that library alone. Default project: default."),
        CommandOption(
            "refine", "TEXT", f"{continued}: in place of QUESTION, how to change the last search: `fewer surveys`."
        ),
    )


def _plurals(names: Iterable[str]) -> str:
    return ", ".join(presentation(name).plural for name in names).capitalize()
