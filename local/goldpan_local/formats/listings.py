"""The results alone, for spreadsheets and for other commands: CSV, or one web address a line."""

from __future__ import annotations

import csv
import io

from goldpan.engine.presentation import AnyPresentation
from goldpan.escaping import web_address
from goldpan.kinds.answer import Answer

from goldpan_local.formats.values import csv_value
from goldpan_local.presentations import presentation, results_of


def render_csv(answer: Answer) -> str:
    """Render a heading and a line for each result; an unknown fact is an empty cell.

    An answer of several kinds has the columns of all of them, behind one that names the kind.
    """
    shown = {kind: presentation(kind) for kind in answer.sections}
    columns = dict.fromkeys(attribute.name for each in shown.values() for attribute in each.export)
    several = ["kind"] if len(shown) > 1 else []
    text = io.StringIO()
    lines = csv.DictWriter(text, [*several, "rank", *columns], "", "ignore", lineterminator="\n")
    lines.writeheader()
    for kind, section in answer.sections.items():
        for rank, result in enumerate(section.results, start=1):
            cells = {each.name: csv_value(each, each.read(result)) for each in shown[kind].export}
            lines.writerow({"kind": kind, "rank": rank, **cells})
    return text.getvalue()


def render_urls(answer: Answer) -> str:
    """Render the web address of each result that has one."""
    found = [result_address(shown, result) for shown, result in results_of(answer)]
    return "".join(f"{address}\n" for address in found if address)


def result_address(shown: AnyPresentation, result: object) -> str | None:
    """Return the web address of a result."""
    address = shown.address.read(result)
    return web_address(address) if isinstance(address, str) else None
