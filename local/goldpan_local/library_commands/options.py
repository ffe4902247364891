"""The arguments and options of the commands of a library."""

import os
from typing import Annotated

import typer
from goldpan.local.library_folder import library_files

from goldpan_local.option_values import LIBRARY_FORMATS, format_option, option

Words = Annotated[list[str] | None, typer.Argument(metavar="QUERY", hidden=True)]
"""Hidden, because the help would give its type, `list[str]`; the help of the command describes it."""
Query = Annotated[str | None, option("QUERY", "The query, in place of QUERY.")]
OutputFormat = Annotated[str, format_option(LIBRARY_FORMATS, "table (default) or json.")]


def projects() -> list[str]:
    """Return the projects of this machine, for completion. Raises `Misconfigured`."""
    return [path.stem for path in library_files(os.environ)]


Project = Annotated[str, option("NAME", "The project, 1 to 64 of a-z, 0-9 and -.", values=projects)]
ProjectToSearch = Annotated[str | None, option("NAME", "Search this project.", values=projects)]
