"""What a clause only prefers or accepts: "ideally in Rust", "MIT if possible", "GPL is fine". It limits nothing."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from goldpan.question.grammar import cues, pattern
from goldpan.question.question_text import Span

NOT_REQUIRED = "“{}” limits nothing: it is {}, not required."


def is_accepted(text: str, end: int) -> bool:
    """Report whether what ends at a place is accepted by the words after it: "MIT is fine"."""
    return text[end : end + 1] == " " and cues("accepts_previous").match(text, end + 1) is not None


class Preference(NamedTuple):
    """A cue that softens what follows it, or what stands before it, as preferred or accepted."""

    start: int
    end: int
    follows: bool
    accepts: bool

    def holds(self, mark: re.Match[str]) -> bool:
        """Report whether a mark stands in it, or between it and what it softens: "in Rust, if possible"."""
        return self.start < mark.end() + self.follows and mark.start() < self.end

    def soften(self, spans: Sequence[Span[Any]], text: str, *, is_further: bool) -> list[Span[Any]]:
        """Turn the limits of a clause that it reaches into parts that limit nothing; its words are no terms.

        `is_further` tells that another clause states the subject; then what is accepted is not searched for either.
        """
        said = [one for one in spans if one.kind != "term" or one.start < self.start or self.end < one.end]
        return [self._softened(one, is_further=is_further) if self._reaches(one, said, text) else one for one in said]

    def _reaches(self, one: Span[Any], spans: Sequence[Span[Any]], text: str) -> bool:
        """Report whether it reaches a span: all that follow, or the limits before it up to a term."""
        if not self.follows:
            taken_back = pattern("reach", "taken_back").search(text, self.end, one.start)  # "prefer Rust over Go"
            return self.start < one.start and self.end < one.end and not taken_back
        between = (other for other in spans if other.kind == "term" and one.end <= other.start < self.start)
        return one.end <= self.start and (one.kind == "term" or not any(between))

    def _softened(self, one: Span[Any], *, is_further: bool) -> Span[Any]:
        """Keep a preferred limit that has a term as that term, which the kind lets change the order alone."""
        note = NOT_REQUIRED.format(one.value, "accepted" if self.accepts else "preferred")
        is_limit = one.kind == "constraint" and one.fields
        if is_limit and one.term is not None and not self.accepts:
            return replace(one, kind="term", value=f"preferably {one.value}", fields={}, note=note)
        return one.unread(note) if is_limit or (one.kind == "term" and is_further and self.accepts) else one


def find_preferences(text: str) -> list[Preference]:
    """Find the cues that soften limits."""
    found = list[Preference]()
    for name in ("prefers_next", "prefers_previous", "accepts_next", "accepts_previous"):
        for match in cues(name).finditer(text):
            end = match.start() + len(match[0].rstrip(": "))
            found.append(Preference(match.start(), end, "previous" in name, "accepts" in name))
    return found
