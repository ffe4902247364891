"""GitHub and a language model on loopback ports: real sockets, documented behaviour, faults on demand."""

from tests.support.loopback.fault import Aim, LoopbackFault
from tests.support.loopback.github import LoopbackGitHub
from tests.support.loopback.github_fault import Fault
from tests.support.loopback.llm import LLMFault, LoopbackLLM, model_at
from tests.support.loopback.sample_repositories import sample_repositories
from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

__all__ = [
    "Aim", "Fault", "LLMFault", "LoopbackFault", "LoopbackGitHub", "LoopbackLLM", "LoopbackServer", "RecordedRequest",
    "Response", "model_at", "sample_repositories",
]  # fmt: skip
