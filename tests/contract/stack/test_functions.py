"""The functions of the template are those of the code, and each is deployed, logged and limited correctly."""

from typing import Any

from goldpan.aws.stages import ANALYSIS_SECONDS
from goldpan.engine.deadlines import STAGE_SECONDS
from goldpan.engine.events import FUNCTIONS

from tests.contract.stack.documents import ROOT, function_id, functions, resources
from tests.contract.stack.evaluated import evaluate

LAYERS = [{"Ref": "GoldpanLayer"}, {"Ref": "DataLayer"}]
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
        assert (function["Architectures"], function["Layers"]) == ([{"Ref": "Architecture"}], LAYERS)
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


def test_every_other_function_has_the_layers_that_its_imports_need() -> None:
    """Release and refresh import the kinds, which read goldpan-data when they are imported."""
    others = resources("AWS::Lambda::Function")
    assert {name: function["Layers"] for name, function in others.items()} == dict.fromkeys(others, LAYERS)


def test_every_log_expires_and_holds_no_question() -> None:
    """The groups of the functions, the machines and the API expire; the machines log no data."""
    groups = resources("AWS::Logs::LogGroup")
    assert len(groups) == 3
    assert all(group["RetentionInDays"] == 30 for group in groups.values())
    for machine in resources("AWS::Serverless::StateMachine").values():
        assert (machine["Logging"]["Level"], machine["Logging"]["IncludeExecutionData"]) == ("ERROR", False)
        assert machine["Tracing"] == {"Enabled": True}
