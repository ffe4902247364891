"""Where a library is pushed to."""

import boto3
import pytest
from goldpan.errors import Misconfigured
from goldpan_local.library_commands import deployment

from tests.support.factories import NOW


def test_bucket_and_table_are_as_given_or_else_those_of_the_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    """The option comes before the environment, and that before the outputs of the stack."""
    monkeypatch.setattr(deployment, "_outputs", lambda stack: {name: f"{stack} {name}" for name in deployment.OUTPUTS})
    environment = {"GOLDPAN_LIBRARY_BUCKET": "own-bucket"}
    found = [
        deployment.find(given, bucket=bucket, table=None, stack="search")
        for given, bucket in (({}, None), (environment, None), (environment, "given"))
    ]
    of_stack = [f"search {name}" for name in deployment.OUTPUTS]
    assert found == [(bucket, of_stack[1]) for bucket in (of_stack[0], "own-bucket", "given")]


def test_a_cause_that_the_user_can_change_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a profile that is not there; the message names what was done before the failure."""
    monkeypatch.setenv("AWS_PROFILE", "not-there")
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    with pytest.raises(Misconfigured, match="--stack: search: AWS credentials are required"):
        deployment.find({}, bucket=None, table=None, stack="search")
    with pytest.raises(Misconfigured, match=r"AWS credentials are required.*the file was uploaded.*push again"):
        deployment.write_version("a-table", "project", "version", NOW)
