"""The arguments and options of `goldpan search`; those for filters and orders come from the kinds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter, Signature
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Optional, TypedDict, get_args, get_origin, get_type_hints

import typer
from goldpan.config import PipelineConfig
from goldpan.contracts import Mode
from goldpan.contracts.kinds import DEFAULT_PREFERENCE, DEFAULT_SORT
from goldpan.engine.filter_options import FilterOption, filter_options
from goldpan.kinds.registry import DEFAULT_KIND, all_kinds, get_kind

from goldpan_local.option_values import FORMATS, format_option, option, projects
from goldpan_local.presentations import export_formats, presentation

Texts = list[str] | None
Flag = bool | None
SEARCH, LIBRARY, OUTPUT = "Search", "Your library of papers", "Output"
GROUPS = {
    **dict.fromkeys(("project", "library_only", "add_to"), LIBRARY),
    **dict.fromkeys(("format", "json", "jq", "max_results", "offset", "all", "details", "weaker", "compact"), OUTPUT),
    **dict.fromkeys(("pager", "open", "save", "quiet"), OUTPUT),
}
"""The group of an option in the help; those of no group and no filter are of the search."""
IGNORE = "Leave out this entry of the JSON answer's interpretation, without QUESTION of the last one; repeatable."
REFINE = "In place of QUESTION, how to change the last search: `fewer surveys`; repeatable."


class SearchOptions(TypedDict, total=False):
    """What was given for a search, as typed, without the filters; the request that it makes checks the values.

    The metadata are the options, in the order of the help; those without depend on the kinds, or are set by commands.
    """

    question: Annotated[list[str], typer.Argument(metavar="QUESTION", hidden=True)]
    """Hidden, because the help would give its type; the help of the command describes it."""
    kind: list[str]
    format: str
    sort: str
    preference: str
    source: list[str]
    project: str
    library_only: bool
    refine: Annotated[list[str], option("TEXT", REFINE)]
    max_results: Annotated[str, option("1-25", "Number of results. Default: 10.", "--max-results", "-n")]
    offset: Annotated[str, option("N", "Leave out the first N results: those of earlier pages.")]
    all: Annotated[bool, option(None, "Show all results.", "--all")]
    mode: Annotated[str, option("MODE", "focused, balanced (default) or exploratory.", values=lambda: get_args(Mode))]
    ignore: Annotated[list[str], option("ID", IGNORE)]
    catalogue: Annotated[Path, option("FILE", "Search this catalogue file instead of GitHub.")]
    save: Annotated[str, option("NAME", "Save the search; `goldpan saved run NAME` shows what is new since.")]
    json: Annotated[
        str, option("FIELDS", "Print these fields as JSON: repo,stars; without FIELDS at the end, list them.")
    ]
    jq: Annotated[str, option("EXPRESSION", "Print what this jq expression makes of the JSON.")]
    add_to: Annotated[str, option("PROJECT", "Add the papers that are shown to your library of this project.")]
    max_seconds: Annotated[str, option("5-280", "Time limit; more than 27 for several rounds. Default: 25.")]
    max_llm_calls: Annotated[str, option("0-60", "Limit of language model calls. Default: 40.")]
    config: Annotated[Path, option("FILE", "JSON or TOML file with overrides; null (JSON) switches a rule off.")]
    refresh: Annotated[bool, option(None, "Search again even if the answer is cached.", "--refresh")]
    details: Annotated[bool, option(None, "Show further facts, and abstracts.")]
    weaker: Annotated[bool, option(None, "Show the weaker matches below the results.")]
    compact: Annotated[bool, option(None, "One line per result. Default: if the table is longer than the terminal.")]
    pager: Annotated[bool, option(None, "Page what is longer than the terminal. Default: --pager.")]
    open: Annotated[str, option("N", "Open result N in the browser.")]
    quiet: Annotated[bool, option(None, "Show no progress on a terminal's stderr.", "--quiet/--no-quiet", "-q")]
    compared: bool
    """Whether the results are shown side by side."""
    revalidate: bool
    """Whether the sources are asked even if their data is in the cache."""
    tuning: PipelineConfig
    """The overrides of `config`, or of the user's file."""


