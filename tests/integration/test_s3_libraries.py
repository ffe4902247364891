"""The libraries of a deployment: files of a bucket, read through copies that fill a bounded part of the disk."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError, ConnectTimeoutError, EndpointConnectionError
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, InvalidRequest, Refused, StoreFailed, TimedOut, Unavailable
from goldpan.infra.s3_libraries import S3Libraries
from moto import mock_aws

from tests.support.fakes import SlowClock

MIB = 1024 * 1024


class Bucket:
    """A bucket, a container's view of it, and the calls that reached S3; `failure` is what the next ones raise."""

    def __init__(self, folder: Path) -> None:
        self.clock, self.folder, self.client = SlowClock(), folder, boto3.client("s3", region_name="us-east-1")
        self.client.create_bucket(Bucket="papers")
        self.libraries = self.opened()
        self.calls: list[str] = []
        self.failure: Exception | None = None

    def opened(self, capacity: int = 10 * MIB, bucket: str = "papers") -> S3Libraries:
        """Open the bucket as a new container does, or the same one 15 minutes later."""
        return S3Libraries(self.client, bucket, self.folder, capacity, self.clock)

    def put(self, project: str, content: bytes) -> None:
        """Store or replace the file of a project."""
        self.client.put_object(Bucket="papers", Key=f"libraries/{project}.sqlite", Body=content)
        self.calls.clear()

    def read(self, project: str, libraries: S3Libraries | None = None) -> bytes:
        """Return the content of the file that is handed out."""
        with (libraries or self.libraries).file(project) as path:
            assert path.name == f"{project}.sqlite"
            return path.read_bytes()

    def files(self) -> list[str]:
        """Return the names of all files on the disk."""
        return sorted(path.name for path in self.folder.glob("**/*") if path.is_file())


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    """Simulate S3, with a bucket."""
    with mock_aws():
        made, call = Bucket(tmp_path / "libraries"), BaseClient._make_api_call

        def recording(own: Any, operation: str, parameters: dict[str, Any]) -> Any:
            made.calls.append(operation)
            if made.failure:
                raise made.failure
            return call(own, operation, parameters)

        monkeypatch.setattr(BaseClient, "_make_api_call", recording)
        yield made


def test_a_file_is_downloaded_once_and_again_when_it_was_replaced(bucket: Bucket) -> None:
    """A file that is open stays as it is; a copy serves until S3 has another file, also for the next dependencies."""
    bucket.put("thesis", b"one")
    assert [bucket.read("thesis") for _ in range(3)] == [b"one"] * 3
    [state] = [path.stat() for path in bucket.folder.glob("*/*")]
    assert (state.st_size, state.st_mode & 0o777) == (3, 0o400)
    bucket.put("thesis", b"two")
    with bucket.libraries.file("thesis") as path:
        bucket.put("thesis", b"three")
        assert bucket.read("thesis") == b"three"
        assert path.read_bytes() == b"two"
    assert bucket.read("thesis", bucket.opened()) == b"three"
    bucket.put("thesis", b"four")
    assert (bucket.read("thesis"), bucket.files()) == (b"four", ["thesis.sqlite"])


def test_the_projects_and_their_versions(bucket: Bucket) -> None:
    """They are listed by name; a version changes with the file; an unknown project has neither version nor file."""
    bucket.put("b-side", b"one")
    bucket.put("a", b"one")
    bucket.client.put_object(Bucket="papers", Key="libraries/readme.txt", Body=b"")
    assert bucket.libraries.projects() == ["a", "b-side"]
    before = bucket.libraries.version("a")
    bucket.put("a", b"two")
    assert before != bucket.libraries.version("a") is not None
    assert bucket.libraries.version("c") is None
    with pytest.raises(InvalidRequest, match="project_id: there is no project 'c'") as raised:
        bucket.read("c")
    assert "b-side" not in str(raised.value)


