"""Define the sections `[imap]` and `[smtp]` of config.toml: the servers and their logins."""

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator

from takmail.config.passwords import one_line, password_in, password_of
from takmail.config.section import ConfigError, Section, anchored
from takmail.config.tls import require_safe, tls_context

_SECRETS = ("password", "password_file", "password_env")


class ServerSettings(Section):
    """The keys that `[imap]` and `[smtp]` have in common: the server and the password."""

    protocol: ClassVar[str]

    host: str = Field(min_length=1)
    password: str | None = Field(default=None, min_length=1, repr=False)
    password_file: Path | None = None
    password_env: str | None = None
    ca_file: Path | None = None

    @field_validator("password")
    @classmethod
    def _a_password(cls, value: str | None) -> str | None:
        return None if value is None else one_line(value)

    @field_validator("password_file")
    @classmethod
    def _a_file_with_a_password(cls, value: Path | None, info: ValidationInfo) -> Path | None:
        if value is None:
            return None
        _first_secret(info)
        file = anchored(value, info)
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
        file = anchored(value, info)
        try:
            tls_context(str(file))
        except OSError as error:
            raise ValueError(f"can't load certificates from {file}: {error.strerror or error}") from None
        return file

    @field_validator("tls", check_fields=False)  # the subclasses define the key and its possible values
    @classmethod
    def _safe(cls, value: str, info: ValidationInfo) -> str:
        require_safe(cls.protocol, info.data.get("host", "localhost"), value)
        return value

    @property
    def password_key(self) -> str:
        """The key that gives the password. It is `password` if none does."""
        return next((key for key in _SECRETS if getattr(self, key) is not None), "password")

    def secret(self) -> str | None:
        """Return the password, or None if none is set. Raises `ConfigError` if its source can no longer be read."""
        try:
            if self.password_file is not None:
                return password_in(self.password_file)
            if self.password_env is not None:
                return password_of(self.password_env)
        except ValueError as error:
            raise ConfigError([f"[{self.protocol.lower()}]: {error}"]) from None
        return self.password


class ImapSettings(ServerSettings):
    """`[imap]`: the mailbox to poll."""

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
            raise ValueError("give one of password, password_file and password_env")
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
    """`[smtp]`: the server that sends letters."""

    protocol: ClassVar[str] = "SMTP"

    port: int = Field(default=587, ge=1, le=65535, strict=True)
    user: str | None = Field(default=None, min_length=1)
    tls: Literal["starttls", "implicit", "none"] = "starttls"
    connections: int = Field(default=4, ge=1, le=20, strict=True)

    @field_validator("user")
    @classmethod
    def _user_with_password(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None and _has_secret(info):
            raise ValueError("is missing, but a password is given")
        if value is not None and not _has_secret(info):
            raise ValueError("needs one of password, password_file and password_env")
        return None if value is None else one_line(value)


def _has_secret(info: ValidationInfo) -> bool:
    """Return whether a key before this one gives a password. A rejected key is missing in `data`, and counts."""
    return any(info.data.get(name, "refused") is not None for name in _SECRETS if name != info.field_name)


def _first_secret(info: ValidationInfo) -> None:
    before = _SECRETS[: _SECRETS.index(str(info.field_name))]
    if any(info.data.get(name, "refused") is not None for name in before):
        raise ValueError("give only one of password, password_file and password_env")
