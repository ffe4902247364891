"""The settings of the deployed functions."""

from __future__ import annotations

import pytest
from goldpan.aws.settings import ScoutSettings, ScreenerSettings
from goldpan.errors import Misconfigured

from tests.unit.aws.conftest import ENVIRONMENT


def test_warm_ups_may_use_a_quarter_of_every_limit() -> None:
    """Unless the environment says otherwise, within 0 and 1."""
    assert ScreenerSettings.from_environment(ENVIRONMENT).warm_up_share == 0.25
    assert ScoutSettings.from_environment(ENVIRONMENT | {"WARM_UP_SHARE": "0"}).warm_up_share == 0
    with pytest.raises(Misconfigured, match=r"^WARM_UP_SHARE: .*less than or equal to 1"):
        ScoutSettings.from_environment(ENVIRONMENT | {"WARM_UP_SHARE": "1.5"})
