"""The settings of GitHub, and how many searches its limits allow for one question."""

from __future__ import annotations

from goldpan.infra.rate_limits.limits import rate_limit_key
from goldpan.infra.settings import Secret, Settings, Url

GITHUB_URL = "https://api.github.com"
SEARCHES_WITH_TOKEN, SEARCHES_WITHOUT_TOKEN = 15, 5
"""Without a token GitHub allows 10 searches a minute."""


class GitHubSettings(Settings):
    """GitHub; the address of an Enterprise server is that of its API: https://github.example.org/api/v3."""

    github_token: Secret | None = None
    github_api_url: Url = GITHUB_URL

    @property
    def identity(self) -> str:
        """Identify the address and the credential without revealing them: what one may see, another may not."""
        token = self.github_token.get_secret_value() if self.github_token else None
        return rate_limit_key("github", self.github_api_url, token)
