"""One object of S3 that is read, changed, and stored again unless another process stored it in the meantime."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import boto3
from botocore.exceptions import ClientError

from goldpan.errors import Unavailable

NOT_THERE = frozenset({"404", "NoSuchKey"})


def error_code(error: ClientError) -> str:
    """Return the code that AWS gives an error; empty if it gives none."""
    return str(error.response.get("Error", {}).get("Code", ""))


@contextmanager
def replaced_object(bucket: str, key: str) -> Iterator[Path]:
    """Hand out a copy, and store it at the end. Raises `Unavailable` if it was changed since, or `ClientError`."""
    client = boto3.client("s3")
    with tempfile.TemporaryDirectory() as folder:
        path, condition = Path(folder, Path(key).name), {"IfNoneMatch": "*"}
        try:
            response = client.get_object(Bucket=bucket, Key=key)
            path.write_bytes(response["Body"].read())
            condition = {"IfMatch": str(response["ETag"])}
        except ClientError as error:
            if error_code(error) not in NOT_THERE:
                raise
        yield path
        try:
            client.put_object(Bucket=bucket, Key=key, Body=path.read_bytes(), **condition)
        except ClientError as error:
            raise Unavailable(f"{bucket}/{key} was not stored: {error}") from error
