"""The formats of an answer; drawing a table needs rich, which the others do not load."""

from __future__ import annotations

import sys

from goldpan.contracts import Answer

from goldpan_local.endings import write_out
from goldpan_local.untrusted import json_text


def write_answer(answer: Answer, form: str) -> None:
    """Write the answer to stdout as a table, as JSON or as Markdown."""
    if form == "json":
        write_out(json_text(answer.to_json(indent=2)) + "\n")
    elif form == "markdown":
        from goldpan_local.answer_markdown import render_markdown  # noqa: PLC0415 - only where it is asked for

        write_out(render_markdown(answer))
    else:
        from goldpan_local.answer_table import render_table  # noqa: PLC0415 - loads rich

        write_out(render_table(answer), sys.stdout.encoding or "utf-8")
