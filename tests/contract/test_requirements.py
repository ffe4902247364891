"""docs/requirements.md: what it names as the place of a requirement, or as its test, exists."""

import re
from pathlib import Path

from tests.contract.stack.documents import ROOT, text

LIBRARY, TESTS = ROOT / "layers" / "goldpan" / "goldpan", ROOT / "tests"
MODULES = (ROOT, LIBRARY, LIBRARY / "kinds")
TEST_FOLDERS = (TESTS, TESTS / "unit", TESTS / "unit" / "kinds")
PAGE = text("docs/requirements.md")
COMPONENTS, *DOCUMENTS = PAGE.split("\n## ")[1:]


def rows(section: str) -> list[list[str]]:
    """Return the cells of each row of the table of a section."""
    body = section.partition("\n|---")[2].partition("\n")[2]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in body.splitlines() if line[:1] == "|"]


def found(name: str, folders: tuple[Path, ...]) -> Path | None:
    """Return the file that a name means."""
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def is_test(name: str) -> bool:
    """Report whether a name is that of a test in its file, or of a benchmark."""
    file, _, test = name.partition("::")
    path = found(file, TEST_FOLDERS)
    written = path.read_text("utf-8") if path else ""
    return f"\ndef {test}(" in written if test else bool(written) and file.startswith("benchmarks/")


def test_every_requirement_names_modules_and_tests_that_exist() -> None:
    """Of each of the five documents; a requirement without a module has its reason."""
    table = [row for section in DOCUMENTS for row in rows(section)]
    assert len(DOCUMENTS) == 5
    assert len(table) >= 100
    missing = []
    for section, requirement, modules, tests, deviation in table:
        named, tested = re.findall(r"`([^`]+)`", modules), re.findall(r"`([^`]+)`", tests)
        missing += [name for name in named if found(name, MODULES) is None]
        missing += [name for name in tested if not is_test(name)]
        missing += [] if (named and tested) or deviation else [f"{section}: {requirement}"]
    assert missing == []


def test_every_component_is_where_its_name_says() -> None:
    """A reader who knows the names of the requirements finds the class or the model of each."""
    table = {name: module.strip("`") for name, module, _ in rows(COMPONENTS)}
    assert len(table) == 9
    for name, module in table.items():
        path = found(module, MODULES)
        assert path is not None, module
        assert re.search(rf"^class {name}\b", path.read_text("utf-8"), re.MULTILINE), name
