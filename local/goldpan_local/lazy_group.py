"""A group whose commands are imported when they are called, so that help and usage errors appear at once.

This is the pattern "Lazily Loading Subcommands" of click's documentation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from typer._click.core import Context


@dataclass(frozen=True)
class LazyCommand:
    """Where a command is, as `module:name` of its `typer.Typer` or what makes it, and its line in the group's help."""

    target: str
    help: str

    def load(self) -> TyperCommand | TyperGroup:
        """Import the command."""
        module, _, name = self.target.partition(":")
        found = getattr(import_module(module), name)
        made = found if isinstance(found, typer.Typer) else found()
        return cast("TyperCommand | TyperGroup", typer.main.get_command(made))


def lazy_group(commands: Mapping[str, LazyCommand]) -> type[TyperGroup]:
    """Make the class of a group with these commands."""

    class LazyGroup(TyperGroup):
        def list_commands(self, ctx: object) -> list[str]:
            del ctx
            return list(commands)

        def get_command(self, ctx: object, cmd_name: str) -> TyperCommand | None:
            """Return the name and the line of a command, which are enough for the help and for completion."""
            del ctx
            return TyperCommand(cmd_name, help=commands[cmd_name].help) if cmd_name in commands else None

        def resolve_command(
            self, ctx: Context, args: list[str]
        ) -> tuple[str | None, TyperCommand | TyperGroup | None, list[str]]:
            """Import the command that is called."""
            name, _, rest = super().resolve_command(ctx, args)
            return name, commands[name].load() if name else None, rest

    return LazyGroup
