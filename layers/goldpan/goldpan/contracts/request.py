"""The request: a question and how to answer it, validated with what the kinds that it names allow."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, WithJsonSchema, field_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from goldpan.config import Frozen, PipelineConfig, pattern_in_words
from goldpan.contracts.kinds import (
    DEFAULT_PREFERENCE,
    DEFAULT_SORT,
    MAX_COMPARED,
    MAX_LONG_QUERY_CHARS,
    MAX_QUERY_CHARS,
    PARSED_BY_KINDS,
    TABLE,
    require_known,
    require_library_alone,
)
from goldpan.contracts.validation_errors import NO_NAMES, parse_fields
from goldpan.errors import InvalidRequest

Mode = Literal["focused", "balanced", "exploratory"]
MAX_ID_CHARS, MAX_IGNORED = 120, 30
SHORT_NAME = "must have 1 to 64 characters: lower-case letters, digits and hyphens"
ProjectId = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,64}$"), pattern_in_words(SHORT_NAME)]
"""The name of a project, which is also that of its library."""
MAX_NAME_CHARS = 200
MAX_WAITING_SECONDS, MAX_SECONDS = 27, 280
"""How long an answer may take for which a client waits, and without one: below the limits of the gateway on AWS, 29 s,
and of an execution, five minutes."""
MAX_OFFSET = 1000
"""No kind has as many results; a page after the last one is empty."""
PAGE_FIELDS = ("offset", "max_results")
"""The fields of a request that choose a page of its results, and change none of them."""
MAX_STRATEGIES, MAX_STRATEGIES_BYTES = 10, 12 * 1024
"""The maximum of all previous strategies as JSON: the state machine carries them together with the results."""
MAX_WISHES, MAX_WISHES_BYTES = 30, 4 * 1024


def _plain_text(text: str) -> str:
    categories = {unicodedata.category(character) for character in text}
    if categories & {"Cc", "Cs"}:
        raise ValueError(f"must have no {'control characters' if 'Cc' in categories else 'lone surrogates'}")
    return text


def _text_up_to(longest: int) -> tuple[object, ...]:
    """Return the metadata of a question: blanks around a text that neither begins nor ends with one."""
    end, within = r"[^\s\x00-\x1f\x7f-\x9f]", r"[^\x00-\x1f\x7f-\x9f]"
    pattern = rf"^\s*{end}({within}{{0,{longest - 2}}}{end})?\s*$"
    return (
        Field(min_length=1, max_length=longest),
        BeforeValidator(lambda text: text.strip() if isinstance(text, str) else text),
        AfterValidator(_plain_text),
        WithJsonSchema({"type": "string", "minLength": 1, "pattern": pattern}),
    )


Question = Annotated[str, *_text_up_to(MAX_QUERY_CHARS)]
LongQuestion = Annotated[str, *_text_up_to(MAX_LONG_QUERY_CHARS)]


def _at_most(max_bytes: int) -> AfterValidator:
    def bounded(values: tuple[object, ...]) -> tuple[object, ...]:
        if values and len(json.dumps(values).encode()) > max_bytes:
            raise ValueError(f"must have at most {max_bytes:,} bytes as JSON")
        return values

    return AfterValidator(bounded)


def _or_one(schema: JsonDict) -> None:
    """Describe a list that one of its items may stand for."""
    listed: JsonDict = {key: schema.pop(key) for key in ("type", "items", "maxItems")}
    schema["anyOf"] = [listed, listed["items"]]


def _as_tuple(value: object) -> object:
    """Read a single text as a tuple of one, and null as an empty one; strict JSON has no tuples after this."""
    given = () if value is None else (value,) if isinstance(value, str) else value
    return tuple(given) if isinstance(given, list) else given


def _known_sources(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    if not names:
        raise ValueError("name at least one source, or leave the field out for all configured sources")
    known = [source for kind in TABLE.with_sources(names) for source in kind.sources]
    if not {*names} <= {*known}:  # another kind may have none of them, and its sources are allowed too
        known = [source for kind in TABLE.all() for source in kind.sources]
    return require_known(names, tuple(known))


def names_as_query(names: object) -> str:
    """Return the query of a comparison without a question: the names, as far as they fit."""
    listed = names if isinstance(names, list | tuple) else [names]
    return ", ".join(map(str, listed))[:MAX_QUERY_CHARS].rstrip() or "comparison"


class SearchRequest(Frozen):
    """A question and how to answer it."""

    kinds: Annotated[
        tuple[str, ...],
        Field(min_length=1, max_length=10),
        AfterValidator(lambda names: require_known(names, TABLE.names())),
    ] = (TABLE.names()[0],)
    """The kinds of results."""
    query: LongQuestion
    """The question in plain language, 1 to 500 characters, for papers alone up to 5,000; no control characters."""
    mode: Mode = "balanced"
    """How many search terms are added to the question."""
    max_results: Annotated[int, Field(ge=1, le=25)] = 10
    """The results of a page, of each kind."""
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET)] = 0
    """How many results of each kind to pass over: those of earlier pages."""
    max_seconds: Annotated[int, Field(ge=5, le=MAX_SECONDS)] = 25
    """How long the answer may take; over HTTP more than 27, for several rounds, only with `Prefer: respond-async`."""
    max_llm_calls: Annotated[int, Field(ge=0, le=60)] = 40
    """The maximum number of calls of the language model, in all rounds together."""
    sources: Annotated[tuple[str, ...] | None, Field(max_length=20), AfterValidator(_known_sources)] = None
    """The sources to query; all that are configured unless given."""
    filters: dict[str, object] = {}
    """What every result must be, in addition to what the question says; each kind has filters of its own."""
    sort: str = DEFAULT_SORT
    """One of the orders of the requested kinds; a kind that does not have it orders by relevance."""
    preference: str = DEFAULT_PREFERENCE
    """What the order by relevance prefers, in place of what the question says; `balanced` leaves that to the question,
    for a kind that has preferences."""
    ignore: Annotated[tuple[Annotated[str, Field(max_length=MAX_ID_CHARS)], ...], Field(max_length=MAX_IGNORED)] = ()
    """The ids of entries of an earlier answer's `interpretation` that are not to apply."""
    previous_strategies: Annotated[
        tuple[dict[str, object], ...], Field(max_length=MAX_STRATEGIES), _at_most(MAX_STRATEGIES_BYTES)
    ] = ()
    """The `strategies` of the answer that this search continues, for a kind that continues searches."""
    feedback: Annotated[
        tuple[Question, ...],
        Field(max_length=MAX_WISHES, json_schema_extra=_or_one),
        BeforeValidator(_as_tuple),
        _at_most(MAX_WISHES_BYTES),
    ] = ()
    """What the results should be in addition to the question: the wishes of all rounds, in plain language."""
    project_id: ProjectId | None = None
    """The project whose library is searched as well as the sources, for a kind that searches libraries."""
    library_only: bool = False
    """Whether the library of the project is all that its kind searches."""
    compare: Annotated[
        tuple[Annotated[str, Field(max_length=MAX_NAME_CHARS)], ...], Field(max_length=MAX_COMPARED)
    ] = ()
    """The ids of 2 to 4 results to compare instead of searching, for a kind that compares; the query orders them."""
    config: PipelineConfig = PipelineConfig()

    if TYPE_CHECKING:  # a list, or a wish alone, becomes a tuple, which the types of the fields do not say

        def __init__(  # noqa: PLR0913 - fields
            self,
            *,
            query: str,
            kinds: Sequence[str] = ...,
            sources: Sequence[str] | None = ...,
            ignore: Sequence[str] = ...,
            previous_strategies: Sequence[Mapping[str, object]] = ...,
            feedback: str | Sequence[str] = ...,
            compare: Sequence[str] = ...,
            **fields: object,
        ) -> None: ...

    def normal(self) -> SearchRequest:
        """Return the request that all of its pages have in common, without repeated blanks in its question.

        The letter case and a closing question mark stay: the question is read by them.
        """
        page = {name: SearchRequest.model_fields[name].default for name in PAGE_FIELDS}
        query = unicodedata.normalize("NFC", " ".join(self.query.split()))
        return self.model_copy(update={**page, "query": query})

    @property
    def has_question(self) -> bool:
        """Whether it asks anything; a comparison may be of names alone."""
        return not self.compare or self.query != names_as_query(self.compare)

    @field_validator("query")
    @classmethod
    def _require_length(cls, query: str, info: ValidationInfo) -> str:
        kinds = info.data.get("kinds", ()) if len(query) > MAX_QUERY_CHARS else ()
        longest = min((TABLE.get(kind).max_query_chars for kind in kinds), default=MAX_LONG_QUERY_CHARS)
        if len(query) > longest:
            kind, message = "string_too_long", "String should have at most {max_length} characters"
            raise PydanticCustomError(kind, message, {"max_length": longest})
        return query

    @field_validator(*PARSED_BY_KINDS)
    @classmethod
    def _parse_by_kinds(cls, given: object, info: ValidationInfo) -> object:
        name = info.field_name or ""
        is_default = given == cls.model_fields[name].default
        if is_default or "kinds" not in info.data:
            return given
        strictly = {"strict": True} if name == "filters" and info.mode == "json" else {}
        return PARSED_BY_KINDS[name](given, info.data["kinds"], **strictly)

    @field_validator("library_only")
    @classmethod
    def _require_project(cls, library_only: bool, info: ValidationInfo) -> bool:  # noqa: FBT001 - a field
        if library_only and {"kinds", "sources", "project_id"} <= info.data.keys():
            require_library_alone(info.data["kinds"], info.data["sources"], info.data["project_id"])
        return library_only


def require_waiting(request: SearchRequest) -> SearchRequest:
    """Return a request for whose answer a client waits. Raises `InvalidRequest` if that may take too long."""
    if request.max_seconds > MAX_WAITING_SECONDS:
        longest = f"must be at most {MAX_WAITING_SECONDS}, or {MAX_SECONDS} with the header Prefer: respond-async"
        raise InvalidRequest(f"max_seconds: {longest} (given {request.max_seconds})")
    return request


def parse_request(fields: object, names: Mapping[str, str] = NO_NAMES) -> SearchRequest:
    """Parse a request from plain data; the query of a comparison without one is the names that it compares.

    Raises `InvalidRequest` with every invalid field, its value and what is allowed; `names` gives fields other names.
    """
    # not in a validator of the model, because pydantic would then read strict JSON as Python values
    if isinstance(fields, Mapping) and fields.get("compare") and fields.get("query") in (None, ""):
        fields = {**fields, "query": names_as_query(fields["compare"])}
    return parse_fields(SearchRequest, fields, names)
