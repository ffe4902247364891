"""Write the sample catalogue, and the notes: the texts of this folder, joined with the facts of a JSON Lines file.

`python goldpan-data/sample_catalogue/build.py FACTS` reads `texts.tsv` (name, subject, description in our own words,
and the programming language, which replaces an unknown one; so does that of a description, as in "Rust library for")
and FACTS, records as `goldpan catalogue build` reads them, compressed with gzip if the name ends in `.gz`. It reports
the names that FACTS does not have, and then writes nothing.
From both it writes `sample.jsonl` and the catalogue file that is part of the command. Without FACTS it makes the
catalogue file from `sample.jsonl` again, as is needed after a change of its format or of the word table.

The notes are the descriptions of `texts.tsv`, and those of further well-known repositories in `further_notes.tsv` (name
and description in our own words). The sample has a project once, under its present name (`former_names.txt`), with the
newest of the facts known under any of its names.
"""

import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import goldpan_data
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.repository_text import present_names
from goldpan.kinds.repositories.sources.catalogue.build import Record, build_catalogue, records_from_lines
from goldpan.kinds.repositories.vocabulary import vocabulary

FOLDER = Path(__file__).parent
SAMPLE = FOLDER / "sample.jsonl"
NOTES, CATALOGUE = goldpan_data.file("notes.txt"), goldpan_data.file("sample_catalogue.sqlite")
TITLE = "the embedded sample catalogue"
OWN = {"full_name", "description", "list_description", "language_hint", "as_of"}
FACTS = [name for name in Record.model_fields if name not in OWN]
"""Copied into the sample with the day of their observation; a fact that is not known is left out."""
WORDS = range(8, 19)
"""Of a description: one factual sentence."""


_LANGUAGES = "|".join(
    {re.escape(one.language_filter) for one in vocabulary().platforms.values() if one.language_filter}
)
STATED_LANGUAGE = re.compile(rf"(?:^|\bin (?:pure )?)({_LANGUAGES})(?![\w+#.-])")
"""Of 100 descriptions that match, it is the language that GitHub names for 93, if it names one."""


class Text(NamedTuple):
    """One line of the texts."""

    name: str
    subject: str
    description: str
    language: str = ""


def read_texts() -> list[Text]:
    """Read all texts. Raises `ValueError` for a description of a wrong length."""
    texts = [Text(*line.split("\t")) for line in (FOLDER / "texts.tsv").read_text("utf-8").splitlines()]
    further = (line.split("\t") for line in (FOLDER / "further_notes.tsv").read_text("utf-8").splitlines())
    texts += (Text(name, "", description) for name, description in further)
    for text in texts:
        if len(text.description.split()) not in WORDS:
            raise ValueError(f"{text.name}: the description has {len(text.description.split())} words, not 8 to 18")
    return texts


def row(text: Text, facts: dict[str, Any]) -> dict[str, Any]:
    """Join a text with the facts of its repository; descriptions of other people stay out."""
    known = {name: facts[name] for name in FACTS if facts.get(name) is not None}
    stated = STATED_LANGUAGE.search(text.description)
    if language := text.language or facts.get("language_hint") or (stated and stated[1]):
        known.setdefault("language", language)
    as_of = {name: day for name, day in facts["as_of"].items() if name in known}
    subject = {"subject": text.subject} if text.subject else {}
    return {"full_name": facts["full_name"], **subject, "description": text.description, **known, "as_of": as_of}


def add_facts(facts: dict[str, Any], former: dict[str, Any]) -> None:
    """Add to the facts of a repository what is newer under a former name."""
    as_of = facts["as_of"]
    newer = {name: day for name, day in former["as_of"].items() if day > as_of.get(name, "")}
    facts |= {name: former[name] for name in newer if former.get(name) is not None}
    as_of |= newer


def main(facts_file: Path) -> int:
    """Write the sample, sorted by name, and return the exit code."""
    texts = read_texts()
    names = {text.name.lower() for text in texts}
    with gzip.open(facts_file) if facts_file.suffix == ".gz" else facts_file.open("rb") as lines:
        facts = {name: record for record in map(json.loads, lines) if (name := record["full_name"].lower()) in names}
    missing = [text.name for text in texts if text.name.lower() not in facts]
    if missing:
        sys.stderr.write(f"{facts_file} does not have: {' '.join(missing)}\n")
        return 1
    present = present_names()
    for former, name in present.items():
        add_facts(facts[name], facts[former])
    kept = [text for text in texts if text.name.lower() not in present]
    rows = sorted((row(text, facts[text.name.lower()]) for text in kept), key=lambda each: each["full_name"].lower())
    written = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in rows]
    SAMPLE.write_text("\n".join(written) + "\n", "utf-8")
    subjects = {text.subject for text in texts}
    sys.stdout.write(f"{SAMPLE.name}: {len(rows)} repositories of {len(subjects)} subjects\n")
    return write_catalogue()


def write_catalogue() -> int:
    """Make the notes, sorted by name, and the catalogue of the sample, with vectors, and return the exit code."""
    lines = sorted(f"{text.name.lower()}\t{text.description}\n" for text in read_texts())
    NOTES.write_text("".join(lines), "utf-8")
    sys.stdout.write(f"{NOTES.name}: {len(lines)} notes\n")
    count = build_catalogue(records_from_lines(SAMPLE), CATALOGUE, TITLE, shipped_table())
    sys.stdout.write(f"{CATALOGUE.name}: {count} repositories\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) if len(sys.argv) > 1 else write_catalogue())
