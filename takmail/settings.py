"""The sections of config.toml as frozen settings: each key with its type, its default and its check.

The meaning and unit of each key stand in `config.example.toml`; a test holds the two together.
"""

import os
import re
from dataclasses import fields
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from takmail.mail.limits import USUAL, Limits
from takmail.mail.login import require_safe, tls_context
from takmail.passwords import one_line, one_password, password_in, password_of

MOST_KEPT = 2**24 - 1
"""Bytes of a mail that any of the databases can hold."""

_SECRETS = ("password", "password_file", "password_env")


class ConfigError(ValueError):
    """The configuration can't be used; `problems` holds one sentence for each thing to mend."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Section(BaseModel):
    """What all sections share: unknown keys are refused, defaults are checked too, and nothing changes later.

    What hangs on two keys is checked with the later one: a check of the whole section would wait for all keys to
    be right, and then tell its own complaint in a second round.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, validate_default=True)


class ServiceSettings(Section):
    """`[service]`: the address that takmail is."""

    address: str
    name: str = "Tak by Mail"
    recipient_delimiter: str = "+"
    key_file: Path = Path("takmail.key")
    key_env: str | None = Field(default=None, min_length=1)
    old_key_days: int = Field(default=90, ge=0, le=36_500, strict=True)
    authserv_id: str | None = None

    @field_validator("address")
    @classmethod
    def _one_address(cls, value: str) -> str:
        local, at, domain = value.partition("@")
        odd = not value.isascii() or not value.isprintable() or any(c in value for c in " <>,;\"'")
        if odd or not (local and at and domain) or "@" in domain:
            raise ValueError("must be one bare mail address, such as tak@example.org")
        return value.lower()

    @field_validator("name")
    @classmethod
    def _one_line(cls, value: str) -> str:
        if not value.strip() or not value.isprintable():
            raise ValueError("must be a name on one line")
        return value

    @field_validator("recipient_delimiter")
    @classmethod
    def _a_usual_delimiter(cls, value: str) -> str:
        if value not in ("", "+", "-", "=", "_"):
            raise ValueError(
                'must be "+" or what your provider uses ("-", "=", "_"), or "" where it has none'
            )
        return value

    @field_validator("key_file")
    @classmethod
    def _beside_the_config(cls, value: Path, info: ValidationInfo) -> Path:
        return _anchored(value, info)

    @field_validator("key_env")
    @classmethod
    def _a_variable(cls, value: str | None) -> str | None:
        if value is not None and not os.environ.get(value):
            raise ValueError(f"the environment has no variable {value}")
        return value

    @field_validator("authserv_id")
    @classmethod
    def _one_server(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[\w.-]+", value, re.ASCII):
            raise ValueError("must be the name at the start of your server's Authentication-Results")
        return value

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        # Only here it is known whether key_file was given: it has a default, which key_env takes the place of.
        if self.key_env is not None and "key_file" in self.model_fields_set:
            raise ValueError("give only one of key_file and key_env")
        return self


class ServerSettings(Section):
    """What `[imap]` and `[smtp]` share: where the server is and the secret to log in with."""

    protocol: ClassVar[str]

    host: str = Field(min_length=1)
    password: str | None = Field(default=None, repr=False)
    password_file: Path | None = None
    password_env: str | None = None
    ca_file: Path | None = None

    @field_validator("password")
    @classmethod
    def _a_password(cls, value: str | None) -> str | None:
        return None if value is None else one_password(value)

    @field_validator("password_file")
    @classmethod
    def _a_file_with_a_password(cls, value: Path | None, info: ValidationInfo) -> Path | None:
        if value is None:
            return None
        _first_secret(info)
        file = _anchored(value, info)
        password_in(file)
        return file

    @field_validator("password_env")
    @classmethod
    def _a_variable_with_a_password(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None:
            _first_secret(info)
            password_of(value)
        return value

    @field_validator("ca_file")
    @classmethod
    def _certificates(cls, value: Path | None, info: ValidationInfo) -> Path | None:
        if value is None:
            return None
        file = _anchored(value, info)
        try:
            tls_context(str(file))
        except OSError as error:
            raise ValueError(f"there are no certificates in {file}: {error.strerror or error}") from None
        return file

    @field_validator("tls", check_fields=False)  # which ways there are, the two protocols say themselves
    @classmethod
    def _safe(cls, value: str, info: ValidationInfo) -> str:
        require_safe(cls.protocol, info.data.get("host", "localhost"), value)
        return value

    def secret(self) -> str | None:
        """The password, from wherever it is kept; raises `ConfigError` where it can't be read any more."""
        try:
            if self.password_file is not None:
                return password_in(self.password_file)
            if self.password_env is not None:
                return password_of(self.password_env)
        except ValueError as error:
            raise ConfigError([f"[{self.protocol.lower()}]: {error}"]) from None
        return self.password


class ImapSettings(ServerSettings):
    """`[imap]`: the mailbox that is read."""

    protocol: ClassVar[str] = "IMAP"

    port: int = Field(default=993, ge=1, le=65535, strict=True)
    user: str = Field(min_length=1)
    tls: Literal["implicit", "none"] = "implicit"
    mailbox: str = Field(default="INBOX", min_length=1)
    processed: str = Field(default="Processed", min_length=1)
    rejected: str = Field(default="Rejected", min_length=1)
    poll_seconds: float = Field(default=60, gt=0, le=3600, strict=True)
    first_start: Literal["new", "all"] = "new"

    @field_validator("password_env")
    @classmethod
    def _some_password(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None and not _has_secret(info):
            raise ValueError("this or password or password_file must be given")
        return value

    @field_validator("user")
    @classmethod
    def _a_user(cls, value: str) -> str:
        return one_line(value)

    @field_validator("processed", "rejected")
    @classmethod
    def _another_folder(cls, value: str, info: ValidationInfo) -> str:
        if value == info.data.get("mailbox"):
            raise ValueError("must be another folder than mailbox")
        return value


class SmtpSettings(ServerSettings):
    """`[smtp]`: the server that letters are handed to."""

    protocol: ClassVar[str] = "SMTP"

    port: int = Field(default=587, ge=1, le=65535, strict=True)
    user: str | None = Field(default=None, min_length=1)
    tls: Literal["starttls", "implicit", "none"] = "starttls"

    @field_validator("user")
    @classmethod
    def _user_with_password(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None and _has_secret(info):
            raise ValueError("is missing, and a password is given")
        if value is not None and not _has_secret(info):
            raise ValueError("needs one of password, password_file and password_env")
        return None if value is None else one_line(value)


class StoreSettings(Section):
    """`[store]`: where the games are kept, and how long the mails."""

    url: str = "sqlite:///takmail.sqlite"
    keep_mail_days: int = Field(default=30, ge=1, le=3_650, strict=True)

    @field_validator("url")
    @classmethod
    def _a_url(cls, value: str, info: ValidationInfo) -> str:
        try:
            url = make_url(value)
            dialect = url.get_dialect()
            dialect.import_dbapi()
        except (ArgumentError, ValueError):
            raise ValueError("must be a database URL, such as sqlite:///takmail.sqlite") from None
        except ImportError as error:
            raise ValueError(f"its driver is not installed here ({error.name})") from None
        if dialect.is_async:
            raise ValueError("must name a driver that is not asynchronous")
        if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
            url = url.set(database=str(_anchored(Path(str(url.database)), info)))
        return url.render_as_string(hide_password=False)

    @property
    def shown(self) -> str:
        """The URL without its password."""
        return make_url(self.url).render_as_string(hide_password=True)


class LimitSettings(Section):
    """`[limits]`: how large a mail may be, and how many answers go to one address."""

    mail_bytes: int = Field(default=USUAL.mail_bytes, ge=64 * 1024, le=MOST_KEPT, strict=True)
    text_bytes: int = Field(default=USUAL.text_bytes, ge=4 * 1024, le=MOST_KEPT, strict=True)
    header_bytes: int = Field(default=USUAL.header_bytes, ge=4 * 1024, le=MOST_KEPT, strict=True)
    mime_depth: int = Field(default=USUAL.mime_depth, ge=3, le=1_000, strict=True)
    mime_parts: int = Field(default=USUAL.mime_parts, ge=3, le=100_000, strict=True)
    address_nesting: int = Field(default=USUAL.address_nesting, ge=1, le=1_000, strict=True)
    answers_per_hour: int = Field(default=300, ge=1, strict=True)
    unproven_answers_per_hour: int = Field(default=30, ge=1, strict=True)
    stranger_answers_per_hour: int = Field(default=5, ge=1, strict=True)
    letters_per_day: int = Field(default=200, ge=1, strict=True)
    stranger_letters_per_day: int = Field(default=10, ge=1, strict=True)

    def of_mails(self) -> Limits:
        """The limits of a mail's size."""
        return Limits(**self.model_dump(include={one.name for one in fields(Limits)}))


class Settings(Section):
    """The whole of config.toml; without `[imap]` mails come in by `takmail deliver` alone."""

    service: ServiceSettings
    imap: ImapSettings | None = None
    smtp: SmtpSettings
    store: StoreSettings
    limits: LimitSettings = LimitSettings()


def _anchored(path: Path, info: ValidationInfo) -> Path:
    """A path as seen from the folder of the config file, where there is one."""
    return path if info.context is None else Path(info.context) / path


def _has_secret(info: ValidationInfo) -> bool:
    """Whether a password has been given so far; one that was refused is not there, and counts."""
    return any(info.data.get(name, "refused") is not None for name in _SECRETS if name != info.field_name)


def _first_secret(info: ValidationInfo) -> None:
    before = _SECRETS[: _SECRETS.index(str(info.field_name))]
    if any(info.data.get(name, "refused") is not None for name in before):
        raise ValueError("give only one of password, password_file and password_env")
