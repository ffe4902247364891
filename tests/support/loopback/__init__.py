"""GitHub and a language model on loopback ports: real sockets, documented behaviour, faults on demand."""

from tests.support.loopback.github import LoopbackGitHub
from tests.support.loopback.github_fault import Fault
from tests.support.loopback.llm import LLMFault, LoopbackLLM
from tests.support.loopback.sample_repositories import sample_repositories
from tests.support.loopback.wire import RecordedRequest

__all__ = ["Fault", "LLMFault", "LoopbackGitHub", "LoopbackLLM", "RecordedRequest", "sample_repositories"]
