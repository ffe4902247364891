"""The commands that make a catalogue file and tell what is in one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

catalogue_app = typer.Typer(name="catalogue", help="Make and look at catalogue files.", rich_markup_mode=None)


@catalogue_app.callback(invoke_without_command=True)
def catalogue(context: typer.Context) -> None:
    """Make and look at catalogue files."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@catalogue_app.command("build", epilog="Example: goldpan catalogue build repositories.jsonl.gz repositories.sqlite")
def build(
    source: Annotated[Path, typer.Argument(metavar="IN", help="JSON Lines, one repository a line; .gz is unpacked.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The catalogue file to write.")],
    title: Annotated[str | None, typer.Option(help='How answers name it. Default: "the catalogue OUT".')] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite OUT where it exists.")] = False,  # noqa: FBT002 - an option
) -> None:
    """Make a catalogue file, to be searched with `goldpan search --catalogue`."""
    from goldpan_local.endings import told_endings  # noqa: PLC0415 - pays for its imports only when it runs

    with told_endings():
        from goldpan_local.catalogue_build import build_file  # noqa: PLC0415

        build_file(source, target, title or f"the catalogue {target.stem}", force=force)


@catalogue_app.command("info", epilog="Example: goldpan catalogue info repositories.sqlite")
def info(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A catalogue file; the embedded sample where none is named.")
    ] = None,
) -> None:
    """Tell what a catalogue holds."""
    from goldpan_local.endings import told_endings  # noqa: PLC0415

    with told_endings():
        from goldpan_local.catalogue_info import describe  # noqa: PLC0415

        describe(file)
