"""The description of a kind that a page or another program reads."""

from dataclasses import asdict

from goldpan.engine.filter_options import filter_options
from goldpan.engine.kind import AnyKind
from goldpan.engine.presentation import AnyAttribute, Column

SINGLE = ("title", "identity", "address", "description", "text")
"""The attributes of a presentation that are one each; null in the description if a kind has none."""


def describe_kind(kind: AnyKind) -> dict[str, object]:
    """Describe a kind as JSON values: what it is called, its attributes by their paths, its filters and formats."""
    shown = kind.present()
    single = {name: getattr(shown, name) for name in SINGLE}
    formats = [{"name": each.name, "media_type": each.media_type, "suffix": each.suffix} for each in shown.formats]
    return {
        "name": kind.name,
        "singular": shown.singular,
        "plural": shown.plural,
        **{name: attribute and _describe(attribute) for name, attribute in single.items()},
        **{name: list(map(_describe, getattr(shown, name))) for name in ("columns", "facts", "details", "export")},
        "dropped": dict(shown.dropped),
        "facets": [asdict(facet) for facet in shown.facets],
        "filters": [asdict(option) for option in filter_options(kind.filters)],
        **{name: list(getattr(kind, name)) for name in ("sorts", "preferences", "sources")},
        "formats": formats,
        "link_field": kind.link_field,
        "library_source": kind.library_source,
        "is_liked_by_title": shown.is_liked_by_title,
        "is_comparable": kind.require_comparable is not None,
        "is_analyzable": kind.analyzer is not None,
    }


def _describe(attribute: AnyAttribute) -> dict[str, object]:
    described = {name: getattr(attribute, name) for name in ("name", "label", "format", "path", "help", "link")}
    described["path"] = attribute.path or attribute.name
    if isinstance(attribute, Column):
        described |= {"heading": attribute.title, "priority": attribute.priority}
    return described
