"""`goldpan dedupe`: writes the groups, or the merged records, to stdout or as a whole into a file."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from bibtexparser import Library
from goldpan.counts import counted
from goldpan.errors import InvalidRequest
from goldpan.escaping import escape_json, plain
from goldpan.kinds.papers.deduplication.grouping import Group, Key, Record, deduplicate
from goldpan.kinds.papers.deduplication.preprints import is_preprint
from goldpan.kinds.papers.exports import OwnPaper, escape_latex, verbatim
from goldpan.kinds.papers.input_files.groups import ParsedRecord
from goldpan.kinds.papers.input_files.input_record import SOURCE
from goldpan.kinds.papers.models import ID_SYSTEMS, KIND, PUBLICATION, PaperIds
from goldpan.kinds.papers.present import PRESENTATION

from goldpan_local.dedupe.input_file import ParsedFile, read_input, write_kept
from goldpan_local.exit_codes import write_notes, write_stdout
from goldpan_local.files import BIBTEX_SUFFIXES, require_other_file, write_whole
from goldpan_local.lazy_group import command
from goldpan_local.option_values import format_option, one_of, option
from goldpan_local.progress import show_activity, show_count

FORMATS = ("report", "json", "jsonl", "bibtex", "ris", "csl-json")
FIELDS = ("title", "authors", "year", "venue", "type", "abstract", "url", "pdf_url", *PUBLICATION)
OF_SUFFIX = {".jsonl": "jsonl", ".ndjson": "jsonl", ".ris": "ris", ".txt": "report"}
OF_SUFFIX |= dict.fromkeys(BIBTEX_SUFFIXES, "bibtex")


@command("dedupe", epilog="Example: goldpan dedupe library.bib --format bibtex --output clean.bib")
def dedupe(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="JSON, BibTeX, RIS, nbib, EndNote XML or CSV; may be .gz. - is stdin, with JSON Lines or BibTeX.",
        ),
    ],
    output_format: Annotated[
        str | None,
        format_option(
            FORMATS,
            "report (for people; the default on a terminal), json (the groups), jsonl (one merged record per line), "
            "bibtex (the cleaned bibliography), ris or csl-json.",
        ),
    ] = None,
    output: Annotated[Path | None, option("FILE", "Write here instead of to stdout.", "--output", "-o")] = None,
    *,
    strict: Annotated[
        bool, option(None, "Refuse a field with an invalid value, and an id that two records have.", "--strict")
    ] = False,
) -> None:
    """Find the records of FILE that are the same paper, and merge them.

    Fields of a record: id, title, authors (a list, or a text), year, venue, doi, arxiv, pmid, pmcid, openalex,
    semantic_scholar, corpus, google_scholar, url, pdf_url, abstract, type, citations, open_access, source, tags,
    summary. A record without an id is named by its line.
    """
    chosen = _format(output_format, output)
    if output is not None:
        require_other_file(file, output)
    with show_count("Reading") as report:
        parsed = read_input(file, report, strict=strict)
    with show_activity("Comparing"):
        groups = deduplicate(parsed.records).groups
    notes = [
        *parsed.notes(),
        f"{parsed.name}: {counted(len(parsed.records), 'records')} of {counted(len(groups), KIND)}",
    ]
    text = render(groups, parsed, chosen)
    write_stdout(text) if output is None else write_whole(text, output)
    write_notes(notes)


def _format(given: str | None, target: Path | None) -> str:
    """Return the given format, else that of the output's name or the terminal, else JSON. Raises `InvalidRequest`."""
    if target is not None and target.suffix.lower() == ".gz":
        raise InvalidRequest(f"{target}: an output is not compressed; leave out .gz")
    if given is not None:
        return one_of("--format", given, FORMATS)
    if target is None:
        return "report" if sys.stdout.isatty() else "json"
    return OF_SUFFIX.get(target.suffix.lower(), "json")


