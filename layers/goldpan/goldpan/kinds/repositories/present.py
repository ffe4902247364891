"""How repositories are shown."""

from collections.abc import Iterator

from goldpan.engine.presentation import CAVEATS, REASONING, RELEVANCE, Attribute, Column, Facet, Line, Presentation
from goldpan.kinds.repositories.repository_text import labelled
from goldpan.kinds.repositories.results import RankedRepository, RepositorySection

HEADINGS = {"documentation": "Docs", "ease_of_use": "Ease"}
STARS: Column[RankedRepository] = Column("stars", "stars", "count")
LANGUAGE: Column[RankedRepository] = Column("language", "language", priority=1)
OVERALL: Column[RankedRepository] = Column("overall", "overall", "score", path="scores.overall", priority=1)
LICENSE: Attribute[RankedRepository] = Attribute("license", "licence")
PUSHED: Attribute[RankedRepository] = Attribute("pushed_at", "pushed", "date")
HELP = {
    "maturity": "Age, stars and releases.",
    "activity": "The last push, the commits of 90 days, and what is closed and merged a month.",
    "documentation": "The structure of the README: length, headings, links, examples, an API section.",
    "community": "Contributors, watchers, and forks for the stars it has.",
    "ease_of_use": "What the README gives to begin with: installation, usage, examples, pictures.",
    "maintenance": "The latest release, and the share of issues that are closed.",
}
DIMENSIONS = tuple(
    Column[RankedRepository](
        name, name.replace("_", " "), "score", f"scores.{name}", help=said, priority=2, heading=HEADINGS.get(name, "")
    )
    for name, said in HELP.items()
)
DROPPED = {
    "stars": "by their number of stars",
    "pushed": "not pushed in the time allowed",
    "created": "created at another time",
    "age": "too old",
    "archived": "by whether they are archived",
    "readme": "without a README",
    "trivial fork": "forks with little of their own",
    "license": "under another licence",
    "excluded license": "under an excluded licence",
    "language": "in another language",
    "excluded language": "in an excluded language",
    "platform": "for another platform",
    "copy": "copied from another result",
    "vanished": "no longer there",
    "unconfirmed": "known to the catalogue alone, and not looked up",
}
"""What was dropped, by the rule."""
STAR_STEPS = ((10_000, "10,000 and more"), (1_000, "1,000 to 10,000"), (100, "100 to 1,000"), (0, "under 100"))
PUSH_STEPS = ((31, "in the last month"), (183, "in half a year"), (365, "in a year"), (None, "longer ago"))


def _release(item: RankedRepository) -> str | None:
    release = item.latest_release
    if release is None:
        return None
    day = f"on {release.at:%Y-%m-%d}" if release.at else ""
    return " ".join(filter(None, (release.name, day))) or None


def _lines(item: RankedRepository) -> Iterator[Line]:
    if item.note and item.description:
        yield Line("note", item.note)
    if item.missing:
        yield Line("not found", ", ".join(item.missing))


NAME: Attribute[RankedRepository] = Attribute("repo", "repository")
ADDRESS: Attribute[RankedRepository] = Attribute("url", format="address")
NOTE: Attribute[RankedRepository] = Attribute("note", "note")
PRESENTATION: Presentation[RankedRepository, RepositorySection] = Presentation(
    singular="repository",
    plural="repositories",
    title=NAME,
    identity=NAME,
    address=ADDRESS,
    columns=(STARS, LANGUAGE, RELEVANCE, OVERALL, *DIMENSIONS),
    facts=(
        LICENSE,
        PUSHED,
        Attribute("latest_release", "release", value=_release, free_text=True),
        Attribute("forks", "forks", "count"),
        Attribute("archived", "archived", "flag", value=lambda item: item.archived or None),
        Attribute("topics", "topics", "list"),
        Attribute("homepage", format="address"),
    ),
    details=(NOTE, Attribute("missing", "not found", "list"), Attribute("created_at", "created", "date")),
    description=Attribute("description", value=lambda item: labelled(item.description, item.note)),
    lines=_lines,
    dropped=DROPPED,
    facets=(
        Facet("Language", "language"),
        Facet("License", "license"),
        Facet("Stars", "stars", "count", STAR_STEPS),
        Facet("Last push", "pushed_at", "date", PUSH_STEPS),
    ),
    export=(
        NAME,
        ADDRESS,
        STARS,
        LANGUAGE,
        LICENSE,
        PUSHED,
        RELEVANCE,
        OVERALL,
        *DIMENSIONS,
        Attribute("description"),
        NOTE,
        REASONING,
        CAVEATS,
        Attribute("beyond_range"),
    ),
)
