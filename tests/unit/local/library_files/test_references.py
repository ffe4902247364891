"""What reference managers write is read, and what goldpan exports is read again unchanged."""

import json
from pathlib import Path
from typing import Any

import bibtexparser
import pytest
import rispy
from goldpan.kinds.papers.models import ID_SYSTEMS, PUBLICATION
from goldpan.kinds.papers.present import PRESENTATION
from goldpan.kinds.papers.results import RankedPaper

from tests.support.fixed_papers import FULL, LEAST, paper_answer
from tests.unit.local.library_files.conftest import read

RIS = """TY  - JOUR
AU  - Garc\u00eda M\u00e1rquez, Gabriel
AU  - World Health Organization
ED  - van Dyke, Ann
TI  - On Cats
of
 Solitude
T2  - Nature
PY  - 2020/05/01/
VL - 7
IS  - 2
SP  - 12
EP  - 34
SN  - 1234-5678
PB  - Springer
LA  - en
DO  - 10.1000/cats
KW  - cats
KW  - solitude
N1  - Retraction: 10.1000/gone
N1  - arXiv:2103.03404
N1  - References: Doe, J., Cats (1999);
Smith, J., Correction of cats in solitude: a study (2001)
ID  - 574
ER  -
TY  - JOUR
TI  - No end
"""
NBIB = """PMID- 123
TI  - On Cats
      of Solitude
FAU - Garc\u00eda M\u00e1rquez, Gabriel
AU  - Garcia Marquez G
CN  - World Health Organization
FED - van Dyke, Ann
JT  - Nature
DP  - 2020 May
VI  - 7
IP  - 2
PG  - 12-34
IS  - 1234-5678 (Print)
PB  - Springer
LA  - en
LID - S12 [pii]
LID - 10.1000/cats [doi]
OT  - cats
OT  - solitude
PT  - Journal Article
RIN - 10.1000/gone
PMC - PMC7
"""
ENDNOTE = """<?xml version="1.0" encoding="UTF-8"?><xml><records><record><ref-type name="Journal Article">17</ref-type>
<foreign-keys><key app="EN">574</key></foreign-keys>
<contributors><authors><author><style face="normal">Garc\u00eda M\u00e1rquez, Gabriel</style></author>
<author>World Health Organization</author></authors><secondary-authors><author>van Dyke, Ann</author>
</secondary-authors></contributors><titles><title><style>On Cats</style><style> of Solitude</style></title>
<secondary-title>Nature</secondary-title></titles><pages>12-34</pages><volume>7</volume><number>2</number>
<keywords><keyword>cats</keyword><keyword>solitude</keyword></keywords><dates><year>2020</year>
<pub-dates><date>Jan</date></pub-dates></dates>
<publisher>Springer</publisher><isbn>1234-5678</isbn><electronic-resource-num>DOI 10.1000/cats</electronic-resource-num>
<notes>Retraction: 10.1000/gone</notes><language>en</language></record></records></xml>"""
CSV = """"Key","Item Type","Publication Year","Author","Editor","Title","Publication Title","ISSN","DOI","Date",\
"Pages","Issue","Volume","Publisher","Language","Extra","Manual Tags","Automatic Tags","Open Access"
"ABC","journalArticle","2020","Garc\u00eda M\u00e1rquez, Gabriel; World Health Organization","van Dyke, Ann",\
"On <i>Cats</i> of Solitude","Nature","1234-5678","10.1000/cats","2020-05-01","12-34","2","7","Springer","en",\
"PMID: 123\nRetraction: 10.1000/gone","cats","solitude","All Open Access; Gold"
""".replace("\\\n", "")
BIBTEX = """@string{who = "Garc{\\'\\i}a M{\\'a}rquez, " # {Gabriel}}
@string(nature = "Nature")
@article{k, key = {cats}, author = who # " and {World Health Organization}", editor = "van Dyke, Ann",
  title = {On Cats } # "of Solitude", journal = nature, year = 2020, month = may,
  volume = 7, number = 2,
  pages = "12--34", issn = {1234-5678},
  publisher = {Springer}, language = "en", doi = {10.1000/cats}, keywords = {cats, solitude},
  note = {See C# and F#; Retraction: 10.1000/gone}}
"""
NAMES = [{"family": "Garc\u00eda M\u00e1rquez", "given": "Gabriel"}, {"literal": "World Health Organization"}]
CSL = {
    "id": "k", "type": "article-journal", "title": "On Cats of Solitude", "author": NAMES, "container-title": "Nature",
    "editor": [{"family": "Dyke", "given": "Ann", "non-dropping-particle": "van"}], "volume": 7, "issue": "2",
    "issued": {"date-parts": [[2020, 5]]}, "page": "12\u201334", "ISSN": "1234-5678", "DOI": "10.1000/cats",
    "publisher": "Springer", "language": "en", "keyword": "cats, solitude", "note": "Retraction: 10.1000/gone",
}  # fmt: skip
ZOTERO = {
    "itemType": "journalArticle", "citationKey": "k", "title": "On Cats of Solitude", "publicationTitle": "Nature",
    "creators": [
        {"firstName": "Gabriel", "lastName": "Garc\u00eda M\u00e1rquez", "creatorType": "author"},
        {"name": "World Health Organization", "creatorType": "author"},
        {"firstName": "Ann", "lastName": "van Dyke", "creatorType": "editor"},
    ],
    "date": "2020-05-01", "volume": "7", "issue": "2", "pages": "12-34", "ISSN": "1234-5678", "DOI": "10.1000/cats",
    "publisher": "Springer", "language": "en", "tags": [{"tag": "cats"}, {"tag": "solitude"}],
    "extra": "PMID: 123\nRetraction: 10.1000/gone", "notes": [{"note": "<p>Read.</p>"}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.ris", RIS), ("a.ris", RIS.replace("\n", "\r\n")), ("a.nbib", NBIB), ("a.xml", ENDNOTE), ("a.csv", CSV),
        ("a.xml", ENDNOTE.replace("UTF-8", "UTF-16").encode("utf-16")),
        ("a.csv", CSV.replace('s"\n', 's",Notes\n').replace('Gold"', f'Gold",a\u2028{"b" * 200_000}')),
        ("a.bib", BIBTEX), ("a.json", json.dumps([CSL])), ("a.json", json.dumps({"items": [ZOTERO]})),
    ],
)  # fmt: skip
def test_a_reference_is_the_same_in_every_format(name: str, content: str | bytes, tmp_path: Path) -> None:
    """Names with their parts, all facts of the publication, tags, the notice of a retraction."""
    [paper], reading = read(tmp_path / name, content)
    assert paper.model_dump(include={"title", "authors", "year", "venue", "type", "tags", *PUBLICATION}) == {
        "title": "On Cats of Solitude", "authors": ("Garc\u00eda M\u00e1rquez, Gabriel", "World Health Organization"),
        "year": 2020, "venue": "Nature", "type": "article", "tags": ("cats", "solitude"), "volume": "7", "issue": "2",
        "pages": "12-34", "publisher": "Springer", "editors": ("Ann van Dyke",), "isbn": None, "issn": "1234-5678",
        "organisations": (), "language": "en", "license": None, "notices": ("Retraction: 10.1000/gone",),
    }  # fmt: skip
    assert paper.ids.doi == "10.1000/cats"
    assert paper.id in {"k", "ABC", "doi:10.1000/cats"}, "a number of a record is that of one file alone"
    assert any(True for _ in reading.notes()) == name.endswith(".ris"), "its last reference has no end"


