"""The whole stack in one process: the real state machine with the real doors, on a simulated Step Functions."""

import pytest

pytest.register_assert_rewrite("tests.e2e.comparison")
