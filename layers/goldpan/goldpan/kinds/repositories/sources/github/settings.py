"""The settings of GitHub, and its documented rate limits."""

from collections.abc import Mapping, Sequence
from typing import Self

from pydantic import PrivateAttr

from goldpan.infra.rate_limits.limits import Limit, rate_limit_key
from goldpan.infra.settings import OptionalSetting, Secret, Settings, Url

GITHUB_URL, OSV_URL = "https://api.github.com", "https://api.osv.dev"
RATE_LIMITS: Mapping[str, Sequence[Limit]] = {
    # https://docs.github.com/en/rest/search/search#rate-limit
    "github:rest-search:anonymous": (Limit(60, 10),),
    "github:rest-search:token": (Limit(60, 30),),
    # https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
    "github:rest-core:anonymous": (Limit(3600, 60),),
    "github:rest-core:token": (Limit(3600, 5000),),
    # https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
    # In points: 5000 an hour (primary) and 2000 a minute (secondary, where a query is one point whatever it costs).
    "github:graphql:token": (Limit(3600, 5000), Limit(60, 2000)),
}
"""By the beginning of a rate limit key; the x-ratelimit-* headers describe the first limit of a key."""
MAX_RESULTS = 1000
"""Results that a search gives, page by page, however many it finds: https://docs.github.com/en/rest/search/search"""
MAX_IN_FLIGHT = 100
"""Calls at the same time, over REST and GraphQL together.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
"""
ENTERPRISE_REST = "/api/v3"
TOKEN_NAMES = ("GITHUB_TOKEN", "GH_TOKEN")
"""The variables of the token, the first one that is set counts; the second is that of GitHub's own command."""

TOKEN = OptionalSetting(
    "GitHub",
    TOKEN_NAMES,
    "A token reads READMEs, releases and activity; without one there are 10 searches a minute, and metadata alone.",
)


def is_enterprise(address: str) -> bool:
    """Report whether an address is that of a company's own GitHub (Enterprise Server)."""
    return address.rstrip("/").endswith(ENTERPRISE_REST)


class GitHubSettings(Settings):
    """GitHub, and the database of vulnerabilities that an analysis asks about what a repository needs.

    The address of an Enterprise server is that of its API: https://github.example.org/api/v3.
    """

    github_token: Secret | None = None
    github_api_url: Url = GITHUB_URL
    osv_url: Url = OSV_URL
    _token_name: str = PrivateAttr(TOKEN_NAMES[0])

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Read the settings, the token from the first of its variables that is set. Raises `Misconfigured` by name."""
        name = next((name for name in TOKEN_NAMES if environment.get(name, "").strip()), TOKEN_NAMES[0])
        settings = super().from_environment({**environment, TOKEN_NAMES[0]: environment.get(name, "")})
        settings._token_name = name  # noqa: SLF001 - its own, made a line above
        return settings

    @property
    def token_name(self) -> str:
        """The variable that the token was read from."""
        return self._token_name

    @property
    def identity(self) -> str:
        """Identify the address and the credential without revealing them: what one may see, another may not."""
        token = self.github_token.get_secret_value() if self.github_token else None
        return rate_limit_key("github", self.github_api_url, token)
