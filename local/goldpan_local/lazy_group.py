"""A group whose commands are imported when they are called: "Lazily Loading Subcommands" of click's documentation."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, cast

import typer
from typer.core import TyperCommand, TyperGroup

from goldpan_local.exit_codes import exit_on_error

if TYPE_CHECKING:
    from typer._click.core import Context
    from typer._click.formatting import HelpFormatter


@dataclass(frozen=True)
class LazyCommand:
    """Where a command is, as `module:name` below goldpan_local of its `typer.Typer` or what makes it, and its help."""

    target: str
    help: str
    is_short: bool = False
    """Whether it ends before there is garbage worth collecting."""

    def load(self) -> TyperCommand | TyperGroup:
        """Import the command; what its functions return is the exit code."""
        module, _, name = self.target.partition(":")
        with exit_on_error():
            found = getattr(import_module(f"goldpan_local.{module}"), name)
            made = found if isinstance(found, typer.Typer) else found()
        command = cast("TyperCommand | TyperGroup", typer.main.get_command(made))
        for each in (command, *(command.commands.values() if isinstance(command, TyperGroup) else ())):
            if each.callback is not None:
                each.callback = _exiting(each.callback)
        return command


def show_help(context: typer.Context) -> None:
    """Print the help of a group that is called without a command."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


class GroupedCommand(TyperCommand):
    """A command whose help lists its options by their groups, which typer itself does with rich's markup only."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse the arguments; `--json` at their end names no field, and the message lists them."""
        return super().parse_args(ctx, [*args, ""] if args[-1:] == ["--json"] else args)

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write a section for each group."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for each in self.get_params(ctx):
            if record := each.get_help_record(ctx):
                usual = "Arguments" if each.param_type_name == "argument" else "Options"
                groups.setdefault(getattr(each, "rich_help_panel", None) or usual, []).append(record)
        for name, records in groups.items():
            with formatter.section(name):
                formatter.write_dl(records)


def command(name: str, epilog: str | None = None) -> Callable[[Callable[..., int | None]], typer.Typer]:
    """Make a command of a function, in an application of its own, which `LazyCommand` loads."""

    def make(function: Callable[..., int | None]) -> typer.Typer:
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name, cls=GroupedCommand, epilog=epilog)(function)
        return app

    return make


def _exiting(function: Callable[..., int | None]) -> Callable[..., None]:
    """End with the exit code that a function returns, or with that of its exception."""

    @wraps(function)
    def call(*arguments: object, **options: object) -> None:
        with exit_on_error():
            if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # as `__main__` sets it for the imports
                signal.signal(signal.SIGINT, signal.default_int_handler)
            if code := function(*arguments, **options):
                raise typer.Exit(code)

    return call


def lazy_group(commands: Mapping[str, LazyCommand]) -> type[TyperGroup]:
    """Make the class of a group with these commands."""

    class LazyGroup(TyperGroup):
        def __init__(self, **settings: object) -> None:
            """Have the name and the line of each command: enough for help, completion and what a misspelt one means."""
            super().__init__(**settings)  # type: ignore[arg-type]
            self.commands = {name: TyperCommand(name, help=each.help) for name, each in commands.items()}

        def resolve_command(
            self, ctx: Context, args: list[str]
        ) -> tuple[str | None, TyperCommand | TyperGroup | None, list[str]]:
            """Import the command that is called."""
            name, _, rest = super().resolve_command(ctx, args)
            if name and not commands[name].is_short:
                gc.enable()  # which `main` disables
            return name, commands[name].load() if name else None, rest

    return LazyGroup


def group(name: str, description: str, commands: Mapping[str, LazyCommand] | None = None) -> typer.Typer:
    """Make a group, by default without commands, which shows its help if it is called alone."""
    made = TyperGroup if commands is None else lazy_group(commands)
    app = typer.Typer(name=name, cls=made, help=description, add_completion=False, rich_markup_mode=None)
    app.callback(invoke_without_command=True)(show_help)
    return app
