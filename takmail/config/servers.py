"""Define the sections `[imap]`, `[smtp]` and `[oauth]` of config.toml: the servers and their logins."""

import os
import re
from itertools import takewhile
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from takmail.config.providers import OAUTH_PROVIDERS
from takmail.config.section import ConfigError, PathHere, Port, Section, program_here
from takmail.config.tls import require_safe, tls_context
from takmail.limits.letters import SendingLimits

_SAFE = re.compile(r"(https://[\w.-]+|http://(localhost|127\.0\.0\.1))(:\d+)?(/|$)", re.ASCII)
_PASSWORD_KEYS = ("password", "password_file", "password_env")
_OAUTH = "oauth2"


def _password_in(file: Path) -> str:
    """Return the password in a file that has only this line. Raises ValueError with a sentence for the operator."""
    try:
        return _one_line(file.read_text(encoding="utf-8").rstrip("\r\n"))
    except OSError as error:
        raise ValueError(f"{file} can't be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{file} can't be read: it is not UTF-8") from None


def _password_of(variable: str) -> str:
    """Return the password in an environment variable. Raises ValueError with a sentence for the operator."""
    value = os.environ.get(variable)
    if value is None:
        raise ValueError(f"the environment variable {variable} is not set")
    return _one_line(value)


def _one_line(value: str) -> str:
    """Return the value if it is one line and not empty. Raises ValueError otherwise: IMAP and SMTP need one line."""
    if not value:
        raise ValueError("the password is empty")
    if any(mark in value for mark in "\0\r\n"):
        raise ValueError("must be on one line")
    return value


_Secret = Annotated[Annotated[str, Field(min_length=1), AfterValidator(_one_line)] | None, Field(repr=False)]


