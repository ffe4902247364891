"""The deployment to which a library is pushed: its bucket and the table of its cache, with errors by name."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import boto3
from boto3.exceptions import S3UploadFailedError
from botocore.exceptions import BotoCoreError, ClientError
from goldpan.errors import Misconfigured, Unavailable
from goldpan.infra.s3_libraries import RECHECK, library_key
from goldpan.local.library_folder import LibrarySettings

from goldpan_local.progress import show_share

OUTPUTS = ("LibraryBucketName", "CacheTableName")
"""The outputs of the stack that name the bucket and the table."""
CAUSES: Mapping[str, str] = {
    "NoSuchBucket": "there is no such bucket",
    "ResourceNotFoundException": "there is no such table",
    "ValidationError": "there is no such stack in this account and region; --bucket and --table name both",
    "NoRegionError": "AWS_REGION is required, or a region in the profile of the AWS CLI",
    **dict.fromkeys(
        ("NoCredentialsError", "PartialCredentialsError", "ProfileNotFound"),
        "AWS credentials are required; `aws configure` sets them",
    ),
    **dict.fromkeys(
        ("ExpiredToken", "ExpiredTokenException", "InvalidAccessKeyId", "InvalidClientTokenId",
         "SignatureDoesNotMatch", "UnrecognizedClientException"),
        "the AWS credentials are not valid, or have expired",
    ),
    **dict.fromkeys(
        ("AccessDenied", "AccessDeniedException", "403"), "these AWS credentials are not allowed to use it"
    ),
}  # fmt: skip
"""What has to be set otherwise, by the code that AWS gives, or by the name of an error of boto3."""
SETTLE_SECONDS = 2 * RECHECK.total_seconds()
"""Seconds between file and version: a search with the new version must not read an older file, see `RECHECK`."""


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
    """Raise what goes wrong with a call of AWS by the name of what was used."""
    try:
        yield
    except (BotoCoreError, ClientError, S3UploadFailedError) as error:
        first = error.__context__ if isinstance(error, S3UploadFailedError) else error
        cause = first.response["Error"]["Code"] if isinstance(first, ClientError) else type(first).__name__
        if cause in CAUSES:
            raise Misconfigured(f"{used}: {CAUSES[cause]}") from error
        raise Unavailable(f"{used}: {error}") from error
