"""The functions of the template are those of the code, and each is deployed, logged and limited correctly."""

import re
from typing import Any

import pytest
from goldpan.aws.stages import ANALYSIS_SECONDS
from goldpan.contracts import parse_request
from goldpan.engine.deadlines import STAGE_SECONDS, Deadline, WallClock
from goldpan.engine.dependencies import Dependencies
from goldpan.kinds.registry import get_kind

from scripts.scale.costs import FUNCTIONS as CALLED
from tests.contract.stack.documents import ROOT, evaluate, function_id, functions, read, resources, template
from tests.support.handlers import FUNCTIONS, HANDLERS

ENCODER = "arn:aws:lambda:eu-west-1:123456789012:layer:goldpan-encoder:3"


def _function(name: str) -> dict[str, Any]:
    return functions()[function_id(name)]


def test_the_functions_are_those_of_the_code() -> None:
    """Every function that runs a stage is deployed with its handler and outlasts its stages; no other is."""
    assert set(functions()) == {function_id(name) for name in FUNCTIONS}
    for name in FUNCTIONS:
        function = _function(name)
        longest = max(STAGE_SECONDS[stage] for stage in STAGE_SECONDS if HANDLERS[stage] == name)
        assert (ROOT / function["CodeUri"] / "app.py").is_file()
        assert function["CodeUri"].endswith(f"/{name}")
        assert function["Timeout"] > (longest if name != "screener" else ANALYSIS_SECONDS)


def test_concurrency_is_reserved_for_all_scouts_of_a_search() -> None:
    """Of both kinds, with every key and a library: each strategy is a call, and all of them run at once."""
    clock, tasks = WallClock(), dict[str, int]()
    keys = {each.upper().replace("-", "_"): "x" for each in template()["Parameters"]["Secrets"]["AllowedValues"]}
    request = parse_request({"query": "date library", "kinds": ["repositories", "papers"], "project_id": "thesis"})
    for kind in map(get_kind, request.kinds):
        sources = kind.select_sources(request, kind.default_sources)
        planning = Dependencies(clock, kind.connector().plan(keys))
        tasks[kind.name] = len(kind.stages().translate(request, sources, planning, Deadline.after(5, clock)).tasks)
    for at in (5, 10, 20):
        reserved = _function("scout")["ReservedConcurrentExecutions"]
        assert evaluate(reserved, {"SearchesAtOnce": at}) == at * sum(tasks.values())
    assert CALLED["scout"][1] == tasks["repositories"]


@pytest.mark.parametrize(("megabytes", "snapshots"), [(512, "PublishedVersions"), (513, "None"), (10_240, "None")])
def test_large_libraries_exclude_snapshots(megabytes: int, snapshots: str) -> None:
    """SnapStart allows 512 MB of temporary storage; Lambda would refuse the deployment of scout."""
    scout, values = _function("scout"), {"LibraryStorageMb": megabytes}
    assert evaluate(scout["EphemeralStorage"]["Size"], values) == megabytes
    assert evaluate(scout["SnapStart"]["ApplyOn"], values) == snapshots


@pytest.mark.parametrize("url", ["", "https://vectors.example.org/v1"])
@pytest.mark.parametrize("model", ["", ENCODER])
def test_the_layer_of_the_encoder_is_attached_to_scout_alone(url: str, model: str) -> None:
    """And only if EmbeddingModel is its ARN, without an endpoint; all functions have the layers of their imports."""
    own = {"GoldpanLayer": "goldpan", "DataLayer": "data"}
    values = {**own, "AWS::NoValue": None, "EmbeddingBaseUrl": url, "EmbeddingModel": model}
    for name, function in {**functions(), **resources("AWS::Lambda::Function")}.items():
        attached = [model] if model and not url and name == "ScoutFunction" else []
        assert [each for each in evaluate(function["Layers"], values) if each] == [*own.values(), *attached]


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
    """Each function writes to a group; the machines log no data."""
    groups = resources("AWS::Logs::LogGroup")
    assert all("RetentionInDays" in group for group in groups.values())
    for function in (*functions().values(), *resources("AWS::Lambda::Function").values()):
        assert function["LoggingConfig"]["LogGroup"]["Ref"] in groups
    for machine in resources("AWS::Serverless::StateMachine").values():
        assert machine["Logging"]["IncludeExecutionData"] is False
