"""Tests of the loopback GitHub and the loopback LLM: they behave as the documentation of their originals says."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(f"{__name__}.asking")
