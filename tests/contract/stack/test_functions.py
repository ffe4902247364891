"""The functions of the template are those of the code, and each is deployed, logged and limited correctly."""

import re
from typing import Any

import pytest
from goldpan.aws.stages import ANALYSIS_SECONDS
from goldpan.engine.deadlines import STAGE_SECONDS
from goldpan.engine.events import FUNCTIONS

from tests.contract.stack.documents import ROOT, evaluate, function_id, functions, read, resources, template

ENCODER = "arn:aws:lambda:eu-west-1:123456789012:layer:goldpan-encoder:3"
NAMES = sorted(set(FUNCTIONS.values()))


def _function(name: str) -> dict[str, Any]:
    return functions()[function_id(name)]


def test_the_functions_are_those_of_the_code() -> None:
    """Every function that runs a stage is deployed, traced, from a snapshot, and outlasts its stages; no other is."""
    assert set(functions()) == {function_id(name) for name in NAMES}
    for name in NAMES:
        function, stages = _function(name), [stage for stage, user in FUNCTIONS.items() if user == name]
        assert (function["CodeUri"], function["Handler"]) == (f"functions/{name}", "app.handler")
        assert (ROOT / function["CodeUri"] / "app.py").is_file()
        assert (function["Runtime"], function["Tracing"]) == ("python3.13", "Active")
        assert function["Architectures"] == [{"Ref": "Architecture"}]
        assert function["AutoPublishAlias"] == "live"
        for megabytes in (512, 513, 10_240)[: 3 if name == "scout" else 1]:
            storage = evaluate(function.get("EphemeralStorage", {"Size": 512})["Size"], {"LibraryStorageMb": megabytes})
            applies = evaluate(function["SnapStart"]["ApplyOn"], {"LibraryStorageMb": megabytes})
            assert storage == megabytes
            assert applies == ("PublishedVersions" if megabytes == 512 else "None"), "SnapStart allows no more"
        reserved = {at: evaluate(function["ReservedConcurrentExecutions"], {"SearchesAtOnce": at}) for at in (5, 20)}
        assert reserved[20] == 4 * reserved[5]
        longest = max(STAGE_SECONDS.get(stage, 0) for stage in stages)
        assert function["Timeout"] > (longest if name != "screener" else ANALYSIS_SECONDS)


@pytest.mark.parametrize("url", ["", "https://vectors.example.org/v1"])
@pytest.mark.parametrize("model", ["", ENCODER])
def test_the_layer_of_the_encoder_is_attached_to_scout_alone(url: str, model: str) -> None:
    """And only if EmbeddingModel is its ARN, without an endpoint; all functions have the layers of their imports."""
    own = {"GoldpanLayer": "goldpan", "DataLayer": "data"}
    values = {**own, "AWS::NoValue": None, "EmbeddingBaseUrl": url, "EmbeddingModel": model}
    for name, function in {**functions(), **resources("AWS::Lambda::Function")}.items():
        attached = [model] if model and not url and name == "ScoutFunction" else []
        assert [each for each in evaluate(function["Layers"], values) if each] == [*own.values(), *attached]
    assert sorted(resources("AWS::Serverless::LayerVersion")) == sorted(own), "a deployment builds no other"


def test_the_layer_of_the_encoder_is_the_one_that_the_parameter_accepts() -> None:
    """`make deploy-encoder` makes it for the runtime and the processor of scout, and keeps what a rollback may need."""
    made = read(ROOT / "encoder" / "template.yaml")["Resources"]["EncoderLayer"]["Properties"]
    library = resources("AWS::Serverless::LayerVersion")["GoldpanLayer"]
    for name in ("CompatibleRuntimes", "CompatibleArchitectures"):
        assert made[name] == library[name]
    assert (made["RetentionPolicy"], made["LayerName"]) == ("Retain", ENCODER.split(":")[6])
    parameter = template()["Parameters"]["EmbeddingModel"]
    accepted = ("", "text-embedding-3-small", ENCODER, ENCODER.replace("aws:", "aws-us-gov:"))
    refused = ("a model", "x" * 51, ENCODER.replace("-encoder", ""), ENCODER.rpartition(":")[0], f"{ENCODER},")
    assert [each for each in (*accepted, *refused) if re.fullmatch(parameter["AllowedPattern"], each)] == [*accepted]
    assert max(map(len, accepted)) <= parameter["MaxLength"]


def test_every_log_expires_and_holds_no_question() -> None:
    """The groups of the functions, the machines and the API expire; the machines log no data."""
    groups = resources("AWS::Logs::LogGroup")
    assert len(groups) == 3
    assert all(group["RetentionInDays"] == 30 for group in groups.values())
    for machine in resources("AWS::Serverless::StateMachine").values():
        assert (machine["Logging"]["Level"], machine["Logging"]["IncludeExecutionData"]) == ("ERROR", False)
        assert machine["Tracing"] == {"Enabled": True}
