"""Define the sections `[store]` and `[limits]` of config.toml."""

from dataclasses import fields
from pathlib import Path

from pydantic import Field, ValidationInfo, field_validator
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from takmail.config.extras import how_to_install
from takmail.config.section import Section, anchored
from takmail.limits.letters import DEFAULT_RATES, RateLimits
from takmail.limits.mails import DEFAULT_LIMITS, MAX_STORED_BYTES, Limits

_POSTGRESQL = "postgresql"


class StoreSettings(Section):
    """`[store]`: the database, and how long mails are kept."""

    url: str = "sqlite:///takmail.sqlite"
    keep_mail_days: int = Field(default=30, ge=1, le=3_650, strict=True)

    @field_validator("url")
    @classmethod
    def _a_url(cls, value: str, info: ValidationInfo) -> str:
        try:
            url = make_url(value)
            if url.drivername == _POSTGRESQL:
                url = url.set(drivername=f"{_POSTGRESQL}+psycopg")
            dialect = url.get_dialect()
            dialect.import_dbapi()
        except (ArgumentError, ValueError):
            raise ValueError("must be a database URL, such as sqlite:///takmail.sqlite") from None
        except ImportError as error:
            raise ValueError(_no_driver(url, error)) from None
        if dialect.is_async:
            raise ValueError("must name a driver that is not asynchronous")
        # If a password contains an unescaped "@", the part after it would be taken for the host, and errors would show
        # it.
        if url.get_backend_name() != "sqlite" and value.count("@") > 1:
            raise ValueError('must have "@" as %40 and "%" as %25 in its password')
        if "password" in url.query:
            raise ValueError(
                "must have its password before the host, as in postgresql+psycopg://tak:…@host/takmail"
            )
        if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
            url = url.set(database=str(anchored(Path(str(url.database)), info)))
        return url.render_as_string(hide_password=False)

    @property
    def shown(self) -> str:
        """The URL without its password."""
        return make_url(self.url).render_as_string(hide_password=True)


def _no_driver(url: URL, error: ImportError) -> str:
    """Return an error about a database driver that is not installed, with a remedy if there is one."""
    missing = f"needs a driver that is not installed ({error.name or url.get_driver_name()})"
    if url.get_driver_name() != "psycopg":
        return missing
    return f"{missing}; run: {how_to_install('postgres')}"


class LimitSettings(Section):
    """`[limits]`: limits on the size of mails, and on the letters to one address and to all strangers."""

    mail_bytes: int = Field(default=DEFAULT_LIMITS.mail_bytes, ge=64 * 1024, le=MAX_STORED_BYTES, strict=True)
    text_bytes: int = Field(default=DEFAULT_LIMITS.text_bytes, ge=4 * 1024, le=MAX_STORED_BYTES, strict=True)
    header_bytes: int = Field(
        default=DEFAULT_LIMITS.header_bytes, ge=4 * 1024, le=MAX_STORED_BYTES, strict=True
    )
    stranger_bytes_per_day: int = Field(
        default=DEFAULT_LIMITS.stranger_bytes_per_day, ge=64 * 1024, strict=True
    )
    mime_depth: int = Field(default=DEFAULT_LIMITS.mime_depth, ge=3, le=1_000, strict=True)
    mime_parts: int = Field(default=DEFAULT_LIMITS.mime_parts, ge=3, le=100_000, strict=True)
    address_nesting: int = Field(default=DEFAULT_LIMITS.address_nesting, ge=1, le=1_000, strict=True)
    answers_per_hour: int = Field(default=DEFAULT_RATES.answers_per_hour, ge=1, strict=True)
    unproven_answers_per_hour: int = Field(default=DEFAULT_RATES.unproven_answers_per_hour, ge=1, strict=True)
    stranger_answers_per_hour: int = Field(default=DEFAULT_RATES.stranger_answers_per_hour, ge=1, strict=True)
    letters_per_day: int = Field(default=DEFAULT_RATES.letters_per_day, ge=1, strict=True)
    stranger_letters_per_day: int = Field(default=DEFAULT_RATES.stranger_letters_per_day, ge=1, strict=True)
    chat_letters_per_hour: int = Field(default=DEFAULT_RATES.chat_letters_per_hour, ge=1, strict=True)
    total_stranger_answers_per_hour: int = Field(
        default=DEFAULT_RATES.total_stranger_answers_per_hour, ge=1, strict=True
    )
    total_stranger_answers_per_day: int = Field(
        default=DEFAULT_RATES.total_stranger_answers_per_day, ge=1, strict=True
    )
    total_stranger_invitations_per_hour: int = Field(
        default=DEFAULT_RATES.total_stranger_invitations_per_hour, ge=1, strict=True
    )
    total_stranger_invitations_per_day: int = Field(
        default=DEFAULT_RATES.total_stranger_invitations_per_day, ge=1, strict=True
    )

    def of_mails(self) -> Limits:
        """Return the limits on the size of a mail."""
        return Limits(**self.model_dump(include={one.name for one in fields(Limits)}))

    def of_letters(self) -> RateLimits:
        """Return the limits on letters."""
        return RateLimits(**self.model_dump(include={one.name for one in fields(RateLimits)}))
