"""How toys are shown, with a format of their own."""

from __future__ import annotations

from collections.abc import Sequence

from goldpan.engine.presentation import REASONING, RELEVANCE, Attribute, Column, ExportFormat, Facet, Line, Presentation

from tests.support.toy_kind import RankedToy, ToySection


def _list_toys(toys: Sequence[RankedToy]) -> str:
    return "".join(f"{toy.name}!\n" for toy in toys)


NAME: Attribute[RankedToy] = Attribute("name", "toy")
ADDRESS: Attribute[RankedToy] = Attribute("url", format="address", value=lambda toy: f"https://toys.example/{toy.name}")
LETTERS: Column[RankedToy] = Column("letters", "letters", "count", value=lambda toy: len(toy.name))
PRESENTATION: Presentation[RankedToy, ToySection] = Presentation(
    singular="toy",
    plural="toys",
    title=NAME,
    identity=NAME,
    address=ADDRESS,
    columns=(LETTERS, RELEVANCE),
    facts=(Attribute("basis", "judged by"),),
    section_lines=lambda section: (Line("sold", f"{len(section.results)} together"),),
    facets=(Facet("Name", "name"),),
    export=(NAME, ADDRESS, LETTERS, RELEVANCE, REASONING),
    formats=(ExportFormat("shout", "text/plain", ".txt", _list_toys),),
)
