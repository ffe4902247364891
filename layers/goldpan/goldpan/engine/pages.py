"""Pages: an answer is made with all its results, and returned with those of the page that a request asks for."""

from collections.abc import Mapping

from goldpan.contracts import Link, SearchRequest, Section
from goldpan.counts import counted
from goldpan.engine.stage_values import KindResult
from goldpan.kinds.answer import Answer
from goldpan.kinds.registry import get_kind


def page_of(answer: Answer, request: SearchRequest) -> Answer:
    """Return the page that a request asks for, with the links of its results; a comparison has no pages."""
    if request.compare:
        return answer
    sections = {name: section.page(request.offset, request.max_results) for name, section in answer.sections.items()}
    warnings = list(answer.warnings)
    for name, section in sections.items():
        if section.offset and section.offset >= section.total:
            warnings.append(f"Of {counted(section.total, name)} none is left after the first {section.offset}.")
    links = tuple(link for link in answer.links if _is_on(link, sections))
    return answer.model_copy(update={"sections": sections, "links": links, "warnings": tuple(warnings)})


def page_of_kind(result: KindResult, request: SearchRequest) -> KindResult:
    """Return what one kind contributes to the page that a request asks for."""
    if result.section is None or request.compare:
        return result
    shown = slice(request.offset, request.offset + request.max_results)
    section = result.section.page(request.offset, request.max_results)
    return result.model_copy(update={"section": section, "named": result.named[shown]})


def _is_on(link: Link, sections: Mapping[str, Section]) -> bool:
    kinds = [(get_kind(name), section) for name, section in sections.items()]
    return any(
        kind.present().identity.read(result) == getattr(link, kind.link_field)
        for kind, section in kinds
        if kind.link_field
        for result in section.results
    )
