"""Define the settings: each section of config.toml as a frozen class, each key with its type, default and check.

The meaning and unit of each key are in `config.example.toml`. A test compares the two.
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
    """The whole config.toml. Without `[imap]` and `[lmtp]`, mails arrive only through `takmail deliver`."""

    service: ServiceSettings
    imap: ImapSettings | None = None
    lmtp: LmtpSettings | None = None
    smtp: SmtpSettings
    store: StoreSettings
    limits: LimitSettings = LimitSettings()