def test_the_disk_is_bounded(bucket: Bucket) -> None:
    """The file that was used longest ago makes room, never one that is open; what cannot fit is refused by name."""
    libraries = bucket.opened(capacity=5 * MIB)
    for name in ("a", "b", "c"):
        bucket.put(name, name.encode() * 2 * MIB)
    for name in ("a", "b", "a", "c"):
        bucket.read(name, libraries)
    assert bucket.files() == ["a.sqlite", "c.sqlite"]
    with libraries.file("a"):
        bucket.read("b", libraries)
        bucket.read("c", libraries)
        assert bucket.files() == ["a.sqlite", "c.sqlite"]
        bucket.put("d", b"d" * 4 * MIB)
        with pytest.raises(Refused, match="LIBRARY_STORAGE_MB: the file of the project d needs 5 MiB more, of 3 MiB"):
            bucket.read("d", libraries)
    assert bucket.read("d", libraries) == b"d" * 4 * MIB
    assert bucket.files() == ["d.sqlite"]
    assert [path for path in bucket.folder.glob("**/") if not any(path.iterdir())] == []


def test_a_download_that_the_deadline_cuts_is_continued(bucket: Bucket) -> None:
    """Each call adds to what the calls before have read; if the file was replaced since, it begins anew."""
    content = bytes(range(256)) * (6 * MIB // 256)
    for replaced in (False, True):
        bucket.put("thesis", content)
        bucket.clock.step = 0.2
        for _ in range(2):
            limit = Deadline.after(1.2, bucket.clock)
            cut = pytest.raises(TimedOut, match="of 6 MiB of the project thesis were read in time")
            with cut, bucket.libraries.file("thesis", limit):
                pass
        bucket.clock.step = 0.0
        if replaced:
            content = content[::-1]
            bucket.put("thesis", content)
        assert bucket.read("thesis") == content
        assert bucket.files() == ["thesis.sqlite"]
        content = content[::-1]


@pytest.mark.parametrize(("seconds", "is_whole"), [(6.0, True), (3.0, False)])
def test_a_file_has_its_share_of_the_time_of_the_search(bucket: Bucket, *, seconds: float, is_whole: bool) -> None:
    """A download of three seconds fits into six seconds; with three, the error says how far it came before they end."""
    bucket.put("thesis", bytes(30 * MIB))
    deadline, bucket.clock.step = Deadline.after(seconds, bucket.clock), 0.1
    ended = nullcontext() if is_whole else pytest.raises(TimedOut, match="of 30 MiB of the project thesis were read")
    with ended, bucket.opened(capacity=40 * MIB).file("thesis", deadline) as path:
        assert path.stat().st_size == 30 * MIB
    bucket.clock.step = 0.0
    assert deadline.left > 0


@pytest.mark.parametrize(
    ("failure", "kind", "message"),
    [
        (ClientError({"Error": {"Code": "AccessDenied"}}, "GetObject"), Refused, "may not read the bucket papers"),
        (ClientError({"Error": {"Code": "SlowDown"}}, "GetObject"), Unavailable, "papers could not be read"),
        (ConnectTimeoutError(endpoint_url="https://s3"), TimedOut, "S3 did not answer in time"),
        (EndpointConnectionError(endpoint_url="https://s3"), Unavailable, "S3 could not be reached"),
    ],
)
def test_a_bucket_that_cannot_be_read(bucket: Bucket, failure: Exception, kind: type[CallFailed], message: str) -> None:
    """The error says what is wrong, also where a copy exists: none may be read after the permission is withdrawn."""
    bucket.put("thesis", b"one")
    bucket.read("thesis")
    bucket.failure = failure
    for attempt in (bucket.read, bucket.libraries.version, lambda _: bucket.libraries.projects()):
        with pytest.raises(kind, match=message):
            attempt("thesis")


def test_a_wrong_folder_or_bucket_is_named(bucket: Bucket) -> None:
    """The error has the folder that cannot be written, or the setting of the bucket that is missing."""
    bucket.put("thesis", b"one")
    bucket.folder.touch()
    with pytest.raises(StoreFailed, match=f"^{bucket.folder}: "):
        bucket.read("thesis")
    with pytest.raises(Refused, match="LIBRARY_BUCKET: there is no bucket other"):
        bucket.read("thesis", bucket.opened(bucket="other"))
