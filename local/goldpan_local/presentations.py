"""Presentations by the names of their kinds, and what they add to the formats of an answer."""

from collections.abc import Iterator
from itertools import groupby

from goldpan.contracts import Section
from goldpan.counts import counted
from goldpan.engine.presentation import AnyPresentation, ExportFormat, RankedResult
from goldpan.escaping import web_address
from goldpan.kinds.answer import Answer
from goldpan.kinds.registry import get_kind, kind_names

NOTHING_FITS = "Nothing fits well; the nearest:"
Group = tuple[str, tuple[RankedResult, ...]]
"""Results, and the line above them, which is "" above those that fit."""


def presentation(kind: str) -> AnyPresentation:
    """Return the presentation of a kind."""
    return get_kind(kind).present()


def result_address(shown: AnyPresentation, result: object) -> str | None:
    """Return the web address of a result; None if it has none, or none that a browser may open."""
    address = shown.address.read(result)
    return web_address(address) if isinstance(address, str) else None


def groups(section: Section, *, weaker: bool) -> Iterator[Group]:
    """Yield what is shown of a section, in the order of its numbers; weaker ones only if asked for, or if alone."""
    results = section.results or (section.weaker if section.total_weaker == section.total else ())
    for place, (heading, group) in enumerate(groupby(results, lambda one: getattr(one, "group", None))):
        first = NOTHING_FITS if section.nothing_fits and not place else ""
        yield " ".join(filter(None, (first, f"{heading}:" if heading else ""))), tuple(group)
    if section.weaker and section.total_weaker < section.total:
        count = counted(len(section.weaker), "weaker matches")
        shown = weaker or not section.results  # on a page after the last of the results
        yield (f"{count}:", section.weaker) if shown else (f"{count} (--weaker shows them)", ())


def first_number(answer: Answer) -> int:
    """Return the number of the first result of a page; that of the first page is 1."""
    return 1 + next((section.offset for section in answer.sections.values()), 0)


def shown_results(section: Section, *, weaker: bool = False) -> tuple[RankedResult, ...]:
    """Return the results of a section that are shown, as `groups` yields them."""
    return sum((results for _, results in groups(section, weaker=weaker)), ())


def results_of(answer: Answer, *, weaker: bool) -> Iterator[tuple[AnyPresentation, RankedResult]]:
    """Yield the results of an answer in the order in which they are numbered, each with its presentation."""
    for kind, section in answer.sections.items():
        shown = presentation(kind)
        yield from ((shown, result) for result in shown_results(section, weaker=weaker))


def export_formats() -> dict[str, tuple[str, ExportFormat[object]]]:
    """Return the formats that hold the results of one kind alone, by their names, each with the name of its kind."""
    return {each.name: (kind, each) for kind in kind_names() for each in presentation(kind).formats}
