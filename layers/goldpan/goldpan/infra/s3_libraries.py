"""The libraries of a deployment: files in a bucket, of which each container has copies in its temporary storage.

A project is the object `libraries/NAME.sqlite`. Its copy is `FOLDER/ETAG/NAME.sqlite`, so that a new one never changes
a file that is being read, and the name of the file stays that of the project.
"""

import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import boto3
from botocore.client import BaseClient
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, ConnectTimeoutError, HTTPClientError, ReadTimeoutError

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import NotFound, Refused, StoreFailed, TimedOut, Unavailable
from goldpan.infra.dynamodb_table import Parameters
from goldpan.infra.threads import run_with_deadline

PREFIX, SUFFIX, PART = "libraries/", ".sqlite", ".part"
FOLDER = Path(tempfile.gettempdir(), "libraries")
SHARE, SECONDS, VERSION_SECONDS = 0.8, 4.0, 2.0
"""The share of the time until a deadline that a file may take, so that it can be searched in the rest; how long one may
take without a deadline; and how long a version may take."""
RESERVE_SECONDS = 0.2
"""A download ends so long before its deadline, to be continued by the next call."""
CONNECT_SECONDS, READ_SECONDS, ATTEMPTS = 1, 2, 2
MEBIBYTE = 1024 * 1024
USABLE = 0.95
"""The share of the temporary storage that files may fill; the file system needs some for itself."""
NO_CODES = frozenset[str]()
NOT_THERE = frozenset({"404", "NoSuchKey"})
DENIED = frozenset({"403", "AccessDenied", "Forbidden"})
UNCHANGED = frozenset({"304", "NotModified"})
REPLACED = frozenset({"412", "416", "PreconditionFailed", "InvalidRange"})
"""https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html"""


