"""The HTTP contract as a document of OpenAPI 3.1, and the page at `/docs` that shows it to readers."""

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files

import goldpan
import yaml
from goldpan.engine.query_string import QUERY, field_of, parameters
from pydantic.json_schema import JsonSchemaValue

from goldpan_local.server.schemas import schemas

OPERATIONS = "operations.yaml"
EVENTS_TYPE = "text/event-stream"
STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font: 14px/1.4 ui-monospace, monospace }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8886; border-radius: 6px }
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
REFERENCE = re.compile(r"#/components/(\w+)/(\w+)")
LINK = r'<a href="#\1-\2">\g<0></a>'


def contract() -> JsonSchemaValue:
    """Make the document, for the kinds that are registered."""
    # The loader in C takes a sixth of the time, but not every installation of PyYAML has it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = files(__package__).joinpath(OPERATIONS).read_text("utf-8")
    document: JsonSchemaValue = yaml.load(text, loader)  # noqa: S506 - a safe loader
    document["info"]["version"] = goldpan.__version__
    document["components"]["schemas"] |= (models := schemas())
    fields = {**models["Filters"]["properties"], **models["SearchRequest"]["properties"]}
    search = document["paths"]["/search"]["get"]
    search["parameters"] = [_parameter(name, fields[field_of(name)]) for name in parameters()]
    return document


def _parameter(name: str, form: JsonSchemaValue) -> JsonSchemaValue:
    """Describe a parameter of a search by a link; none can be null."""
    alternatives = [each for each in form.get("anyOf", ()) if each != {"type": "null"}]
    own = {key: value for key, value in form.items() if key not in {"description", "anyOf"}}
    schema = own | dict(*alternatives[:1])
    described = {"description": form["description"]} if "description" in form else {}
    return {"name": name, "in": "query", "required": name == QUERY, **described, "schema": schema}


def docs_page(contract: JsonSchemaValue) -> str:
    """Write the page, which loads nothing and runs no script: each operation and component in YAML, with links."""
    info, title = contract["info"], escape(contract["info"]["title"])
    parts = [
        f"<h1>{title} {escape(info['version'])}</h1><p>{escape(info['description'])}</p>",
        '<p>The contract as a file: <a href="/openapi.json">/openapi.json</a></p>',
        FORM if "get" in contract["paths"]["/search"] else "",
    ]
    for path, operations in contract["paths"].items():
        parts += (_part(f"{method.upper()} {path}", path, operation) for method, operation in operations.items())
    for kind, named in contract["components"].items():
        parts += (_part(name, f"{kind}-{name}", component) for name, component in named.items())
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    return (
        f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head><body>{"".join(parts)}</body></html>'
    )


def _part(heading: str, anchor: str, value: JsonSchemaValue) -> str:
    """Write a value in YAML below its heading, with a link for each reference."""
    text = escape(yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100))
    return f'<h2 id="{escape(anchor)}"><code>{escape(heading)}</code></h2><pre>{REFERENCE.sub(LINK, text)}</pre>'
