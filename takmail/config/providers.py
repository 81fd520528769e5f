"""Load what takmail knows about mail providers from `providers.toml`, which says what each fact means.

What it knows about their OAuth 2 is here.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib.resources import files
from typing import ClassVar, Literal, NamedTuple

from pydantic import ConfigDict, TypeAdapter

from takmail.config.tls import is_loopback
from takmail.limits.letters import UNLIMITED, SendingLimits

_IMPLICIT_TLS = (465, 993)
"""The ports of SMTP and IMAP over TLS from the first byte (RFC 8314)."""


Tls = Literal["starttls", "implicit", "none"]
"""How a port is used: TLS begins by a command, with the first byte, or not at all."""


class Server(NamedTuple):
    """A mail server's host and port. `speaks` is how the port is used, None if it was not tried."""

    host: str
    port: int
    speaks: Tls | None = None

    def tls(self, ca_file: object = None) -> Tls:
        """Return how the port is used: on this machine without TLS, unless it was found or there are certificates."""
        if self.speaks is not None:
            return self.speaks
        if is_loopback(self.host) and ca_file is None:
            return "none"
        return "implicit" if self.port in _IMPLICIT_TLS else "starttls"


@dataclass(frozen=True, slots=True)
class Source:
    """Where some facts about a provider were read. `date` is that of the page, or else the day of the look-up."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    facts: tuple[str, ...]
    url: str
    date: date


@dataclass(frozen=True, slots=True)
class Provider:
    """The servers of a mail provider, its kind of login, and its limits. None stands for a fact that is not known."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    name: str
    imap: Server
    smtp: Server
    domains: tuple[str, ...] = ()
    login: Literal["address", "local part"] = "address"
    delimiter: str | None = None
    password: Literal["password", "app password", "authorization code", "oauth2"] = "password"
    password_page: str | None = None
    oauth: str | None = None
    first: str | None = None
    limits: SendingLimits = UNLIMITED
    connections: int | None = None
    authserv_id: str | None = None
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class OAuthProvider:
    """The addresses of a provider of OAuth 2, and what to ask for.

    `extra` are parameters of the page for the person. If `gives_secrets` is true, a client has a secret as well.
    """

    token: str
    page: str
    device: str | None = None
    scope: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
    gives_secrets: bool = False


# Sources, of November 2026: developers.google.com/identity/protocols/oauth2/native-app (Google's device authorization
# has no scope for mail); learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code; learn.microsoft.com,
# "Authenticate an IMAP, POP or SMTP connection using OAuth".
_MICROSOFT = "https://login.microsoftonline.com/common/oauth2/v2.0"
_OUTLOOK = "https://outlook.office.com"
OAUTH_PROVIDERS = {
    "google": OAuthProvider(
        token="https://oauth2.googleapis.com/token",
        page="https://accounts.google.com/o/oauth2/v2/auth",
        scope="https://mail.google.com/",
        # Without these, a second login brings no refresh token.
        extra={"access_type": "offline", "prompt": "consent"},
        gives_secrets=True,
    ),
    "microsoft": OAuthProvider(
        token=f"{_MICROSOFT}/token",
        page=f"{_MICROSOFT}/authorize",
        device=f"{_MICROSOFT}/devicecode",
        scope=f"{_OUTLOOK}/IMAP.AccessAsUser.All {_OUTLOOK}/SMTP.Send offline_access",
    ),
}
"""What takmail knows of providers of OAuth 2, by their names in the settings. Others tell it themselves."""


@cache
def providers() -> Mapping[str, Provider]:
    """Return all known providers by the names that `--provider` takes."""
    text = files(__package__).joinpath("providers.toml").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, Provider]).validate_python(tomllib.loads(text))


def provider_of(domain: str) -> Provider | None:
    """Return the provider that a domain belongs to. None for a domain of somebody else."""
    known = providers()
    of_domain = (provider for provider in known.values() if domain in provider.domains)
    return known["local"] if is_loopback(domain) else next(of_domain, None)
