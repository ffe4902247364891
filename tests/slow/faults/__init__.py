"""The fault campaign: whole searches against upstreams that fail, one case a fault."""

from __future__ import annotations

import pytest

for name in ("judge", "next_search", "store_cases", "table_cases"):
    pytest.register_assert_rewrite(f"{__name__}.{name}")
