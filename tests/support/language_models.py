"""The client of a language model at an address of a test."""

from goldpan.infra.http import Http
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.settings import LLMEndpoint
from pydantic import SecretStr


def model_at(
    base_url: str, http: Http, name: str = "own", *, key: str = "good-key", limiter: RateLimiter | None = None
) -> OpenAIModel:
    """Make the client; processes that share a limiter share the pauses of the model."""
    endpoint = LLMEndpoint(key_name="LLM_API_KEY", key=SecretStr(key), base_url=base_url, model=name)
    return OpenAIModel(endpoint, lambda: http, limiter)