@dataclass(frozen=True)
class KindFilter:
    """A filter as an option of the command, and the kinds that have it."""

    option: FilterOption
    kinds: tuple[str, ...]

    def parameter(self) -> Parameter:
        """Return the parameter that typer reads the option from."""
        given = self.option
        value_type = bool if given.type == "flag" else list[str] if given.is_repeatable else str
        said = f"{given.help.removesuffix('.')}{'; repeatable' if given.is_repeatable else ''}."
        return _parameter(given.name, value_type, option(given.metavar, said, values=lambda: given.choices), self.group)

    @property
    def group(self) -> str:
        """Its group in the help."""
        return f"Filters of {' and '.join(presentation(name).plural for name in self.kinds)}"


def kind_filters() -> dict[str, KindFilter]:
    """Return the filters of all kinds by the names of their options; those with the same name are one option.

    A filter with the name of an option of the command is none: it would take its place.
    """
    found: dict[str, KindFilter] = {}
    for kind in all_kinds():
        for each in filter_options(kind.filters):
            if each.name in SearchOptions.__annotations__:
                continue
            before = found.get(each.name)
            found[each.name] = KindFilter(each, (*(before.kinds if before else ()), kind.name))
    return found


def all_formats(kinds: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the formats of an answer, with those that hold the results of one of these kinds alone, by default all."""
    return (*FORMATS, *(name for name, (kind, _) in export_formats().items() if kinds is None or kind in kinds))


def search_signature(kind: str | None = None) -> Signature:
    """Return the options of a search for one kind or for all, as typer reads them, by their groups."""
    hints = get_type_hints(SearchOptions, include_extras=True)
    of_kinds = [_parameter(name, hints[name], given) for name, given in _options_of_kinds(kind).items()]
    filters = [*kind_filters().values()]
    if kind is not None:
        filters = [replace(each, kinds=(kind,)) for each in filters if kind in each.kinds]
    fixed = [_parameter(name, *get_args(hint)) for name, hint in hints.items() if get_origin(hint) is Annotated]
    parameters = [*of_kinds, *(each.parameter() for each in filters), *fixed]
    order = [SEARCH, *dict.fromkeys(each.group for each in filters), LIBRARY, OUTPUT]
    return Signature(sorted(parameters, key=lambda each: order.index(get_args(each.annotation)[1].rich_help_panel)))


def _parameter(name: str, value_type: object, given: Any, group: str | None = None) -> Parameter:
    """Make the parameter that typer reads an option from; None is one that was not given."""
    given.rich_help_panel = group or GROUPS.get(name, SEARCH)
    annotation = Annotated[Optional[value_type], given]  # type: ignore[valid-type] # made at run time # noqa: UP045
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _options_of_kinds(kind: str | None) -> dict[str, object]:
    """Return the options whose help or values depend on the kinds, of one of them or of all."""
    kinds = all_kinds() if kind is None else [get_kind(kind)]
    names = [each.name for each in kinds]
    formats, sources = all_formats(names), list(dict.fromkeys(name for each in kinds for name in each.sources))
    orders = {kind.name: kind.sorts for kind in kinds}
    preferences = {kind.name: kind.preferences for kind in kinds}
    kind_help = f"{' or '.join(names)}; repeatable for several. Default: {DEFAULT_KIND}."
    source_help = f"{', '.join(sources)}; repeatable; no others are asked. Default: all configured."
    return {
        "kind": option("KIND", kind_help, values=lambda: names),
        "format": format_option(formats, f"{formats[0]} (default), {', '.join(formats[1:-1])} or {formats[-1]}."),
        "sort": _choice("ORDER", DEFAULT_SORT, orders),
        "preference": _choice("NAME", f"What the order favours: {DEFAULT_PREFERENCE}", preferences),
        "source": option("NAME", source_help, values=lambda: sources),
        "project": option("NAME", "Search your library of this project too.", values=projects),
        "library_only": option(None, "Search that library alone. Default project: default."),
    }


def _choice(metavar: str, default: str, of_kinds: Mapping[str, Sequence[str]]) -> object:
    """Make an option with choices of each kind, the first of which is the default of all."""
    own = "; ".join(f"{name}: {', '.join(choices[1:])}" for name, choices in of_kinds.items() if choices[1:])
    values = tuple(dict.fromkeys(chain.from_iterable(of_kinds.values())))
    return option(metavar, f"{default} (default); {own}.", values=lambda: values)
