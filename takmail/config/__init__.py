"""The sections of config.toml as frozen settings: each key with its type, its default and its check.

The meaning and unit of each key stand in `config.example.toml`; a test holds the two together.
"""

from takmail.config.limits import LimitSettings, StoreSettings
from takmail.config.lmtp import LmtpSettings
from takmail.config.section import ConfigError, Section
from takmail.config.servers import ImapSettings, ServerSettings, SmtpSettings
from takmail.config.service import ServiceSettings

__all__ = [
    "ConfigError",
    "ImapSettings",
    "LimitSettings",
    "LmtpSettings",
    "Section",
    "ServerSettings",
    "ServiceSettings",
    "Settings",
    "SmtpSettings",
    "StoreSettings",
]


class Settings(Section):
    """The whole of config.toml; with neither `[imap]` nor `[lmtp]` mails come in by `takmail deliver` alone."""

    service: ServiceSettings
    imap: ImapSettings | None = None
    lmtp: LmtpSettings | None = None
    smtp: SmtpSettings
    store: StoreSettings
    limits: LimitSettings = LimitSettings()