def test_what_is_no_reference_is_left_out(tmp_path: Path) -> None:
    """Files and notes of Zotero; names are those that there are; an answer of goldpan is a list of papers too."""
    papers, reading = read(tmp_path / "a.json", json.dumps([ZOTERO, {"itemType": "attachment", "title": "a.pdf"}]))
    assert ([paper.summary for paper in papers], reading.skipped) == (["Read."], 1)
    [draft], _ = read(tmp_path / "a.json", json.dumps([{**CSL, "type": "article", "number": "arXiv:2103.03404"}]))
    assert (draft.type, draft.ids.arxiv, draft.issue) == ("preprint", "2103.03404", "2")
    [paper], _ = read(tmp_path / "a.nbib", NBIB.replace("FAU", "FIR").replace("TI", "cut\nTI"))
    assert paper.authors == ("Garcia Marquez, G", "World Health Organization")
    thesis = (
        RIS.replace("JOUR", "THES").replace("T2  - Nature", "SN  - 978-3-16-148410-0").replace("SN  - 1234-5678\n", "")
    )
    [paper], _ = read(tmp_path / "a.ris", thesis.replace("IS  - 2", "IS  - doi:10.1/x"))
    assert (paper.type, paper.venue, paper.publisher, paper.issue) == ("thesis", "Springer", None, None)
    assert (paper.isbn, paper.issn) == ("978-3-16-148410-0", None)
    linked = RIS.replace("DO  - 10", "UR  - www.e.org\nUR  - https://e.org/2\nM3  - Review\nDO  - 10")
    [paper], _ = read(tmp_path / "a.ris", linked)
    assert (paper.url, paper.type, paper.summary[:15]) == ("https://e.org/2", "review", "References: Doe")
    opened = CSV.replace("5678", "567x").replace("All Open Access; Gold", "yes").replace('"cats","solitude"', '"",""')
    [paper], _ = read(tmp_path / "a.csv", opened)
    assert (paper.open_access, paper.tags, paper.issn) == (True, (), "1234-567X")
    papers, reading = read(tmp_path / "a.ris", "TY  - JOUR\nTI  - No end\nTY  - JOUR\nTI  - Cats\nUS - born\nER -\n")
    assert ([paper.title for paper in papers], reading.skipped) == (["Cats US - born"], 1)
    [paper], _ = read(tmp_path / "a.csv", "Title;Year;Authors\nOn cats, and dogs;2020;Smith J., Doe A.B.\n")
    assert (paper.title, paper.year, paper.authors) == ("On cats, and dogs", 2020, ("J. Smith", "A.B. Doe"))
    [paper], _ = read(tmp_path / "a.json", paper_answer(FULL).model_dump_json())
    assert paper.model_dump(include={"title", "year"}) == {name: FULL[name] for name in ("title", "year")}


