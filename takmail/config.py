"""config.toml -> frozen settings.

Every key is checked before anything starts, and everything that is wrong is told at once, in the operator's words.
The meaning, unit and default of each key stand in `config.example.toml`; a test holds the two together.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from takmail.mail.login import is_loopback


class ConfigError(Exception):
    """The configuration can't be used; `problems` holds one sentence for each thing to mend."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Section(BaseModel):
    """What all sections share: unknown keys are refused, and nothing changes after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class ServiceSettings(Section):
    """`[service]`: the address that takmail is."""

    address: str
    name: str = "Tak by Mail"
    recipient_delimiter: str = Field(default="+", max_length=1)
    key_file: Path = Path("takmail.key")

    @field_validator("address")
    @classmethod
    def _one_address(cls, value: str) -> str:
        local, at, domain = value.partition("@")
        if not (local and at and domain) or any(c in value for c in " <>,;\"'") or "@" in domain:
            raise ValueError("must be one bare mail address, such as tak@example.org")
        return value.lower()

    @field_validator("recipient_delimiter")
    @classmethod
    def _a_usual_delimiter(cls, value: str) -> str:
        if value not in ("", "+", "-", "=", "_"):
            raise ValueError(
                'must be "+" or what your provider uses ("-", "=", "_"), or "" where it has none'
            )
        return value


class ServerSettings(Section):
    """What `[imap]` and `[smtp]` share: where the server is and the secret to log in with."""

    host: str
    password: str | None = Field(default=None, repr=False)
    password_file: Path | None = None
    password_env: str | None = None
    ca_file: Path | None = None

    @model_validator(mode="after")
    def _at_most_one_password(self) -> "ServerSettings":
        given = [self.password, self.password_file, self.password_env]
        if sum(one is not None for one in given) > 1:
            raise ValueError("give only one of password, password_file and password_env")
        return self

    def _refuse_plain_abroad(self, tls: str) -> None:
        if tls == "none" and not is_loopback(self.host):
            raise ValueError(f'tls = "none" is for this machine only (127.0.0.1), not for {self.host}')

    def secret(self) -> str | None:
        """The password, from wherever it is kept; raises `ConfigError` where it can't be read."""
        if self.password_file is not None:
            try:
                return self.password_file.read_text(encoding="utf-8").rstrip("\r\n")
            except (OSError, UnicodeDecodeError) as error:
                raise ConfigError([f"password_file {self.password_file}: {error}"]) from None
        if self.password_env is not None:
            value = os.environ.get(self.password_env)
            if value is None:
                raise ConfigError([f"password_env: the environment has no variable {self.password_env}"])
            return value
        return self.password


class ImapSettings(ServerSettings):
    """`[imap]`: the mailbox that is read."""

    port: int = Field(default=993, ge=1, le=65535)
    user: str
    tls: Literal["implicit", "none"] = "implicit"
    mailbox: str = "INBOX"
    processed: str = "Processed"
    poll_seconds: float = Field(default=60, gt=0, le=3600)
    first_start: Literal["new", "all"] = "new"

    @model_validator(mode="after")
    def _complete(self) -> "ImapSettings":
        self._refuse_plain_abroad(self.tls)
        if self.password is None and self.password_file is None and self.password_env is None:
            raise ValueError("needs one of password, password_file and password_env")
        if self.mailbox == self.processed:
            raise ValueError("mailbox and processed must be two folders")
        return self


class SmtpSettings(ServerSettings):
    """`[smtp]`: the server that letters are handed to."""

    port: int = Field(default=587, ge=1, le=65535)
    user: str | None = None
    tls: Literal["starttls", "implicit", "none"] = "starttls"

    @model_validator(mode="after")
    def _complete(self) -> "SmtpSettings":
        self._refuse_plain_abroad(self.tls)
        secret_given = not (
            self.password is None and self.password_file is None and self.password_env is None
        )
        if self.user is not None and not secret_given:
            raise ValueError("has a user, so it needs one of password, password_file and password_env")
        if self.user is None and secret_given:
            raise ValueError("has a password but no user")
        return self


class StoreSettings(Section):
    """`[store]`: where the games are kept."""

    url: str = "sqlite:///takmail.sqlite"

    @field_validator("url")
    @classmethod
    def _a_url(cls, value: str) -> str:
        try:
            make_url(value)
        except ArgumentError:
            raise ValueError("must be a database URL, such as sqlite:///takmail.sqlite") from None
        return value


class Settings(Section):
    """The whole of config.toml; without `[imap]` mails come in by `takmail deliver` alone."""

    service: ServiceSettings
    imap: ImapSettings | None = None
    smtp: SmtpSettings
    store: StoreSettings = StoreSettings()


def parse(text: str, where: Path) -> Settings:
    """Check the text of a config.toml; relative paths in it start at the folder of `where`.

    Raises `ConfigError` with every problem at once.
    """
    try:
        tree: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([f"not a TOML file: {error}"]) from None
    try:
        settings = Settings.model_validate(tree)
    except ValidationError as error:
        raise ConfigError([_sentence(one) for one in error.errors()]) from None
    return _anchored(settings, where.resolve().parent)


def load(path: Path) -> Settings:
    """Read and check a config.toml; raises `ConfigError` with every problem at once."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError([f"can't be read: {error}"]) from None
    return parse(text, path)


def _anchored(settings: Settings, folder: Path) -> Settings:
    """The same settings with relative paths made absolute: a service may be started from any folder."""

    def files(section: ServerSettings) -> dict[str, Path]:
        names = ("password_file", "ca_file")
        return {name: folder / getattr(section, name) for name in names if getattr(section, name) is not None}

    url = make_url(settings.store.url)
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
        url = url.set(database=str(folder / str(url.database)))
    service = settings.service
    return settings.model_copy(
        update={
            "service": service.model_copy(update={"key_file": folder / service.key_file}),
            "imap": settings.imap and settings.imap.model_copy(update=files(settings.imap)),
            "smtp": settings.smtp.model_copy(update=files(settings.smtp)),
            "store": StoreSettings(url=url.render_as_string(hide_password=False)),
        }
    )


def _sentence(error: Mapping[str, Any]) -> str:
    """One fault as `[section] key: what is wrong`, for a person who edits the file."""
    place = [str(part) for part in error["loc"]]
    where = f"[{place[0]}] {'.'.join(place[1:])}".rstrip() if place else "the file"
    match error["type"]:
        case "extra_forbidden":
            what = (
                "is not a key that takmail knows" if len(place) > 1 else "is not a section that takmail knows"
            )
        case "missing":
            what = "is missing"
        case _:
            what = str(error["msg"]).removeprefix("Value error, ")
    return f"{where}: {what}"
