"""A document in Markdown, as a terminal shows it."""

from __future__ import annotations

from typing import ClassVar

from rich.console import JustifyMethod
from rich.markdown import Heading, Markdown

from goldpan_local.formats.grid import render


class _LeftHeading(Heading):
    """A heading at the left, whatever its level."""

    LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = {}


class _Document(Markdown):
    """Markdown without centred text."""

    elements = {**Markdown.elements, "heading_open": _LeftHeading}  # noqa: RUF012 - as the class above it


def render_for_terminal(document: str) -> str:
    """Render the document for the terminal, where its links can be opened, or in plain text if stdout is none."""
    return render(lambda _width: [_Document(document)])
