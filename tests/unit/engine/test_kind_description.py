"""What a page reads of a kind."""

from __future__ import annotations

import json
from typing import cast

from goldpan.engine.kind import AnyKind
from goldpan.engine.kind_description import describe_kind
from goldpan.kinds.registry import all_kinds

from tests.support import toy_kind

TOYS = cast("AnyKind", toy_kind.KIND)


def test_every_kind_is_described_as_json() -> None:
    """No function or model is left in it."""
    for kind in (*all_kinds(), TOYS):
        assert json.loads(json.dumps(describe_kind(kind)))["name"] == kind.name
