"""What a GraphQL document selects by GitHub's schema, and every place of its response that may be null."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    get_named_type,
    parse,
)

Path = tuple[str | int, ...]
REST_NULLABLE = ("description", "homepage", "language", "license", "license.spdx_id")
"""The nullable fields of an item of a REST search, as far as goldpan reads them."""


@dataclass(frozen=True)
class Selected:
    """A field of a response: its name there, its type, and the fields that are selected of it."""

    name: str
    type: GraphQLOutputType
    fields: tuple[Selected, ...]


def selected_fields(document: str, schema: GraphQLSchema) -> tuple[Selected, ...]:
    """List what a document selects, with its fragments."""
    definitions = parse(document).definitions
    fragments = {node.name.value: node for node in definitions if isinstance(node, FragmentDefinitionNode)}
    (operation,) = [node for node in definitions if isinstance(node, OperationDefinitionNode)]
    assert schema.query_type is not None
    return tuple(_selected(operation.selection_set, schema.query_type, fragments, schema))


def _selected(
    selections: SelectionSetNode,
    of: GraphQLNamedType,
    fragments: Mapping[str, FragmentDefinitionNode],
    schema: GraphQLSchema,
) -> Iterator[Selected]:
    for node in selections.selections:
        if isinstance(node, FieldNode) and node.name.value == "__typename":
            continue  # a field of every type, which is never null
        if isinstance(node, FieldNode):
            assert isinstance(of, GraphQLObjectType | GraphQLInterfaceType)
            field: GraphQLField = of.fields[node.name.value]
            inner = node.selection_set
            fields = _selected(inner, get_named_type(field.type), fragments, schema) if inner else ()
            yield Selected((node.alias or node.name).value, field.type, tuple(fields))
        else:
            assert isinstance(node, FragmentSpreadNode | InlineFragmentNode)
            fragment = fragments[node.name.value] if isinstance(node, FragmentSpreadNode) else node
            assert fragment.type_condition is not None
            condition = schema.type_map[fragment.type_condition.name.value]
            yield from _selected(fragment.selection_set, condition, fragments, schema)


def nullable_places(document: str, schema: GraphQLSchema) -> list[Path]:
    """List the nullable places of the response to a document, in each list its first member."""
    return [path for field in selected_fields(document, schema) for path in _places(field)]


def _places(field: Selected) -> Iterator[Path]:
    path: Path = (field.name,)
    kind = field.type
    while True:
        if isinstance(kind, GraphQLNonNull):
            kind = kind.of_type
        else:
            yield path
        if not isinstance(kind, GraphQLList):
            break
        path, kind = (*path, 0), kind.of_type
    for inner in field.fields:
        yield from ((*path, *rest) for rest in _places(inner))


def with_value(body: Any, path: Path, value: object) -> Any:
    """Return a copy of a body with another value at a place; unchanged if the place is within a null."""
    changed = copy.deepcopy(body)
    parent: Any = changed
    for step in path[:-1]:
        if not parent:
            return changed
        parent = parent[step]
    if not parent:
        return changed
    parent[path[-1]] = value
    return changed
