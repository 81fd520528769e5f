"""Define the section `[oauth]` of config.toml: how takmail gets access tokens for its mailbox by itself."""

import re
from pathlib import Path

from pydantic import Field, ValidationInfo, field_validator

from takmail.config.passwords import Secret, SecretFile, SecretVariable, secret_of
from takmail.config.section import PathHere, Section

KNOWN_PROVIDERS = ("google", "microsoft")
"""The providers whose addresses and scope takmail knows."""

_SAFE = re.compile(r"(https://[\w.-]+|http://(localhost|127\.0\.0\.1))(:\d+)?(/|$)", re.ASCII)


class OAuthSettings(Section):
    """`[oauth]`: the provider, takmail's client at it, and the file with the tokens."""

    provider: str
    client_id: str = Field(min_length=1)
    client_secret: Secret = None
    client_secret_file: SecretFile = None
    client_secret_env: SecretVariable = None
    scope: str | None = Field(default=None, min_length=1)
    token_file: PathHere = Path("takmail.token")

    @field_validator("provider")
    @classmethod
    def _a_provider(cls, value: str) -> str:
        if value not in KNOWN_PROVIDERS:
            require_https(value, 'must be "google", "microsoft" or the https:// address of another provider')
        return value.rstrip("/")

    @field_validator("scope")
    @classmethod
    def _a_scope(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None and info.data.get("provider", KNOWN_PROVIDERS[0]) not in KNOWN_PROVIDERS:
            raise ValueError("is missing; your provider's documentation names the scopes for IMAP and SMTP")
        return value

    def secret(self) -> str | None:
        """Return the client secret, or None if there is none. Raises `ConfigError` if it can no longer be read."""
        return secret_of(self, "client_secret", "oauth")


def require_https(url: str, sentence: str) -> None:
    """Raise ValueError with a sentence unless the address is safe for secrets: https, or http within this machine."""
    if not _SAFE.match(url):
        raise ValueError(sentence)
