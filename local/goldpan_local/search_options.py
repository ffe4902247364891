"""The arguments and options of `goldpan search`; those for filters and orders come from the kinds."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Optional, TypedDict, get_args, get_origin, get_type_hints

import typer
from goldpan.contracts import Mode
from goldpan.contracts.kind_rules import DEFAULT_SORT
from goldpan.engine.filter_options import FilterOption, filter_options
from goldpan.kinds.registry import DEFAULT_KIND, all_kinds, kind_names, source_names

from goldpan_local.completion import FORMATS, complete_from, format_option
from goldpan_local.library_commands.options import projects
from goldpan_local.presentations import export_formats, presentation

Texts = list[str] | None
Flag = bool | None
FilterValue = str | bool | list[str]
"""What is typed for a filter."""


class SearchOptions(TypedDict, total=False):
    """What was given for a search, as typed; the request that it makes checks the values.

    The fields with a `typer.Option` are the options that are the same for every kind.
    """

    kind: list[str]
    sort: str
    format: str
    filters: dict[str, FilterValue]
    """By the names of their options."""
    compared: bool
    """Whether the results are shown side by side."""
    ask_again: bool
    """Whether the sources are asked even if their data is in the cache."""

    question: Annotated[list[str], typer.Argument(metavar="QUESTION", hidden=True)]
    """Hidden, because the help would give its type, `list[str]`; the help of the command describes it."""
    max_results: Annotated[
        str, typer.Option("--max-results", "-n", metavar="1-25", help="Number of results. Default: 10.")
    ]
    mode: Annotated[
        str,
        typer.Option(
            metavar="MODE",
            help="focused, balanced (default) or exploratory.",
            autocompletion=complete_from(lambda: get_args(Mode)),
        ),
    ]
    ignore: Annotated[
        list[str],
        typer.Option(metavar="ID", help="Leave out this entry of the JSON answer's interpretation; repeatable."),
    ]
    source: Annotated[
        list[str],
        typer.Option(
            metavar="NAME",
            help="github, catalogue, library or a source of papers; repeatable; no fallback. Default: all configured.",
            autocompletion=complete_from(source_names),
        ),
    ]
    project: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Papers: search your library of this project too.",
            autocompletion=complete_from(projects),
        ),
    ]
    library_only: Annotated[
        bool,
        typer.Option(
            "--library-only/--no-library-only", help="Papers: search that library alone. Default project: default."
        ),
    ]
    catalogue: Annotated[Path, typer.Option(metavar="FILE", help="Search this catalogue file instead of GitHub.")]
    refine: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="In place of QUESTION: search for papers as the last time, but so, as in `fewer surveys`.",
        ),
    ]
    save: Annotated[
        str,
        typer.Option(metavar="NAME", help="Save the search; `goldpan saved run NAME` shows what is new since."),
    ]
    max_seconds: Annotated[str, typer.Option(metavar="5-27", help="Time limit. Default: 25.")]
    max_llm_calls: Annotated[str, typer.Option(metavar="0-60", help="Limit of language model calls. Default: 40.")]
    config: Annotated[
        Path,
        typer.Option(metavar="FILE", help="JSON or TOML file with overrides; null (JSON) switches a rule off."),
    ]
    refresh: Annotated[bool, typer.Option("--refresh", help="Search again even if the answer is cached.")]
    details: Annotated[bool, typer.Option("--details/--no-details", help="Show further facts, and abstracts.")]
    compact: Annotated[
        bool,
        typer.Option(
            "--compact/--no-compact", help="One line a result. Default: if the table is longer than the terminal."
        ),
    ]
    pager: Annotated[
        bool, typer.Option("--pager/--no-pager", help="Page what is longer than the terminal. Default: --pager.")
    ]
    open: Annotated[str, typer.Option(metavar="N", help="Open result N in the browser.")]
    quiet: Annotated[bool, typer.Option("--quiet/--no-quiet", "-q", help="Show no progress on a terminal's stderr.")]


@dataclass(frozen=True)
class KindFilter:
    """A filter as an option of the command, and the kinds that have it."""

    option: FilterOption
    kinds: tuple[str, ...]

    def parameter(self) -> Parameter:
        """Return the parameter that typer reads the option from."""
        value_type: object = list[str] if self.option.is_repeatable else str
        flags = [f"--{dashed(self.option.name)}"]
        if self.option.type == "flag":
            flags, value_type = [f"{flags[0]}/--no-{dashed(self.option.name)}"], bool
        complete = complete_from(lambda: self.option.choices)
        given = typer.Option(*flags, metavar=self.option.metavar or None, help=self._help(), autocompletion=complete)
        return _parameter(self.option.name, value_type, given)

    def _help(self) -> str:
        said = f"{self.option.help.removesuffix('.')}{'; repeatable' if self.option.is_repeatable else ''}."
        if DEFAULT_KIND in self.kinds:
            return said
        owners = ", ".join(presentation(kind).plural.capitalize() for kind in self.kinds)
        return f"{owners}: {said[0].lower()}{said[1:]}"


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


def search_signature(kind: str | None = None) -> Signature:
    """Return the options of a search, with the filters of one kind or of all, as typer reads them."""
    declared = get_type_hints(SearchOptions, include_extras=True)
    first, *others = [
        _parameter(name, get_args(hint)[0], get_args(hint)[1])
        for name, hint in declared.items()
        if get_origin(hint) is Annotated
    ]
    filters = [each.parameter() for each in kind_filters().values() if kind in {None, *each.kinds}]
    return Signature([first, _kind_option(), _sort_option(), *filters, *others, _format_option()])


def _parameter(name: str, value_type: object, option: object) -> Parameter:
    """Make the parameter that typer reads an option from; None is one that was not given."""
    annotation = Annotated[Optional[value_type], option]  # type: ignore[valid-type] # made at run time # noqa: UP045
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _kind_option() -> Parameter:
    names = kind_names()
    given = typer.Option(
        metavar="KIND",
        help=f"{' or '.join(names)}; repeatable for several. Default: {DEFAULT_KIND}.",
        autocompletion=complete_from(lambda: names),
    )
    return _parameter("kind", list[str], given)


def _sort_option() -> Parameter:
    kinds = all_kinds()
    own = "; ".join(f"{kind.name}: {', '.join(kind.sorts[1:])}" for kind in kinds if kind.sorts[1:])
    orders = tuple(dict.fromkeys(order for kind in kinds for order in kind.sorts))
    given = typer.Option(
        metavar="ORDER", help=f"{DEFAULT_SORT} (default); {own}.", autocompletion=complete_from(lambda: orders)
    )
    return _parameter("sort", str, given)


def _format_option() -> Parameter:
    formats = all_formats()
    given = format_option(formats, f"{formats[0]} (default), {', '.join(formats[1:-1])} or {formats[-1]}.")
    return _parameter("format", str, given)
