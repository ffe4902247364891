"""What a question limits papers to: years, types, open access; and what changes the order."""

from datetime import date

from goldpan.engine.filter_options import MAX_VALUES
from goldpan.kinds.papers.question import PaperSpan, cue, cues, find_cues
from goldpan.question.dates import Period, find_dates, period_label
from goldpan.question.lexicon import Named
from goldpan.question.question_text import BREAK, apart

YEARS = ("year_from", "year_to")
NOT_EXCLUDED = "“{}” is not used: it leaves out too many years."


def type_at(text: str, start: int) -> Named | None:
    """Return the type of papers that is refused at a place."""
    for name, pattern in (*cues("types").items(), *cues("refused_types").items()):
        match = pattern.match(text, start)
        if match and not match.groupdict().get("not"):
            return Named(match.end(), name, {"excluded_types": (name,)})
    return None


def find_types(text: str) -> list[PaperSpan]:
    """Find the types of papers that are asked for."""
    found: list[PaperSpan] = []
    for name, match in find_cues("types", text):
        groups = match.groupdict()
        if not groups.get("not"):
            place = match.span("type" if "type" in groups else 0)
            found.append(PaperSpan(*place, "constraint", f"type {name}", {"types": (name,)}))
    return apart(found)


def find_access_and_order(text: str) -> list[PaperSpan]:
    """Find open access, the wish for influential or recent work, and what a question cannot set."""
    found = [PaperSpan(*one.span(), "unread", one[0].strip(), note=note) for note, one in find_cues("unread", text)]
    for _, match in find_cues("access", text):
        is_open = bool(match["denied"]) == bool(match["closed"])
        value = f"{'' if is_open else 'not '}open access"
        found.append(PaperSpan(*match.span(), "constraint", value, {"open_access": is_open}))
    for name, match in find_cues("preferences", text):
        found.append(PaperSpan(*match.span(), "constraint", f"{name} first", {"preferences": (name,)}))
    return apart(found)


def find_years(text: str, today: date) -> list[PaperSpan]:
    """Find the constraints on the year of publication; both ends are inclusive."""
    found = [span for one in find_dates(text, today) if (span := _of_period(one, text, today)) is not None]
    for match in cue("years", "short").finditer(text):
        year = 2000 + int(match["year"])
        found.append(_limit(match.end("space"), match.end(), year, year))
    return found


def _of_period(one: Period, text: str, today: date) -> PaperSpan | None:
    said = " ".join(text[one.start : one.end].split())
    since = one.how in ("since", "after") or one.fact
    is_of_event = not since and cue("years", "of_event").search(text[: one.start])  # unlike "the war since 2022"
    if is_of_event or cue("years", "before_event").match(text, one.end):  # "the 2008 financial crisis"
        return None
    if one.denied:
        years = tuple(range(one.first.year, one.last.year + 1)) if one.first and one.last else ()
        if not 0 < len(years) <= MAX_VALUES:
            return PaperSpan(one.start, one.end, "unread", said, note=NOT_EXCLUDED.format(said))
        label = f"not {period_label(years[0], years[-1])}"
        return PaperSpan(one.start, one.end, "exclusion", label, {"excluded_years": years})
    first = one.first.year if one.first else None
    last = one.last.year if one.last else None
    if one.how == "lone":
        before, after = text[: one.start], text[one.end :]
        is_the = before.lower().split()[-1:] == ["the"] and cue("years", "the_paper").match(after)
        stands_alone = before.rstrip().endswith(BREAK) or is_the or cue("years", "ends").match(after)
        if (first or 0) > today.year + 1 or (one.day.isdigit() and not stands_alone):
            return None
    return _limit(one.start, one.end, first, last)


def _limit(start: int, end: int, first: int | None, last: int | None) -> PaperSpan:
    fields = {name: year for name, year in zip(YEARS, (first, last), strict=True) if year is not None}
    return PaperSpan(start, end, "constraint", period_label(first, last), fields)
