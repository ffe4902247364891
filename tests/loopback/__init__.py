"""GitHub and a language model on loopback ports: real sockets, documented behaviour, faults on demand."""

from tests.loopback.github import LoopbackGitHub
from tests.loopback.github_fault import Fault
from tests.loopback.github_quota import Limits
from tests.loopback.llm import LoopbackLLM
from tests.loopback.llm_completion import Reply
from tests.loopback.llm_fault import LLMFault
from tests.loopback.sample_repositories import sample_repositories
from tests.loopback.wire import RecordedRequest

__all__ = [
    "Fault",
    "LLMFault",
    "Limits",
    "LoopbackGitHub",
    "LoopbackLLM",
    "RecordedRequest",
    "Reply",
    "sample_repositories",
]
