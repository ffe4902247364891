"""The schemas of the HTTP contract, made from the models of the requests and the responses.

Fields are described by their docstrings. A default is part of the description, because with the keyword many
generated clients would require the field.
"""

import ast
import inspect
from collections.abc import Iterable, Sequence
from copy import deepcopy
from itertools import pairwise
from textwrap import dedent
from typing import cast

from goldpan.contracts import SearchRequest, Section
from goldpan.contracts.progress import Accepted, Progress
from goldpan.engine.filter_options import filter_options
from goldpan.engine.kind import AnyKind
from goldpan.kinds import registry
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.sources.library.requests import OPERATIONS, ChunksAnswer, LibraryAnswer
from goldpan.kinds.repositories.analysis.models import Analysis, AnalyzeRequest
from goldpan.kinds.repositories.names import NOT_FOR_LIKE, CompareRequest, LikedRepository
from goldpan.known import Preview
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

REQUESTS = (SearchRequest, CompareRequest, LikedRepository, AnalyzeRequest, *OPERATIONS.values())
RESPONSES = (Answer, Accepted, Progress, Analysis, LibraryAnswer, ChunksAnswer, Preview)
SECTIONS = "sections"
REFERENCE = "#/components/schemas/{model}"


def schemas() -> dict[str, JsonSchemaValue]:
    """Return the schema of each request and response by its name, with those that they refer to."""
    kinds = registry.all_kinds()
    made = _of_models(REQUESTS, RequestSchema) | _of_models(
        (*RESPONSES, *(kind.section for kind in kinds)), ResponseSchema
    )
    made["Filters"] = _filters(kinds)
    liked = made.pop(LikedRepository.__name__)
    searched = _search_request(made["SearchRequest"], [registry.get_kind(registry.DEFAULT_KIND)])["properties"]
    further = {name: form for name, form in searched.items() if name not in NOT_FOR_LIKE}
    made["LikeRequest"] = liked | {"properties": liked["properties"] | further}
    made["SearchRequest"] = _search_request(made["SearchRequest"], kinds)
    made["Answer"] = _answer(made["Answer"], kinds)
    made.pop(Section.__name__, None)
    return dict(sorted(made.items()))


class RequestSchema(GenerateJsonSchema):
    """Describes fields by their docstrings and defaults."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - pydantic's signature
        """Return False: a title repeats the name."""
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Describe the default of a field, unless it is null, empty or an object."""
        made = super().default_schema(schema)
        match made.pop("default", None):
            case None | "" | [] | dict():
                return made
            case list(values):
                text = ", ".join(map(str, values))
            case bool(value):
                text = str(value).lower()
            case value:
                text = str(value)
        return {**made, "description": f"Default {text}."}

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Describe a model and its fields; the first paragraph of its docstring is for clients."""
        made = super().model_schema(schema)
        made.pop("title", None)
        if described := made.pop("description", ""):  # a model of another distribution may have none
            made["description"] = " ".join(described.partition("\n\n")[0].split())
        documented = field_docstrings(schema["cls"])
        for name, form in made.get("properties", {}).items():
            parts = [documented.get(name, ""), form.pop("description", "")]
            if described := " ".join(filter(None, parts)):
                form["description"] = described
        return made


class ResponseSchema(RequestSchema):
    """Describes a response: every field is present, and clients must ignore further ones."""

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,  # noqa: FBT001 - pydantic's signature
    ) -> bool:
        """Return True."""
        del field, total
        return True

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Leave out the default."""
        return self.generate_inner(schema["schema"])

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Allow further fields."""
        made = super().model_schema(schema)
        made.pop("additionalProperties", None)
        return made


def field_docstrings(model: type[BaseModel]) -> dict[str, str]:
    """Read the docstrings of the fields of a model and its bases.

    pydantic's option for this reads the source of each model at its import, which would double the start of a command.
    """
    found: dict[str, str] = {}
    for each in reversed(model.__mro__):
        if issubclass(each, BaseModel) and each is not BaseModel:
            [definition] = ast.parse(dedent(inspect.getsource(each))).body
            for statements in pairwise(cast("ast.ClassDef", definition).body):
                match statements:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(described))):
                        found[name] = " ".join(described.split())
    return found


def _of_models(models: Sequence[type[BaseModel]], generator: type[GenerateJsonSchema]) -> dict[str, JsonSchemaValue]:
    given: list[tuple[type[BaseModel], JsonSchemaMode]] = [(model, "validation") for model in models]
    _, made = models_json_schema(given, ref_template=REFERENCE, schema_generator=generator)
    definitions: dict[str, JsonSchemaValue] = made["$defs"]
    return definitions


def _search_request(schema: JsonSchemaValue, kinds: Sequence[AnyKind]) -> JsonSchemaValue:
    """Add what the model of a search checks by the registered kinds: their names, sources, orders and filters."""
    fields = deepcopy(schema["properties"])
    fields["kinds"]["items"]["enum"] = [kind.name for kind in kinds]
    [sources, _] = fields["sources"]["anyOf"]
    sources["items"]["enum"] = list(dict.fromkeys(source for kind in kinds for source in kind.sources))
    sources["minItems"] = 1
    fields["filters"] = {"$ref": REFERENCE.format(model="Filters")}
    fields["sort"]["enum"] = list(dict.fromkeys(sort for kind in kinds for sort in kind.sorts))
    fields["preference"]["enum"] = list(dict.fromkeys(each for kind in kinds for each in kind.preferences))
    return schema | {"properties": fields}


def _filters(kinds: Iterable[AnyKind]) -> JsonSchemaValue:
    """Join the filters of all kinds; one without a docstring is described by the help of its option."""
    fields: dict[str, JsonSchemaValue] = {}
    for kind in kinds:
        fields |= kind.filters.model_json_schema(ref_template=REFERENCE, schema_generator=RequestSchema)["properties"]
        documented = field_docstrings(kind.filters)
        for option in filter_options(kind.filters):
            for name in set(option.fields) - documented.keys():
                parts = (option.help, fields[name].get("description", ""))
                fields[name]["description"] = " ".join(filter(None, parts))
    described = "What every result must be; only filters of the requested kinds are allowed."
    return {"description": described, "type": "object", "additionalProperties": False, "properties": fields}


def _answer(answer: JsonSchemaValue, kinds: Iterable[AnyKind]) -> JsonSchemaValue:
    """Replace the sections of an answer by a field for each kind, absent if it was not requested or failed."""
    sections = {kind.name: {"$ref": REFERENCE.format(model=kind.section.__name__)} for kind in kinds}
    fields = {name: form for name, form in answer["properties"].items() if name != SECTIONS}
    required = [name for name in answer["required"] if name != SECTIONS]
    return answer | {"properties": fields | sections, "required": required}
