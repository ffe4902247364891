"""The DOIs of preprints: they never contradict the DOI of the publication.

Sources: the members of Crossref that register posted content (api.crossref.org/types/posted-content/works, facet
publisher-name), DataCite's repositories of preprints, OSF's list of preprint providers, and each server's own help.
"""

from __future__ import annotations

import re

from goldpan.identities import arxiv_of_doi, normalise_arxiv
from goldpan.kinds.papers.models import Paper

_SERVERS = {
    "arXiv": r"10\.48550/arxiv\.",
    "bioRxiv and medRxiv": r"10\.(?:1101/(?:\d{4}\.\d\d\.\d\d\.\d+|\d{6}$)|64898/)",
    "SSRN": r"10\.2139/ssrn\.",
    "Zenodo": r"10\.5281/zenodo\.",
    "figshare": r"10\.6084/m9\.figshare\.",
    "OSF": r"10\.(?:31219/osf\.io|17605/osf\.io|3121[0-9]/|3122[0-9]/|3123[0-9]/|31730/osf\.io|35542/|32942/)",
    "Preprints.org": r"10\.20944/preprints",
    "Research Square": r"10\.21203/rs\.",
    "ChemRxiv": r"10\.26434/chemrxiv",
    "Authorea and ESSOAr": r"10\.(?:22541/|1002/essoar\.)",
    "TechRxiv": r"10\.36227/techrxiv\.",
    "PeerJ Preprints": r"10\.7287/peerj\.preprints\.",
    "SciELO Preprints": r"10\.1590/scielopreprints\.",
    "ScienceOpen": r"10\.14293/s2199-1006\.1\.sor",
    "Cambridge Open Engage": r"10\.33774/",
    "NBER": r"10\.3386/w\d",
    "EGUsphere": r"10\.5194/egusphere-(?!\w+-\w+-ac)",
    "JMIR Preprints": r"10\.2196/preprints\.",
}
_SERVER = re.compile("|".join(f"(?P<s{place}>{pattern})" for place, pattern in enumerate(_SERVERS.values())))
_NAMES = tuple(_SERVERS)
_VERSIONED = {"Research Square", "Preprints.org", "ChemRxiv", "Authorea and ESSOAr", "TechRxiv", "PeerJ Preprints"}
_VERSION = re.compile(r"(?:[./-]?v\d{1,2}|\.\d)$")
"""How these servers write the version into the DOI: `/v2`, `.v1`, `-v3`; ESSOAr `.1`."""
_DEPOSITS = {"Zenodo", "figshare", "OSF"}
"""Give one paper several DOIs that nothing in the DOI connects."""
_VENUE = re.compile(
    r"\b(?:arxiv|corr|bio ?rxiv|med ?rxiv|chem ?rxiv|ssrn|preprints?|research square|techrxiv|psyarxiv|zenodo)\b",
    re.IGNORECASE,
)


def preprint_server(doi: str | None) -> str | None:
    """Return the server that gave the DOI, None if it is not that of a preprint."""
    match = _SERVER.match(doi) if doi else None
    return _NAMES[int(str(match.lastgroup)[1:])] if match else None


def without_version(doi: str) -> str:
    """Return the DOI of a preprint without its version."""
    return _VERSION.sub("", doi) if preprint_server(doi) in _VERSIONED else doi


def published_doi(doi: str | None) -> str | None:
    """Return the DOI if it is that of a publication."""
    return None if preprint_server(doi) else doi


def preprint_mark(doi: str | None) -> tuple[str, str] | None:
    """Return the server and the number of a preprint, of which a paper has one; None where it can have several."""
    server = preprint_server(doi)
    if doi is None or server is None or server in _DEPOSITS:
        return None
    return server, arxiv_of_doi(doi) or without_version(doi)


def is_preprint(paper: Paper) -> bool:
    """Return whether a record describes a preprint, not a publication."""
    if published_doi(paper.ids.doi):
        return False
    if paper.type == "preprint" or paper.ids.doi or (paper.venue and _VENUE.search(paper.venue)):
        return True
    return bool(not paper.venue and (paper.ids.arxiv or normalise_arxiv(paper.url)))