def _a_program(value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    if not _is_oauth(info):
        raise ValueError(f'needs auth = "{_OAUTH}"')
    return program_here(value, info)


def _with_certificates(file: Path) -> Path:
    try:
        tls_context(str(file))
    except OSError as error:
        raise ValueError(f"can't load certificates from {file}: {error.strerror or error}") from None
    return file


class ServerSettings(Section):
    """The keys that `[imap]` and `[smtp]` have in common: the server and the password."""

    protocol: ClassVar[str]

    host: str = Field(min_length=1)
    auth: Literal["password", "oauth2"] = "password"
    token_command: Annotated[tuple[str, ...], AfterValidator(_a_program)] | None = None
    password: _Secret = None
    password_file: PathHere | None = None
    password_env: str | None = None
    ca_file: Annotated[PathHere, AfterValidator(_with_certificates)] | None = None

    @field_validator(*_PASSWORD_KEYS)
    @classmethod
    def _a_password(cls, value: str | Path | None, info: ValidationInfo) -> str | Path | None:
        if value is not None and info.data.get("auth") == _OAUTH:
            raise ValueError(f'leave it out, as auth = "{_OAUTH}" uses no password')
        if value is not None and _has_password(info):
            raise ValueError("give only one of password, password_file and password_env")
        if value is not None and info.field_name == "password_env":
            _password_of(str(value))
        if isinstance(value, Path):
            _password_in(value)
        return value

    @field_validator("tls", check_fields=False)  # the subclasses define the key and its possible values
    @classmethod
    def _safe(cls, value: str, info: ValidationInfo) -> str:
        require_safe(cls.protocol, info.data.get("host", "localhost"), value)
        return value

    @property
    def password_key(self) -> str:
        """The key that gives the password. It is `password` if none does."""
        return next((key for key in _PASSWORD_KEYS if getattr(self, key) is not None), "password")

    @property
    def needs_oauth_section(self) -> bool:
        """Whether the access tokens come from the provider in `[oauth]`."""
        return self.uses_oauth and self.token_command is None

    @property
    def uses_oauth(self) -> bool:
        """Whether takmail logs in with an access token and not with a password."""
        return self.auth == _OAUTH

    def secret(self) -> str | None:
        """Return the password, or None if none is set. Raises `ConfigError` if its source can no longer be read."""
        try:
            if self.password_file is not None:
                return _password_in(self.password_file)
            if self.password_env is not None:
                return _password_of(self.password_env)
        except ValueError as error:
            raise ConfigError([f"[{self.protocol.lower()}]: {error}"]) from None
        return self.password


class ImapSettings(ServerSettings):
    """`[imap]`: the mailbox to poll."""

    protocol: ClassVar[str] = "IMAP"

    port: Port = 993
    user: Annotated[str, Field(min_length=1), AfterValidator(_one_line)]
    tls: Literal["implicit", "none"] = "implicit"
    mailbox: str = Field(default="INBOX", min_length=1)
    processed: str = Field(default="Processed", min_length=1)
    rejected: str = Field(default="Rejected", min_length=1)
    marker: str = "takmail-marker"
    poll_seconds: float = Field(default=60, gt=0, le=3600, strict=True)
    first_start: Literal["new", "all"] = "new"

    @field_validator("password_env")
    @classmethod
    def _some_password(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None and not _has_password(info) and not _is_oauth(info):
            raise ValueError("give one of password, password_file and password_env")
        return value

    @field_validator("processed", "rejected")
    @classmethod
    def _another_folder(cls, value: str, info: ValidationInfo) -> str:
        if value == info.data.get("mailbox"):
            raise ValueError("must be another folder than mailbox")
        return value

    @field_validator("marker")
    @classmethod
    def _a_folder_of_its_own(cls, value: str, info: ValidationInfo) -> str:
        if value in (info.data.get(key) for key in ("mailbox", "processed", "rejected")):
            raise ValueError("must be another folder than mailbox, processed and rejected")
        return value


class SmtpSettings(ServerSettings):
    """`[smtp]`: the server that sends letters."""

    protocol: ClassVar[str] = "SMTP"

    port: Port = 587
    user: str | None = Field(default=None, min_length=1)
    tls: Literal["starttls", "implicit", "none"] = "starttls"
    connections: int = Field(default=4, ge=1, le=20, strict=True)
    per_minute: int | None = Field(default=None, ge=1, strict=True)
    per_day: int | None = Field(default=None, ge=1, strict=True)

    @property
    def limits(self) -> SendingLimits:
        """How many letters the provider takes."""
        return SendingLimits(self.per_minute, self.per_day)

    @field_validator("user")
    @classmethod
    def _user_with_password(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None and _has_password(info):
            raise ValueError("is missing, but a password is given")
        if value is None and _is_oauth(info):
            raise ValueError(f'is missing, and auth = "{_OAUTH}" needs it')
        if value is not None and not _has_password(info) and not _is_oauth(info):
            raise ValueError("needs one of password, password_file and password_env")
        return None if value is None else _one_line(value)


class OAuthSettings(Section):
    """`[oauth]`: how takmail gets access tokens by itself: the provider, takmail's client at it, and their file."""

    provider: str
    client_id: str = Field(min_length=1)
    client_secret: _Secret = None
    scope: str | None = Field(default=None, min_length=1)
    token_file: PathHere = Path("takmail.token")

    @field_validator("provider")
    @classmethod
    def _a_provider(cls, value: str) -> str:
        if value not in OAUTH_PROVIDERS:
            known = map('"{}"'.format, OAUTH_PROVIDERS)
            require_https(value, f"must be {', '.join(known)} or the https:// address of another provider")
        return value.rstrip("/")

    @field_validator("scope")
    @classmethod
    def _a_scope(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None and info.data.get("provider") not in (None, *OAUTH_PROVIDERS):
            raise ValueError("is missing; your provider's documentation names the scopes for IMAP and SMTP")
        return value


def require_https(url: str, sentence: str) -> None:
    """Raise ValueError with a sentence unless the address is safe for secrets: https, or http within this machine."""
    if not _SAFE.match(url):
        raise ValueError(sentence)


def _has_password(info: ValidationInfo) -> bool:
    """Return whether a key before this one gives a password. A rejected key is missing in `data`, and counts."""
    before = takewhile(lambda key: key != info.field_name, _PASSWORD_KEYS)
    return any(info.data.get(key, "refused") is not None for key in before)


def _is_oauth(info: ValidationInfo) -> bool:
    """Return whether `auth` names OAuth 2. A rejected value counts, as its own problem is reported."""
    return bool(info.data.get("auth", _OAUTH) == _OAUTH)
