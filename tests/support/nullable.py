"""Every place of a GraphQL response that GitHub's schema allows to be null, and every nullable field of a REST item."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLOutputType,
    GraphQLSchema,
    InlineFragmentNode,
    SelectionSetNode,
    parse,
)

Path = tuple[str | int, ...]
REST_NULLABLE = ("description", "homepage", "language", "license", "license.spdx_id")
"""The nullable fields of an item of a REST search, as far as goldpan reads them."""


def nullable_places(document: str, schema: GraphQLSchema) -> list[Path]:
    """List the nullable places of the response to a document, in each list its first member."""
    parsed = parse(document)
    (operation,) = [node for node in parsed.definitions if not isinstance(node, FragmentDefinitionNode)]
    assert schema.query_type is not None
    return list(_places(operation.selection_set, schema.query_type, parsed, schema))  # type: ignore[attr-defined]


def _places(
    selections: SelectionSetNode, of: GraphQLNamedType, document: DocumentNode, schema: GraphQLSchema
) -> Iterator[Path]:
    for node in selections.selections:
        if isinstance(node, FieldNode):
            name = (node.alias or node.name).value
            for path, kind in _values(of.fields[node.name.value].type):  # type: ignore[attr-defined]
                if kind is None:
                    yield (name, *path)
                elif node.selection_set:
                    yield from ((name, *path, *rest) for rest in _places(node.selection_set, kind, document, schema))
            continue
        if isinstance(node, FragmentSpreadNode):
            fragments = [part for part in document.definitions if isinstance(part, FragmentDefinitionNode)]
            (fragment,) = [part for part in fragments if part.name.value == node.name.value]
        else:
            assert isinstance(node, InlineFragmentNode)
            fragment = node  # type: ignore[assignment]
        condition = schema.type_map[fragment.type_condition.name.value]
        yield from _places(fragment.selection_set, condition, document, schema)


def _values(kind: GraphQLOutputType) -> Iterator[tuple[Path, GraphQLNamedType | None]]:
    """Yield the places within the value of a field: with None if one may be null, and with the type of its end."""
    path: Path = ()
    while True:
        if isinstance(kind, GraphQLNonNull):
            kind = kind.of_type
        else:
            yield path, None
        if not isinstance(kind, GraphQLList):
            yield path, kind
            return
        path, kind = (*path, 0), kind.of_type


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
