"""The deployment to which a library is pushed: its bucket and the table of its cache, with errors by name."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from http import HTTPStatus
from pathlib import Path

import boto3
from boto3.exceptions import S3UploadFailedError
from botocore.exceptions import BotoCoreError, ClientError, ConnectionError, HTTPClientError  # noqa: A004 - botocore's
from goldpan.errors import Misconfigured, Unavailable
from goldpan.infra.s3_libraries import library_key
from goldpan.local.library_folder import LibrarySettings

from goldpan_local.progress import show_share

OUTPUTS = ("LibraryBucketName", "CacheTableName")
"""The outputs of the stack that name the bucket and the table."""
UNREACHED = (ConnectionError, HTTPClientError)
"""The errors of a call that got no response."""


def find(environment: Mapping[str, str], *, bucket: str | None, table: str | None, stack: str) -> tuple[str, str]:
    """Find bucket and table: as given, as set, or of the stack. Raises `Misconfigured` or `CallFailed`."""
    settings = LibrarySettings.from_environment(environment)
    bucket, table = bucket or settings.goldpan_library_bucket, table or settings.goldpan_cache_table
    if bucket and table:
        return bucket, table
    of_stack = _outputs(stack)
    return bucket or of_stack[OUTPUTS[0]], table or of_stack[OUTPUTS[1]]


def upload(bucket: str, project: str, file: Path, version: str) -> None:
    """Upload a file, encrypted and with a checksum that S3 verifies; shows progress on a terminal."""
    arguments = {
        "ServerSideEncryption": "AES256",
        "ChecksumAlgorithm": "SHA256",
        "ContentType": "application/vnd.sqlite3",
        "Metadata": {"version": version},
    }
    with _failures(bucket), show_share("Pushing") as report:
        parts, total = list[int](), file.stat().st_size

        def further(count: int) -> None:
            parts.append(count)  # in one of several threads
            report(sum(parts), total)

        client = boto3.client("s3")
        client.upload_file(str(file), bucket, library_key(project), ExtraArgs=arguments, Callback=further)


def write_version(table: str, project: str, version: str, now: datetime) -> None:
    """Write the version of a project, which is a part of the key of its answers from now on."""
    item = {"pk": f"library:{project}", "version": version, "pushed_at": now.isoformat(timespec="seconds")}
    try:
        with _failures(table):
            values = {name: {"S": value} for name, value in item.items()}
            boto3.client("dynamodb").put_item(TableName=table, Item=values)
    except (Misconfigured, Unavailable) as error:
        message = f"{error}; the file was uploaded, but answers of the one before may be served: push again"
        raise type(error)(message) from error


def _outputs(stack: str) -> dict[str, str]:
    with _failures(f"--stack: {stack}"):
        [described] = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    found = {each["OutputKey"]: each["OutputValue"] for each in described.get("Outputs", ())}
    if missing := [name for name in OUTPUTS if name not in found]:
        message = f"--stack: {stack} has no output {' and no output '.join(missing)}; deploy this version first"
        raise Misconfigured(message)
    return found


@contextmanager
def _failures(used: str) -> Iterator[None]:
    """Raise what goes wrong with a call of AWS by the name of what was used, in the words of AWS.

    `Misconfigured` is what the user has to correct, `Unavailable` what may work later.
    """
    try:
        yield
    except (BotoCoreError, ClientError, S3UploadFailedError) as error:
        first = error.__context__ if isinstance(error, S3UploadFailedError) else error
        status = first.response["ResponseMetadata"]["HTTPStatusCode"] if isinstance(first, ClientError) else 0
        is_down = isinstance(first, UNREACHED) or status >= HTTPStatus.INTERNAL_SERVER_ERROR
        raise (Unavailable if is_down else Misconfigured)(f"{used}: {first}") from error
