"""The deployment to which a library is pushed: its bucket and the table of its cache, with errors by name."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import boto3
from boto3.exceptions import S3UploadFailedError
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    NoCredentialsError,
    NoRegionError,
    PartialCredentialsError,
    ProfileNotFound,
)
from goldpan.errors import Misconfigured, Refused, Unavailable
from goldpan.infra.s3_libraries import RECHECK, library_key
from goldpan.local.library_folder import LibrarySettings

from goldpan_local.progress import show_share

OUTPUTS = ("LibraryBucketName", "CacheTableName")
"""The outputs of the stack that name the bucket and the table."""
EXPIRED = frozenset({"ExpiredToken", "ExpiredTokenException", "InvalidAccessKeyId", "InvalidClientTokenId",
                     "SignatureDoesNotMatch", "UnrecognizedClientException"})  # fmt: skip
DENIED = frozenset({"AccessDenied", "AccessDeniedException", "403"})
MISSING = {"NoSuchBucket": "there is no such bucket", "ResourceNotFoundException": "there is no such table"}


@dataclass(frozen=True)
class Deployment:
    """Where libraries are pushed to."""

    bucket: str
    table: str
    settle_seconds: float = 2 * RECHECK.total_seconds()
    """Seconds between file and version: a search with the new version must not read an older file, see `RECHECK`."""

    @classmethod
    def find(cls, environment: Mapping[str, str], *, bucket: str | None, table: str | None, stack: str) -> Deployment:
        """Find bucket and table: as given, as the environment names them, or as the stack does.

        Raises `Misconfigured` or `CallFailed`.
        """
        settings = LibrarySettings.from_environment(environment)
        bucket, table = bucket or settings.goldpan_library_bucket, table or settings.goldpan_cache_table
        if bucket and table:
            return cls(bucket, table)
        of_stack = _outputs(stack)
        return cls(bucket or of_stack[OUTPUTS[0]], table or of_stack[OUTPUTS[1]])

    def upload(self, project: str, file: Path, version: str) -> None:
        """Upload a file, encrypted and with a checksum that S3 verifies; shows progress on a terminal."""
        arguments = {
            "ServerSideEncryption": "AES256",
            "ChecksumAlgorithm": "SHA256",
            "ContentType": "application/vnd.sqlite3",
            "Metadata": {"version": version},
        }
        with _failures(self.bucket), show_share("Pushing") as report:
            further = _counted(file.stat().st_size, report)
            client = boto3.client("s3")
            client.upload_file(str(file), self.bucket, library_key(project), ExtraArgs=arguments, Callback=further)

    def write_version(self, project: str, version: str, now: datetime) -> None:
        """Write the version of a project, which is a part of the key of its answers from now on."""
        item = {"pk": f"library:{project}", "version": version, "pushed_at": now.isoformat(timespec="seconds")}
        try:
            with _failures(self.table):
                values = {name: {"S": value} for name, value in item.items()}
                boto3.client("dynamodb").put_item(TableName=self.table, Item=values)
        except (Misconfigured, Refused, Unavailable) as error:
            message = f"{error}; the file was uploaded, but answers of the one before may be served: push again"
            raise type(error)(message) from error


def _outputs(stack: str) -> dict[str, str]:
    with _failures(f"the stack {stack}"):
        try:
            [described] = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
        except ClientError as error:
            if _code(error) == "ValidationError":
                message = (
                    f"--stack: there is no stack {stack} in this account and region; --bucket and --table name both"
                )
                raise Misconfigured(message) from error
            raise
    found = {each["OutputKey"]: each["OutputValue"] for each in described.get("Outputs", ())}
    missing = [name for name in OUTPUTS if name not in found]
    if missing:
        message = (
            f"--stack: the stack {stack} has no output {' and no output '.join(missing)}; deploy this version first"
        )
        raise Misconfigured(message)
    return found


def _counted(total: int, report: Callable[[int, int], None]) -> Callable[[int], None]:
    """Return what adds up the bytes of the parts, which several threads upload."""
    done, lock = 0, threading.Lock()

    def further(count: int) -> None:
        nonlocal done
        with lock:
            done += count
            report(done, total)

    return further


@contextmanager
def _failures(used: str) -> Iterator[None]:
    """Raise what goes wrong with a call of AWS by the name of what was used."""
    try:
        yield
    except (NoCredentialsError, PartialCredentialsError, ProfileNotFound) as error:
        raise Misconfigured(f"AWS credentials: {error}; `aws configure` sets them") from error
    except NoRegionError as error:
        raise Misconfigured("AWS_REGION: is required, or a region in the profile of the AWS CLI") from error
    except S3UploadFailedError as error:
        cause = error.__context__
        raise (_named(used, cause) if isinstance(cause, ClientError) else Unavailable(f"{used}: {error}")) from error
    except ClientError as error:
        raise _named(used, error) from error
    except BotoCoreError as error:
        raise Unavailable(f"{used}: AWS could not be reached ({error})") from error


def _named(used: str, error: ClientError) -> Misconfigured | Refused | Unavailable:
    code = _code(error)
    if code in MISSING:
        return Misconfigured(f"{used}: {MISSING[code]}")
    if code in EXPIRED:
        return Misconfigured(f"AWS credentials: {error.response['Error'].get('Message') or code}")
    if code in DENIED:
        return Refused(f"{used}: these credentials are not allowed to use it ({error})")
    return Unavailable(f"{used}: {error}")


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))