def render(groups: Sequence[Group], parsed: ParsedFile, output_format: str) -> str:
    """Render the groups; the cleaned bibliography keeps the entries of the input, if that is one."""
    records = {record.key: record for record in parsed.records}
    if output_format == "bibtex" and parsed.library:
        return _own_bibtex(groups, parsed.library, records)
    if output_format == "report":
        return "".join(f"{line}\n" for line in _report(groups))
    merged = (_record(group, records) for group in groups)
    for made in PRESENTATION.formats:
        if made.name == output_format:
            ids = (group.merged.paper.ids for group in groups)
            return str(made.render([_paper(*each) for each in zip(merged, ids, strict=True)]))
    if output_format == "jsonl":
        return "".join(f"{_json(record)}\n" for record in merged)
    lines = ",\n".join(_json(_group(*each)) for each in zip(groups, merged, strict=True))
    return f'{{"groups": [\n{lines}\n]}}\n'


def _paper(record: Mapping[str, object], ids: PaperIds) -> OwnPaper:
    """Return a merged record as the exports take it."""
    no_result = {"title": "", "relevance": 0, "reasoning": "", "basis": "rules", "found_by": ()}
    facts = {name: value for name, value in record.items() if name in OwnPaper.model_fields}
    return OwnPaper.model_validate({**no_result, **facts, "id": str(record["id"]), "ids": ids})


def _group(group: Group, record: Mapping[str, object]) -> dict[str, object]:
    """Return a group as plain values; `merged` has the fields of the input, and the source of each."""
    merged = group.merged
    made = {**record, "id": merged.id}  # in the place of the record's
    if len(merged.versions) > 1:
        made["versions"] = [each.model_dump(mode="json", exclude_none=True) for each in merged.versions]
    if merged.sources != (SOURCE,):
        made |= {"sources": list(merged.sources), "provenance": merged.provenance}
    return {"members": list(group.members), "merged": made, "reasons": list(group.reasons)}


def _record(group: Group, records: Mapping[Key, ParsedRecord]) -> dict[str, object]:
    """Return a merged paper with the fields of the input; its id is that of the first record, tags are those of all."""
    paper, members = group.merged.paper, [records[key] for key in group.members]
    own = {
        "tags": tuple(dict.fromkeys(tag for each in members for tag in each.tags if tag)),
        "summary": "\n\n".join(dict.fromkeys(each.summary for each in members if each.summary)),
    }
    facts = {name: getattr(paper, name) for name in (*FIELDS, "citations", "open_access")}
    ids = {name: getattr(paper.ids, name) for name in ID_SYSTEMS}
    known = {name: value for name, value in {**facts, **ids, **own}.items() if value not in (None, "", ())}
    return {"id": group.members[0], **known}


def _json(value: Mapping[str, object]) -> str:
    line = json.dumps(value, ensure_ascii=False)
    return line if line.isprintable() else escape_json(line)


def _own_bibtex(groups: Sequence[Group], library: Library, records: Mapping[Key, Record]) -> str:
    """Keep the best entry of each group, with all identifiers; `ids` lists the other keys, which biblatex finds."""
    kept = dict[str, tuple[list[str], dict[str, str]]]()
    for group in groups:
        best, *others = sorted((records[member] for member in group.members), key=_preference)
        named = ", ".join(str(member) for member in group.members if member != best.key)
        ids, url = group.merged.paper.ids, group.merged.paper.url
        arxiv = {"eprint": verbatim(ids.arxiv), "archivePrefix": "arXiv"} if ids.arxiv else {}
        missing = {"doi": verbatim(ids.doi), **arxiv, "pmid": escape_latex(ids.pmid), "url": verbatim(url)}
        kept[str(best.key)] = [str(each.key) for each in others], missing | {"ids": named} if others else {}
    return write_kept(library, kept)


def _preference(record: Record) -> tuple[bool, int]:
    """Prefer a publication to a preprint, then the entry that knows most; else the first."""
    facts = [value for name, value in record.paper if name != "ids"] + [value for _, value in record.paper.ids]
    return is_preprint(record.paper), -sum(value not in (None, "", ()) for value in facts)


def _report(groups: Sequence[Group]) -> Iterator[str]:
    """Describe each paper that several records are of, and why they are."""
    for group in (group for group in groups if len(group.members) > 1):
        paper = group.merged.paper
        yield plain(f"{paper.title or 'no title'} ({paper.year or 'no year'})")
        yield f"  records: {', '.join(plain(str(member)) for member in group.members)}"
        yield from (f"  because: {plain(reason)}" for reason in group.reasons)
        yield ""
    repeated = sum(len(group.members) - 1 for group in groups)
    yield f"{counted(len(groups), KIND)}, {counted(repeated, 'records')} more than that"
