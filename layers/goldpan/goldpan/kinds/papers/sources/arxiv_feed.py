"""Reads arXiv's answers, which are feeds in Atom: https://info.arxiv.org/help/api/user-manual.html, section 3.3.

The feed is parsed with defusedxml, which refuses the declarations that entities are made of, and into no more elements
and levels than a page of results can have.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError, TreeBuilder  # the tree alone: defusedxml parses

from goldpan.errors import Refused, Unavailable
from goldpan.infra.redaction import one_line
from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.identifiers import arxiv_of_doi, normalise_arxiv, normalise_doi
from goldpan.kinds.papers.models import Paper, PaperIds

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME = "arxiv"
_ATOM, _ARXIV = "{http://www.w3.org/2005/Atom}", "{http://arxiv.org/schemas/atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
MAX_LEVELS, MAX_ELEMENTS = 20, 200_000
"""A feed has four levels, and 100 papers of 1,000 authors have 200,000 elements."""
