"""The catalogue of a deployment: replaced by a schedule, and read by its ETag."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import boto3
import pytest
from goldpan.aws.refresh import replaced_object
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import Misconfigured, Unavailable
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.s3_libraries import S3Libraries
from goldpan.kinds.repositories.models import RepositorySearch
from goldpan.kinds.repositories.sources.catalogue.build import Record, build_catalogue
from goldpan.kinds.repositories.sources.catalogue.deployed import RECHECK, DeployedCatalogue
from moto import mock_aws

from tests.integration.test_s3_libraries import MIB
from tests.support.fakes import SlowClock
from tests.support.handlers import Context, load_function
from tests.support.loopback import LoopbackGitHub

BUCKET, KEY = "papers", "files/catalogue.sqlite"


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Make a bucket."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1")
        client.create_bucket(Bucket=BUCKET)
        yield client


def catalogue(path: Path, name: str) -> bytes:
    """Make a catalogue of one repository."""
    record = Record(full_name=name, description="A terminal tool", as_of={"stars": date(2026, 8, 1)}, stars=7)
    build_catalogue([record], path, "the test's catalogue", shipped_table())
    return path.read_bytes()


def test_an_update_replaces_the_file_with_new_facts(s3: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a token it fails by name, and changes nothing; so it does where the file has another format.

    A sample of another format is replaced by that of this version.
    """
    s3.put_object(Bucket=BUCKET, Key=KEY, Body=catalogue(tmp_path / "a.sqlite", "o/tool"))
    with LoopbackGitHub([{"full_name": "o/tool", "stars": 900}]) as github:
        for name, value in {"GITHUB_API_URL": github.url, "LIBRARY_BUCKET": BUCKET}.items():
            monkeypatch.setenv(name, value)
        handler = load_function("refresh").handler
        with pytest.raises(Misconfigured, match="GITHUB_TOKEN"):
            handler({}, Context())
        monkeypatch.setenv("GITHUB_TOKEN", "good-token")
        counts = handler({}, Context())["catalogue"]
        assert counts == {"refreshed": 1, "renamed": 0, "vanished": 0, "unread": 0}
        with closing(sqlite3.connect(shutil.copy(tmp_path / "a.sqlite", tmp_path / "old.sqlite"))) as old, old:
            old.execute("UPDATE meta SET value = '5' WHERE key = 'format'")
        s3.upload_file(str(tmp_path / "old.sqlite"), BUCKET, KEY)
        with pytest.raises(Misconfigured, match="has format 5"):
            handler({}, Context())
        monkeypatch.setattr("goldpan_data.file", lambda _: tmp_path / "a.sqlite")
        assert handler({}, Context())["catalogue"]["refreshed"] == 1
    source = DeployedCatalogue(files(s3, tmp_path, SlowClock()), shipped_table(), SlowClock())
    found = source.look_up(["o/tool"], Deadline.after(5, WallClock()))
    assert found.lists[0][0].stars == 900


@pytest.mark.parametrize("is_there", [False, True])
def test_two_updates_at_once_store_one(s3: Any, *, is_there: bool) -> None:
    """The second one fails, and what the first one stored stays."""
    if is_there:
        s3.put_object(Bucket=BUCKET, Key=KEY, Body=b"before")

    def second() -> None:
        with replaced_object(BUCKET, KEY) as path:
            path.write_bytes(b"second")
            s3.put_object(Bucket=BUCKET, Key=KEY, Body=b"first")

    with pytest.raises(Unavailable, match="was not stored"):
        second()
    assert s3.get_object(Bucket=BUCKET, Key=KEY)["Body"].read() == b"first"


def files(s3: Any, folder: Path, clock: SlowClock) -> S3Libraries:
    """Open the bucket as a container does."""
    return S3Libraries(s3, BUCKET, folder / "copies", 100 * MIB, clock, "files/")


def test_a_new_file_is_searched_and_the_one_before_serves_until_then(
    s3: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Without a file the embedded one answers; a file that is no catalogue changes nothing, and is in the log."""
    clock = SlowClock()
    source = DeployedCatalogue(files(s3, tmp_path, clock), shipped_table(), clock)
    search = [RepositorySearch(words=("terminal", "tool"), match="any")]

    def found() -> str:
        clock.wait(RECHECK.total_seconds())
        answer = source.search(search, Deadline.after(5, clock))
        return " ".join(each.full_name for each in answer.lists[0][:1]) + f" {answer.notes[0]}"

    assert found().endswith("facts as of 2026-08-22")
    for name, expected in (("o/one", "o/one"), ("o/two", "o/two")):
        s3.put_object(Bucket=BUCKET, Key=KEY, Body=catalogue(tmp_path / "a.sqlite", name))
        assert found() == f"{expected} facts as of 2026-08-01"
    assert not caplog.messages
    s3.put_object(Bucket=BUCKET, Key=KEY, Body=b"no catalogue")
    assert found().startswith("o/two")
    assert [" is not a catalogue: " in message for message in caplog.messages] == [True]
    assert source.notice.startswith("Answered from the test's catalogue of 1 repository")
