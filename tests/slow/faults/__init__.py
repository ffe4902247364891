"""The fault campaign: whole searches against upstreams that fail, one case a fault; docs/reliability.md shows it."""

import pytest

for name in ("dynamodb_cases", "judge", "sqlite_cases"):
    pytest.register_assert_rewrite(f"{__name__}.{name}")
