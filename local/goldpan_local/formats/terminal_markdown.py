"""A document in Markdown, as a terminal shows it."""

from typing import ClassVar

from rich.console import JustifyMethod
from rich.markdown import Heading, Markdown

from goldpan_local.exit_codes import write_for_terminal, write_stdout
from goldpan_local.formats.grid import render


class _LeftHeading(Heading):
    """A heading at the left, whatever its level."""

    LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = {}


class _Document(Markdown):
    """Markdown without centred text."""

    elements = {**Markdown.elements, "heading_open": _LeftHeading}  # noqa: RUF012 - as the class above it


def write_document(document: str, output_format: str) -> None:
    """Write a document in Markdown to stdout: as it is, or as `table`, which a terminal shows with its links."""
    if output_format == "table":
        write_for_terminal(render(lambda _width: [_Document(document)]))
    else:
        write_stdout(document)
