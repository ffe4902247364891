"""arXiv's feeds: every kind of entry as a paper, and no feed that could hold the process."""

from xml.sax.saxutils import escape

import pytest
from goldpan.errors import Refused, Unavailable
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources.arxiv import read_entry, read_feed

SYMPOSIUM = "Proc. ACM SIGSOFT Symposium on Testing"


def entry(number: str = "2104.12255v2", title: str = "A title", further: str = "", **texts: str) -> str:
    """Write an entry."""
    fields = {"published": "2021-04-20T16:07:14Z", "summary": "What it is about.", **texts}
    named = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in fields.items())
    return f"<entry><id>http://arxiv.org/abs/{number}</id><title>{escape(title)}</title>{named}{further}</entry>"


def feed(*entries: str, total: str | None = None) -> bytes:
    """Write a feed."""
    count = str(len(entries)) if total is None else total
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"'
        ' xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">'
        f"<opensearch:totalResults>{count}</opensearch:totalResults>{''.join(entries)}</feed>"
    ).encode()


def paper(number: str = "2104.12255v2", title: str = "A title", further: str = "", **texts: str) -> Paper:
    """Read the paper of an entry."""
    found = read_entry(read_feed(feed(entry(number, title, further, **texts)))[0][0])
    assert found
    return found


def test_a_preprint() -> None:
    """Line breaks in titles and indented abstracts are one line; an affiliation is no author."""
    names = (
        "<author><name>Ada Lovelace</name><arxiv:affiliation>A</arxiv:affiliation>"
        "<arxiv:affiliation>B</arxiv:affiliation></author><author><name>Wei Li</name></author><author><name/></author>"
    )
    read = paper(title="Zero\n  knowledge of $x &lt; y$", further=names, summary="  One\n two.\n")
    assert read == Paper(
        source="arxiv",
        title="Zero knowledge of $x < y$",
        authors=("Ada Lovelace", "Wei Li"),
        year=2021,
        abstract="One two.",
        url="https://arxiv.org/abs/2104.12255",
        pdf_url="https://arxiv.org/pdf/2104.12255",
        ids=read.ids,
        type="preprint",
        open_access=True,
    )
    assert (read.ids.arxiv, read.ids.doi) == ("2104.12255", None)


@pytest.mark.parametrize(
    ("reference", "venue"),
    [
        ("Phys.Rev. D76 (2007) 013009", "Phys.Rev. D"),
        ("Journal of Software: Practice 12, 2020", "Journal of Software"),
        (f"In {SYMPOSIUM} (ISSTA 2020), pages 14-26", SYMPOSIUM),
        ("Proceedings of the 31st Symposium on Testing", "Proceedings of the 31st Symposium on Testing"),
        ("JMLR 21 (2020)", "JMLR 21 (2020)"),
        ("In: Conference on Testing'19", "Conference on Testing"),
    ],
)
def test_a_paper_that_was_published_elsewhere(reference: str, venue: str) -> None:
    """It has the DOI and the venue of that, and whether it is an article is not known."""
    further = f"<arxiv:journal_ref>{reference}</arxiv:journal_ref><arxiv:doi>10.1103/X.1 10.1103/x.2</arxiv:doi>"
    read = paper(further=further)
    assert (read.venue, read.ids.doi, read.type) == (venue, "10.1103/x.1", None)
    assert paper(further=further[: further.index("<arxiv:doi>")]).type is None
    assert paper(further=further[further.index("<arxiv:doi>") :]).type is None


def test_a_withdrawn_paper_is_marked() -> None:
    """By the comment or by what is left of the abstract; the subject of withdrawal is no sign."""
    assert paper(further="<arxiv:comment>Withdrawn: see version 1</arxiv:comment>").retracted
    assert paper(summary="This submission was withdrawn.").retracted
    assert paper(summary="Patients withdrawn from treatment.").retracted is None


def test_an_error_is_a_failure_although_it_looks_like_a_paper() -> None:
    """Also with status 200; a paper that is called "Error" is one."""
    error = entry("2104.12255", "Error", summary="max_results must be non-negative")
    error = error.replace("arxiv.org/abs/2104.12255", "arxiv.org/api/errors#max_results")
    with pytest.raises(Refused, match=r"arXiv refused the query \(max_results must be non-negative\)"):
        read_feed(feed(error))
    assert paper(title="Error").title == "Error"
    assert read_entry(read_feed(feed(entry("no-id"), total=""))[0][0]) is None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'<!DOCTYPE f [<!ENTITY x SYSTEM "file:///etc/passwd">]><feed>&x;</feed>', "declares entities"),
        (b"<feed>" + b"<a/>" * 300_000, "more than 200000 elements"),
        (feed(entry())[:-9], "not a feed that can be read"),
        (b'<?xml version="1.0" encoding="utf-7"?><feed/>', "not a feed that can be read"),
        (b"<html><body>Sign in</body></html>", "not a feed"),
    ],
)
def test_what_is_no_feed_is_a_failure(body: bytes, message: str) -> None:
    """Entities, which could multiply or be files, too many elements, and pages of something else."""
    with pytest.raises(Unavailable, match=message):
        read_feed(body)
