"""Translates a template from standard input as AWS does at a deployment; run by the Python that has the SAM CLI."""

import json
import sys

import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator


def main() -> None:
    """Write the plain template to standard output."""
    session = boto3.Session(region_name="us-east-1")
    translator = Translator(managed_policy_map={}, sam_parser=Parser(), boto_session=session)
    json.dump(translator.translate(json.load(sys.stdin), parameter_values={}), sys.stdout)


if __name__ == "__main__":
    main()
