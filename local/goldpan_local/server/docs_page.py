"""The page at `/docs`: the contract for readers, and a form to try it; it loads nothing and runs no script."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape

from pydantic.json_schema import JsonSchemaValue

STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font: 14px/1.4 ui-monospace, monospace }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8886; border-radius: 6px }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid #8884 }
input { font: inherit; width: 24rem; max-width: 70% }
"""
_STYLE_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
PAGE_HEADERS = {
    "content-security-policy": f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
}
FORM = """<form action="/search"><label>Question <input name="q" required maxlength="500"
placeholder="Rust web framework"></label> <button>Search</button></form>"""


def docs_page(contract: JsonSchemaValue) -> str:
    """Write the page."""
    info, title = contract["info"], escape(contract["info"]["title"])
    parts = [
        f"<h1>{title} {escape(info['version'])}</h1><p>{escape(info['description'])}</p>",
        '<p>The contract as a file: <a href="/openapi.json">/openapi.json</a></p>',
        FORM,
        *(part for path, row in contract["paths"].items() for part in _path(path, row, contract)),
        "<h2>Schemas</h2>",
        *(part for name, schema in contract["components"]["schemas"].items() for part in _schema(name, schema)),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    return (
        f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head><body>{"".join(parts)}</body></html>'
    )


def _path(path: str, operations: JsonSchemaValue, contract: JsonSchemaValue) -> Iterator[str]:
    for method, operation in operations.items():
        yield f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(operation['summary'])}</p>"
        yield f"<p>{escape(operation.get('description', ''))}</p>"
        if "parameters" in operation:
            rows = [(each["name"], each["schema"], each, each["required"]) for each in operation["parameters"]]
            yield _table("parameter", [_row(*row) for row in rows])
        for media in operation.get("requestBody", {}).get("content", {}).values():
            yield f"<p>Body: {_type(media['schema'])}</p>"
            yield from _examples(media)
        shared = contract["components"]["responses"]
        responses = {
            status: shared[_referred(each)] if "$ref" in each else each
            for status, each in operation["responses"].items()
        }
        yield _table("response", [_response(status, each) for status, each in responses.items()])


def _response(status: str, response: JsonSchemaValue) -> str:
    types = ", ".join(f"<code>{escape(media)}</code>" for media in response["content"])
    examples = "".join(part for media in response["content"].values() for part in _examples(media))
    folded = f"<details><summary>Example</summary>{examples}</details>" if examples else ""
    return f"<tr><td>{status}</td><td>{types}</td><td>{escape(response['description'])}{folded}</td></tr>"


def _examples(media: JsonSchemaValue) -> Iterator[str]:
    for example in media.get("examples", {}).values():
        text = json.dumps(example["value"], indent=2, ensure_ascii=False)
        yield f"<p>{escape(example.get('summary', ''))}</p><pre>{escape(text)}</pre>"


def _schema(name: str, schema: JsonSchemaValue) -> Iterator[str]:
    yield f'<h3 id="{escape(name)}">{escape(name)}</h3><p>{escape(schema.get("description", ""))}</p>'
    required = schema.get("required", ())
    fields = schema.get("properties", {}).items()
    yield _table("field", [_row(field, form, form, field in required) for field, form in fields])


def _table(head: str, rows: list[str]) -> str:
    return f"<table><tr><th>{head}</th><th>type</th><th></th></tr>{''.join(rows)}</table>"


def _row(name: str, form: JsonSchemaValue, described: JsonSchemaValue, required: bool) -> str:  # noqa: FBT001 - a column
    mark = " (required)" if required else ""
    text = escape(described.get("description", ""))
    return f"<tr><td><code>{escape(name)}</code>{mark}</td><td>{_type(form)}</td><td>{text}</td></tr>"


def _type(form: JsonSchemaValue) -> str:
    """Name a type with its bounds, or link the schema."""
    if "$ref" in form:
        name = escape(_referred(form))
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in form:
        return " or ".join(map(_type, form["anyOf"]))
    made = escape(str(form.get("format", form.get("type", "any"))))
    if "items" in form:
        made = f"list of {_type(form['items'])}"
    if "enum" in form:
        made = " | ".join(f"<code>{escape(str(value))}</code>" for value in form["enum"])
    if "minimum" in form or "maximum" in form:
        made += f", {form.get('minimum', '')} to {form.get('maximum', '')}"
    return made


def _referred(reference: JsonSchemaValue) -> str:
    """Return the name to which a reference refers."""
    return str(reference["$ref"].rpartition("/")[2])
