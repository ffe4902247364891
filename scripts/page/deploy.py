"""Put the page in front of a deployed stack: `make deploy-page STACK=goldpan`.

Deploys page/template.yaml as the stack `goldpan-page`, and writes the files of `make page-build` into its bucket.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import boto3
from botocore.exceptions import BotoCoreError, ClientError
from goldpan_local.page.files import HEADERS, media_type

from scripts.page.build import ROOT, START
from scripts.smoke.stack import Stack

SAM = ROOT / ".venv-sam" / "bin" / "sam"
TEMPLATE = ROOT / "page" / "template.yaml"


class RefusedError(Exception):
    """The page cannot be deployed."""


def main() -> int:
    """Deploy; return the exit code."""
    parser = argparse.ArgumentParser(prog="make deploy-page", description="Put the page in front of a stack.")
    parser.add_argument("--stack", required=True, help="the stack of the API, in the region of the AWS profile")
    parser.add_argument("--files", required=True, type=Path, help="the folder of `make page-build`")
    chosen = parser.parse_args()
    try:
        print(f"deployed: {deploy(chosen.stack, chosen.files)}; the first time CloudFront takes some minutes")
    except (RefusedError, BotoCoreError, ClientError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def deploy(name: str, files: Path, log: IO[str] | int = sys.stderr) -> str:
    """Deploy the page of a stack; return its address. Raises RefusedError, and the errors of boto3."""
    api = Stack(name)
    if api.is_signed:
        raise RefusedError(f"{name} has ApiAuthorization AWS_IAM: a browser cannot sign the requests of the page")
    command = [
        str(SAM), "deploy", "--template-file", str(TEMPLATE), "--stack-name", f"{name}-page",
        "--region", str(boto3.Session().region_name), "--no-confirm-changeset", "--no-fail-on-empty-changeset",
        "--parameter-overrides", f"SearchUrl={api.output('SearchUrl')}",
    ]  # fmt: skip
    done = subprocess.run(command, env=os.environ | {"SAM_CLI_TELEMETRY": "0"}, stdout=log, check=False)  # noqa: S603
    if done.returncode:
        raise RefusedError(f"{name}-page was not deployed")
    page = Stack(f"{name}-page")
    upload(files, page.output("PageBucketName"))
    return page.output("PageUrl")


def upload(folder: Path, bucket: str) -> None:
    """Make the bucket equal to a folder; the start page comes last, and old files go after it."""
    client = boto3.client("s3")
    keys = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    for key in sorted(keys, key=lambda key: (key == START, key)):
        client.put_object(
            Bucket=bucket, Key=key, Body=(folder / key).read_bytes(), ContentType=media_type(key),
            CacheControl=HEADERS["cache-control"],
        )  # fmt: skip
    listed = (page.get("Contents", ()) for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket))
    for old in {each["Key"] for page in listed for each in page} - keys:
        client.delete_object(Bucket=bucket, Key=old)


if __name__ == "__main__":
    raise SystemExit(main())
