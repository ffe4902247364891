"""Chosen fields of results as JSON, and what a jq expression makes of JSON: `--json FIELDS` and `--jq EXPRESSION`."""

import json
from collections.abc import Sequence
from typing import get_args

from goldpan.contracts.validation_errors import suggest
from goldpan.errors import InvalidRequest
from goldpan.escaping import escape_json, plain
from goldpan.kinds.answer import Answer
from goldpan.kinds.registry import get_kind
from pydantic import BaseModel

from goldpan_local.presentations import results_of


def check_fields(text: str, kinds: Sequence[str]) -> list[str]:
    """Return the named fields of results of these kinds. Raises `InvalidRequest` with those that there are."""
    models = [get_args(get_kind(kind).section.model_fields["results"].annotation)[0] for kind in kinds]
    allowed = sorted({field for model in models for field in model.model_fields})
    names = [name for part in text.split(",") if (name := part.strip())]
    wrong = next((name for name in names if name not in allowed), "")
    if wrong or not names:
        said = f"{wrong!r} is unknown" if wrong else "names no field"
        listed = f"{', '.join(allowed)}{suggest(wrong, allowed)}"
        raise InvalidRequest(f"--json: {said}; allowed, with commas between: {listed}")
    return names


def render_fields(answer: Answer, fields: Sequence[str], *, weaker: bool) -> str:
    """Render the fields of the results that are shown as a JSON array; null where a kind lacks one."""
    shown = [result for _, result in results_of(answer, weaker=weaker)]
    known = [each.model_dump(mode="json", include={*fields}) for each in shown if isinstance(each, BaseModel)]
    rows = [{field: row.get(field) for field in fields} for row in known]
    return json.dumps(rows, ensure_ascii=False, indent=2)


def filter_json(expression: str, text: str | None = None) -> str:
    """Apply a jq expression to JSON, a value a line; without a text, only check it. Raises `InvalidRequest`."""
    try:
        import jq  # noqa: PLC0415 - an extra

        program = jq.compile(expression)
        values = [] if text is None else program.input_text(text).all()
    except ModuleNotFoundError as error:
        raise InvalidRequest('--jq: needs `pip install "goldpan-search[jq]"`, or pipe the JSON to jq') from error
    except ValueError as error:
        raise InvalidRequest(f"--jq: {plain(str(error))}") from error
    lines = (
        plain(each) if isinstance(each, str) else escape_json(json.dumps(each, ensure_ascii=False)) for each in values
    )
    return "".join(f"{line}\n" for line in lines)
