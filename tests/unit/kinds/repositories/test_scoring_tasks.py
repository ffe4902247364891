"""The scoring tasks of a shortlist are small, and say how often a language model may be asked."""

from goldpan.engine.payload import json_size
from goldpan.kinds.checks import Check
from goldpan.kinds.repositories.candidates import Candidate
from goldpan.kinds.repositories.models import Repository, Translation
from goldpan.kinds.repositories.scoring_tasks import named_papers, scoring_tasks

from tests.support.factories import batch, params, repository, request
from tests.unit.kinds.repositories.test_shortlist import A, shortlisted


def test_calls_that_are_left_are_for_retries() -> None:
    """Of 39 calls for 25 repositories, the best fourteen may be asked about again; none more than three times."""
    found = [repository(f"a/animation-{n}", description="An animation library", stars=900 - n) for n in range(25)]
    assert [task.retries for task in shortlisted(batch("stars", *found), calls=39).tasks] == [1] * 14 + [0] * 11
    assert [task.retries for task in shortlisted(batch("stars", A), calls=39).tasks] == [3]


def test_a_task_is_small_enough_for_the_state_machine() -> None:
    """Eight reasons at most; too long a name is left out with a warning, and what rules score fits into the cache."""
    question = "react animation parser router table chart form button menu tooltip"
    found = batch("stars", repository(description=question), repository("a/" + "x" * 200_000))
    chosen = shortlisted(found, question=question)
    assert [len(task.evidence) for task in chosen.tasks] == [8]
    assert chosen.warnings == ("1 candidate left out: the names alone were too long to carry.",)
    texts = tuple(f"text {n}" for n in range(9))
    full = Candidate(A, 1, (), missing=texts, found=Check(texts, texts, texts))
    [[task], _] = scoring_tasks([full], Translation(params=params(), tasks=()), request())
    assert [len(each) for each in (task.missing, task.violated, task.unverified, task.mentions)] == [4, 4, 4, 4]
    listed = [repository(f"a/{n}", tree=("a/path/of/a/file",) * 900) for n in range(40)]
    further = shortlisted(batch("stars", *listed)).further
    assert (len(further), max(map(json_size, further)) <= 5 * 1024) == (15, True)
    assert all(len(task.repository.tree or ()) > 100 for task in further), "what there is room for is kept"


def test_papers_are_found_in_all_its_texts() -> None:
    """Each once, with the place that names it first."""
    readme = "Cite arXiv:1706.03762 and https://doi.org/10.1145/3292500.3330701."
    named = named_papers(Repository(full_name="a/b", homepage="https://arxiv.org/abs/1706.03762", readme=readme))
    assert named == {
        "arxiv:1706.03762": "its homepage names arxiv.org/abs/1706.03762",
        "doi:10.1145/3292500.3330701": "its README names 10.1145/3292500.3330701",
    }
    assert named_papers(Repository(full_name="a/b")) == {}
    many = " ".join(f"arXiv:1706.0376{n}" for n in range(5))
    assert [*named_papers(Repository(full_name="a/b", readme=many))] == [f"arxiv:1706.0376{n}" for n in range(3)]