def made(place: int, **facts: Any) -> dict[str, Any]:
    """Return a paper with a different part of the facts that there are, in hostile spellings."""
    texts = ["A & B_{2} 50% #1 \u201cq\u201d -- ``q'' ?`", 'the "quoted" $x^2$ of C#']
    texts += ["Gr\u00f6\u00dfe {in} ~a \\ b; c", "\u738b\u5c0f\u660e"]
    names = ["Garc\u00eda M\u00e1rquez, Gabriel", "Ludwig van Beethoven", "Martin Luther King Jr.", "bell hooks"]
    names += ["School, Anna", "United Nations", "et al."]
    known = {
        "title": texts[place % 4] + f" {place}", "authors": names[: 1 + place % 7], "year": 1990 + place % 30,
        "venue": texts[(place + 1) % 4], "abstract": texts[(place + 2) % 4], "url": f"https://example.org/{place}?a=b_c#d",
        "type": ["article", "review", "preprint", "conference", "chapter", "dataset", "other", "book"][place % 8],
        "volume": "12", "issue": "3-4", "pages": ["12-34", "e1004"][place % 2], "publisher": texts[place % 4],
        "editors": names[place % 6 : 6], "isbn": "9783658176716", "issn": "1234-567X", "language": "en",
        "license": "https://creativecommons.org/licenses/by/4.0/#x", "notices": ("Correction: 10.1000/x_1",),
        "ids": {"doi": f"10.1000/a_{place}", "pmid": str(place + 1), "pmcid": f"PMC{place + 1}", "arxiv": "2103.03404"},
    }  # fmt: skip
    dropped = {*PUBLICATION, "abstract", "url"}
    kept = (name for at, name in enumerate(known) if name not in dropped or (at + place) % 3)
    chosen: dict[str, Any] = {name: known[name] for name in kept}
    named = [*chosen["authors"], *chosen.get("editors", ())]
    return chosen | {"organisations": names[5:6] if names[5] in named else ()} | facts


@pytest.mark.parametrize("name", ["bibtex", "ris", "csl-json"])
def test_an_export_is_imported_again_unchanged(name: str, tmp_path: Path) -> None:
    """In every format, all that it holds; and a parser that knows nothing of goldpan accepts it."""
    [form] = [each for each in PRESENTATION.formats if each.name == name]
    rest = {name: LEAST[name] for name in ("relevance", "reasoning", "basis", "found_by")}
    records = ({"id": f"title:{place}", **made(place), **rest} for place in range(300))
    papers = [RankedPaper.model_validate(each) for each in records]
    text = form.render(papers)
    again, reading = read(tmp_path / f"a{form.suffix}", text)
    assert [*reading.notes()] == []
    fields = {"title", "authors", "year", "venue", "type", "abstract", "url", "summary", *PUBLICATION}
    systems = set(ID_SYSTEMS) & {"doi", "arxiv", "pmid", "pmcid"}
    for before, after in zip(papers, again, strict=True):
        expected = before.model_dump(include=fields) | {"abstract": before.abstract or "", "summary": ""}
        assert after.model_dump(include=fields) == expected
        assert after.ids.model_dump(include=systems) == before.ids.model_dump(include=systems)
    if name == "bibtex":
        assert not bibtexparser.parse_string(text).failed_blocks
    if name == "ris":
        assert [each for each in rispy.loads(text) if "unknown_tag" in each] == []