class S3Libraries:
    """The projects in a bucket; safe between threads.

    `version` and `file` ask S3 each time, so that no search reads an older file than its answer is kept for. A download
    that the deadline cuts is continued by the next call. Copies that are not in use are deleted, those that were used
    longest ago first, so that all together stay within `capacity` bytes.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what differs between two containers
        self, client: BaseClient, bucket: str, folder: Path, capacity: int, clock: Clock, prefix: str = PREFIX
    ) -> None:
        self._client, self._bucket, self._folder = client, bucket, folder
        self._capacity, self._clock, self._prefix = capacity, clock, prefix
        self._in_use, self._lock = Counter[Path](), threading.RLock()

    @contextmanager
    def file(self, project: str, deadline: Deadline | None = None) -> Iterator[Path]:
        """Hand out the current file of a project, which stays unchanged while the context is open.

        Raises `NotFound` if there is no project of that name, without the names of others, which the caller may
        not be meant to know, and `CallFailed` if the bucket cannot be read, or not before the deadline.
        """
        limit = deadline.within(SHARE * deadline.left) if deadline else Deadline.after(SECONDS, self._clock)
        with self._lock:
            path = self._current(project, limit)
            self._in_use[path] += 1
            os.utime(path, ns=(now := time.time_ns(), now))  # finer than the clock of the file system
        try:
            yield path
        finally:
            with self._lock:
                self._in_use[path] -= 1

    def projects(self) -> list[str]:
        """List the projects by name. Raises `CallFailed`."""
        with self._failures():
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=self._prefix)
            keys = [item["Key"] for page in pages for item in page.get("Contents", ())]
        return sorted(key[len(self._prefix) : -len(SUFFIX)] for key in keys if key.endswith(SUFFIX))

    def version(self, project: str) -> str | None:
        """Return the ETag of the file, None if there is no such project. Raises `CallFailed`."""
        deadline = Deadline.after(VERSION_SECONDS, self._clock)
        found = self._call(self._client.head_object, project, deadline, NOT_THERE)
        return _etag(found) if found else None

    def _current(self, project: str, deadline: Deadline) -> Path:
        """Return the copy of the file as it is in the bucket now."""
        copy, part, at = self._newest(project, SUFFIX), self._newest(project, PART), 0
        conditions: dict[str, str] = {}
        if part:  # a download that was cut, of a newer file if there is a copy
            at = part.stat().st_size
            conditions = {"IfMatch": f'"{part.parent.name}"', "Range": f"bytes={at}-"}
        elif copy:
            conditions = {"IfNoneMatch": f'"{copy.parent.name}"'}
        unmet = UNCHANGED | REPLACED if conditions else NO_CODES
        response = self._call(self._client.get_object, project, deadline, unmet, **conditions)
        if not response and part:  # another file took its place in the meantime
            _delete(part)
            response, at = self._call(self._client.get_object, project, deadline, NO_CODES), 0
        elif not response and copy:
            return copy
        return self._downloaded(project, response, deadline, at)

    def _newest(self, project: str, suffix: str) -> Path | None:
        """Return the copy or part that was used last; an older one is still being read, or is deleted next."""
        return max(self._folder.glob(f"*/{project}{suffix}"), key=lambda path: path.stat().st_mtime, default=None)

    def _call(
        self,
        call: Callable[..., Parameters],
        project: str,
        deadline: Deadline,
        codes: frozenset[str],
        **conditions: str,
    ) -> Parameters:
        """Call S3 about the file of a project; returns nothing for an error with one of the codes."""
        request = {"Bucket": self._bucket, "Key": library_key(project, self._prefix), **conditions}
        with self._failures():
            try:
                return run_with_deadline(lambda: call(**request), deadline)
            except ClientError as error:
                code = error.response["Error"]["Code"]
                if code in codes:
                    return {}
                if code in NOT_THERE:
                    message = f"project_id: there is no project {project!r}; `goldpan library push` adds one"
                    raise NotFound(message) from error
                raise

    def _downloaded(self, project: str, response: Parameters, deadline: Deadline, at: int) -> Path:
        """Write the body to a temporary name, rename it when it is complete, and delete the copies of older files."""
        size = at + int(response["ContentLength"])
        folder = self._folder / _etag(response)
        part, whole = folder / f"{project}{PART}", folder / f"{project}{SUFFIX}"
        self._make_room(project, size - at, keep=part)
        with self._failures(), response["Body"] as body:
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)
            with part.open("ab" if at else "wb") as file, suppress(TimedOut):  # the sizes below say what is missing
                run_with_deadline(lambda: _copy(body, file, deadline.before(RESERVE_SECONDS)), deadline)
        if part.stat().st_size != size:
            raise TimedOut(
                f"{self._bucket}: {part.stat().st_size // MEBIBYTE} of {size // MEBIBYTE} MiB of the project "
                f"{project} were read in time; the next search continues"
            )
        part.chmod(0o400)
        part.rename(whole)
        folder.chmod(0o500)  # SQLite opens a file in such a folder as one that never changes
        return whole

    def _make_room(self, project: str, size: int, keep: Path) -> None:
        """Delete copies that are not in use until a file fits: first older ones of the project, then the oldest."""
        files = [path for path in self._folder.glob("*/*") if path != keep]
        used = sum(path.stat().st_size for path in files) + (keep.stat().st_size if keep.exists() else 0)
        files.sort(key=lambda path: (path.stem != project, path.stat().st_mtime))
        for path in files:
            is_older = path.stem == project
            if self._in_use[path] or not (is_older or used + size > self._capacity):
                continue
            used -= path.stat().st_size
            _delete(path)
        if used + size > self._capacity:
            raise Refused(
                f"LIBRARY_STORAGE_MB: the file of the project {project} needs {size // MEBIBYTE + 1} MiB more, of "
                f"{(self._capacity - used) // MEBIBYTE} MiB that are free"
            )

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Raise what goes wrong with a call of S3, or with the temporary storage, as `CallFailed`."""
        try:
            yield
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if code == "NoSuchBucket":
                raise Refused(f"LIBRARY_BUCKET: there is no bucket {self._bucket}") from error
            if code in DENIED:
                message = f"LIBRARY_BUCKET: the role of this function may not read the bucket {self._bucket}"
                raise Refused(message) from error
            raise Unavailable(f"LIBRARY_BUCKET: {self._bucket} could not be read ({error})") from error
        except (ConnectTimeoutError, ReadTimeoutError, TimedOut) as error:
            raise TimedOut(f"{self._bucket}: S3 did not answer in time") from error
        except (BotoCoreError, HTTPClientError) as error:
            raise Unavailable(f"{self._bucket}: S3 could not be reached ({error})") from error
        except OSError as error:
            raise StoreFailed(f"{self._folder}: {error.strerror or error}") from error


def open_bucket(bucket: str, storage_mb: int, clock: Clock, folder: Path = FOLDER, prefix: str = PREFIX) -> S3Libraries:
    """Make the libraries of a bucket; `storage_mb` is the temporary storage that they may fill, in MiB."""
    retries = {"mode": "standard", "total_max_attempts": ATTEMPTS}
    config = Config(connect_timeout=CONNECT_SECONDS, read_timeout=READ_SECONDS, retries=retries)
    client, capacity = boto3.client("s3", config=config), int(storage_mb * MEBIBYTE * USABLE)
    return S3Libraries(client, bucket, folder, capacity, clock, prefix)


def _delete(path: Path) -> None:
    """Delete a copy or a part, and its folder, which projects with the same content share."""
    path.parent.chmod(0o700)
    path.unlink()
    if not any(path.parent.iterdir()):
        path.parent.rmdir()


def library_key(project: str, prefix: str = PREFIX) -> str:
    """Return the key of the object that is the file of a project."""
    return f"{prefix}{project}{SUFFIX}"


def _etag(response: Parameters) -> str:
    return str(response["ETag"]).strip('"')


def _copy(body: BinaryIO, file: BinaryIO, deadline: Deadline) -> None:
    while deadline.left and (block := body.read(MEBIBYTE)):
        file.write(block)
