"""Load what takmail knows about mail providers from `providers.toml`, which says what each fact means."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import ClassVar, Literal, NamedTuple

from pydantic import ConfigDict, TypeAdapter

from takmail.config.tls import is_loopback

_IMPLICIT_TLS = (465, 993)
"""The ports of SMTP and IMAP over TLS from the first byte (RFC 8314)."""


class Server(NamedTuple):
    """A mail server's host and port."""

    host: str
    port: int

    def tls(self, ca_file: object = None) -> Literal["starttls", "implicit", "none"]:
        """Return how the port is used: on this machine without TLS, unless there are certificates to trust."""
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
    oauth: Literal["google", "microsoft"] | None = None
    first: str | None = None
    per_minute: int | None = None
    per_day: int | None = None
    connections: int | None = None
    authserv_id: str | None = None
    sources: tuple[Source, ...] = ()


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
