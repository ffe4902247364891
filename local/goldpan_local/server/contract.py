"""The HTTP contract as a document of OpenAPI 3.1: what is written in operations.yaml, and what the models define."""

from __future__ import annotations

from importlib.resources import files

import goldpan
import yaml
from goldpan.engine.query_string import QUERY, parameters
from pydantic.json_schema import JsonSchemaValue

from goldpan_local.server.schemas import schemas

OPERATIONS = "operations.yaml"
EVENTS_TYPE = "text/event-stream"


def contract() -> JsonSchemaValue:
    """Make the document, for the kinds that are registered."""
    # The loader in C takes a sixth of the time, but not every installation of PyYAML has it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = files(__package__).joinpath(OPERATIONS).read_text("utf-8")
    document: JsonSchemaValue = yaml.load(text, loader)  # noqa: S506 - a safe loader
    document["info"]["version"] = goldpan.__version__
    document["components"]["schemas"] |= schemas()
    document["paths"]["/search"]["get"]["parameters"] = _parameters(document["components"]["schemas"])
    return document


def _parameters(models: JsonSchemaValue) -> list[JsonSchemaValue]:
    """Describe the parameters of a search by a link: the fields of its request and of its filters."""
    forms = {**models["Filters"]["properties"], **models["SearchRequest"]["properties"]}
    return [_parameter(each.name, forms[each.field]) for each in parameters()]


def _parameter(name: str, form: JsonSchemaValue) -> JsonSchemaValue:
    """Describe a parameter; none can be null."""
    alternatives = [each for each in form.get("anyOf", ()) if each != {"type": "null"}]
    schema = {key: value for key, value in form.items() if key not in {"description", "anyOf"}} | dict(*alternatives)
    described = {"description": form["description"]} if "description" in form else {}
    return {"name": name, "in": "query", "required": name == QUERY, **described, "schema": schema}
