"""A saved search as an Atom feed (RFC 4287): what was new in each of its runs, newest first."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from goldpan.escaping import plain

from goldpan_local.saved.log import Ranked, Run, changes_of

ATOM, MAX_ENTRIES = "http://www.w3.org/2005/Atom", 100
NOT_IN_XML = dict.fromkeys((0xFFFE, 0xFFFF))


def render_feed(name: str, question: str, runs: Sequence[Run]) -> str:
    """Render the feed from the log, which has the last run at its end; an id never changes from run to run."""
    feed = Element("feed", xmlns=ATOM)
    _add(feed, name, f"goldpan: {name}", runs[-1].at)
    _text(SubElement(feed, "author"), "name", "goldpan")
    _text(feed, "subtitle", question)
    for at, each in _new(name, runs):
        entry = SubElement(feed, "entry")
        _add(entry, f"{name}/{each.kind}/{each.result.id}", each.result.title or each.result.id, at)
        if each.result.url:
            SubElement(entry, "link", href=each.result.url)
        _text(entry, "content", f"Relevance {each.result.relevance:.2f}. {each.result.reasoning}")
    indent(feed)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(feed, encoding="unicode")}\n'


def _new(name: str, runs: Sequence[Run]) -> Iterator[tuple[datetime, Ranked]]:
    """Yield when each result was new, the last time that it was."""
    changes = [changes_of(name, run, runs[:place]) for place, run in enumerate(runs) if run.error is None]
    last = {(new.kind, new.result.id): (each.at, new) for each in changes for new in each.new}
    yield from sorted(last.values(), key=lambda row: (row[0], -row[1].rank), reverse=True)[:MAX_ENTRIES]


def _add(element: Element, identity: str, title: str, at: datetime) -> None:
    _text(element, "id", f"urn:uuid:{uuid5(NAMESPACE_URL, f'goldpan/saved/{identity}')}")
    _text(element, "title", title)
    _text(element, "updated", at.isoformat(timespec="seconds"))


def _text(element: Element, name: str, text: str) -> None:
    SubElement(element, name).text = plain(text).translate(NOT_IN_XML)
