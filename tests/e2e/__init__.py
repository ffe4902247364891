"""The whole stack in one process: the real state machine with the real handlers, on a simulated AWS."""

import pytest

pytest.register_assert_rewrite("tests.e2e.comparison")
