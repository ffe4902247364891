"""Where a library is pushed to."""

import boto3
import pytest
from goldpan.errors import Misconfigured
from goldpan_local.library_commands import deployment
from goldpan_local.library_commands.deployment import OUTPUTS, Deployment

from tests.support.factories import NOW


def test_bucket_and_table_are_as_given_or_else_those_of_the_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    """The option comes before the environment, and that before the outputs of the stack."""
    monkeypatch.setattr(deployment, "_outputs", lambda stack: {name: f"{stack} {name}" for name in OUTPUTS})
    environment = {"GOLDPAN_LIBRARY_BUCKET": "own-bucket"}
    found = [
        Deployment.find(given, bucket=bucket, table=None, stack="search")
        for given, bucket in (({}, None), (environment, None), (environment, "given"))
    ]
    of_stack = [f"search {name}" for name in OUTPUTS]
    assert [each.bucket for each in found] == [of_stack[0], "own-bucket", "given"]
    assert {each.table for each in found} == {of_stack[1]}


def test_a_cause_that_the_user_can_change_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a profile that is not there; the message names what was done before the failure."""
    monkeypatch.setenv("AWS_PROFILE", "not-there")
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    with pytest.raises(Misconfigured, match="--stack: search: AWS credentials are required"):
        Deployment.find({}, bucket=None, table=None, stack="search")
    with pytest.raises(Misconfigured, match=r"AWS credentials are required.*the file was uploaded.*push again"):
        Deployment("a-bucket", "a-table").write_version("project", "version", NOW)
