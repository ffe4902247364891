"""What the documents state is what the template and the code do."""

import json
import re

import goldpan
from goldpan.config import DimensionWeights, PipelineConfig
from goldpan.contracts import SearchRequest
from goldpan.infra.http_client import CERTIFICATES, PROXIES
from goldpan.infra.settings import EmbeddingSettings, LLMSettings, Settings
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.input_files.input_record import ALIASES, InputRecord
from goldpan.kinds.registry import all_kinds
from goldpan.kinds.repositories.dimensions import SIGNALS
from goldpan.kinds.repositories.sources.catalogue.build import Record
from goldpan.local.bootstrap import LocalSettings
from goldpan.local.library_folder import LibrarySettings
from goldpan_local import exit_codes
from goldpan_local.library_files.folder import SUFFIXES
from goldpan_local.server.requests import ServerSettings

from scripts.scale.__main__ import main as tables_of_scale
from scripts.scale.costs import deploying, prose
from tests.contract.stack.documents import CONTRACT, GATEWAY, functions, read, template, text

DEPLOYMENT, SCORING = text("docs/deploying.md"), text("docs/scoring.md")
CONFIGURATION = text("docs/configuration.md")


def test_the_page_lists_every_parameter_with_its_default_and_setting() -> None:
    """An operator finds every parameter in the order of the template, its default, and the variable that it fills."""
    rows = dict(re.findall(r"^\| `([A-Z]\w+)` \| ?`?([^|`]*?)`? \|", DEPLOYMENT, re.MULTILINE))
    assert rows == {name: str(parameter["Default"]) for name, parameter in template()["Parameters"].items()}
    given = next(iter(functions().values()))["Environment"]["Variables"]
    filled = {
        (value["Ref"], name) for name, value in given.items() if isinstance(value, dict) and value.get("Ref") in rows
    }
    filled.add(("Secrets", "SECRETS"))
    assert set(re.findall(r"^\| `(\w+)` \|[^|]*\| `(\w+)` \|", DEPLOYMENT, re.MULTILINE)) == filled


def test_the_outputs_and_the_refusal_shown_to_operators_are_real() -> None:
    """The outputs of the stack exist, and the refusal is word for word that of the gateway."""
    used = set(re.findall(r"\boutput ([A-Z]\w+)", DEPLOYMENT)) | set(re.findall(r"the output `(\w+)`", DEPLOYMENT))
    assert set() < used <= set(template()["Outputs"])
    [refusal] = re.findall(r'^\{"type".*\}$', DEPLOYMENT, re.MULTILINE)
    responses = read(GATEWAY)["x-amazon-apigateway-gateway-responses"]
    assert json.loads(refusal) == json.loads(responses["BAD_REQUEST_BODY"]["responseTemplates"]["application/json"])


def test_the_pages_on_cost_quote_their_script() -> None:
    """docs/scale.md shows the tables and figures of scripts/scale, README.md and docs/deploying.md some of them."""
    page = text("docs/scale.md")
    costs = re.findall(r"^\| `(\w+)` \| \d+ MB \| \d+ \| (\S+) \| (\S+) \|$", page, re.MULTILINE)
    assert costs == re.findall(r"^\| \[(\w+)\].* \| \$(\S+), \$(\S+) \|$", text("README.md"), re.MULTILINE)
    assert [part for part in tables_of_scale().split("\n\n") if part not in page] == []
    for quoting, statements in ((page, prose()), (DEPLOYMENT, deploying())):
        assert [statement for statement in statements if statement not in " ".join(quoting.split())] == []


def test_how_we_score_names_every_signal_and_the_order() -> None:
    """The table has every dimension with its weight, and every signal with its share."""
    weights = DimensionWeights().model_dump()
    for dimension, signals in SIGNALS.items():
        assert f"| {dimension.replace('_', ' ')} | {weights[dimension]} |" in SCORING
        for signal in signals:
            assert f"| {signal.name} | {signal.share:g} |" in SCORING
        assert sum(signal.share for signal in signals) == 1
    weight = PipelineConfig().relevance_weight
    formula = f"`relevance x ({weight:g} + {1 - weight:.1g} x overall / 10)`"
    assert formula in SCORING.replace("×", "x")  # noqa: RUF001


def test_every_setting_is_documented() -> None:
    """The page lists every variable that is read, and no other, and every field; the changelog has the version."""
    listed = set(re.findall(r"`([A-Z][A-Z_]+)`", CONFIGURATION))
    models: list[type[Settings]] = [LLMSettings, EmbeddingSettings, LocalSettings, LibrarySettings, ServerSettings]
    models += [kind.connector().settings for kind in all_kinds()]
    read = {name.upper() for model in models for name in model.model_fields}
    assert read | {*CERTIFICATES, *PROXIES, "NO_PROXY"} == listed
    fields = [*PipelineConfig.model_fields, *PipelineConfig().coarse_filter.model_dump()]
    assert [name for name in fields if name not in CONFIGURATION] == []
    assert f"## {goldpan.__version__} " in text("CHANGELOG.md")


def rows(page: str, heading: str) -> set[str]:
    """Return the names in the first column of the first table below a heading."""
    table = text(page).partition(f"\n## {heading}\n")[2].partition("\n|---")[2].partition("\n\n")[0]
    cells = re.findall(r"^\| ([^|]*) \|", table, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`?([\w/.{}-]+)(?:\([^)`]*\))?`?", cell)}


def test_every_way_to_call_goldpan_is_documented() -> None:
    """Each path and field of HTTP, entry point of Python, tool of agents and exit code has its row, and no other."""
    contract = read(CONTRACT)
    assert rows("docs/http.md", "Paths") == {*contract["paths"], "/", "/docs", "/openapi.json"}
    assert rows("docs/http.md", "A request") == {*SearchRequest.model_fields}
    sections = {kind.name for kind in all_kinds()}
    assert rows("docs/http.md", "An answer") == {*Answer.model_fields} - {"sections"} | sections
    assert rows("docs/python.md", "Entry points") == {*goldpan.__all__}
    tools = re.findall(r"async def ([a-z]\w+)", text("local/goldpan_local/agents/tools.py"))
    assert rows("docs/agents.md", "Tools") == {*tools}
    codes = {str(value) for name, value in vars(exit_codes).items() if name.isupper() and isinstance(value, int)}
    assert rows("docs/command.md", "Exit codes") == codes


def test_every_field_of_a_catalogue_and_of_a_library_is_documented() -> None:
    """The pages list each field of a line or a record, and no other; each other name of one, and each kind of file."""
    table = text("docs/catalogue.md").partition("| field |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", table, re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(listed) == sorted(Record.model_fields)
    page = text("docs/library.md")
    fields = page.partition("| field |")[2].partition("## What is left out")[0]
    documented = {*InputRecord.model_fields, *ALIASES} - {"source"}
    assert documented - {*re.findall(r"`(\w+)`", fields)} == set()
    suffixes = re.findall(r"`(\.\w+)`", page.partition("| name of the file |")[2].partition("\n\n")[0])
    assert sorted(suffixes) == sorted(SUFFIXES)
