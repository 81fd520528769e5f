"""Define the settings: each section of config.toml as a frozen class, each key with its type, default and check.

The meaning and unit of each key are in `config.example.toml`. A test compares the two.
"""

from pydantic import ValidationInfo, field_validator

from takmail.config.bots import BotSettings
from takmail.config.engines import EngineSettings
from takmail.config.limits import LimitSettings, StoreSettings
from takmail.config.lmtp import LmtpSettings
from takmail.config.section import ConfigError, Section
from takmail.config.servers import ImapSettings, OAuthSettings, ServerSettings, SmtpSettings
from takmail.config.service import ServiceSettings

__all__ = [
    "BotSettings",
    "ConfigError",
    "EngineSettings",
    "ImapSettings",
    "LimitSettings",
    "LmtpSettings",
    "OAuthSettings",
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
    oauth: OAuthSettings | None = None
    store: StoreSettings
    limits: LimitSettings = LimitSettings()
    bots: BotSettings = BotSettings()
    engine: tuple[EngineSettings, ...] = ()

    @property
    def own_tokens(self) -> OAuthSettings | None:
        """The section `[oauth]` if takmail gets access tokens by it, otherwise None."""
        servers = (self.imap, self.smtp)
        is_used = any(server is not None and server.needs_oauth_section for server in servers)
        return self.oauth if is_used else None

    @field_validator("oauth")
    @classmethod
    def _for_each_login(cls, value: OAuthSettings | None, info: ValidationInfo) -> OAuthSettings | None:
        for name in ("imap", "smtp"):
            server = info.data.get(name)
            if value is None and server is not None and server.needs_oauth_section:
                raise ValueError(f'is missing, and [{name}] auth = "oauth2" needs it, or a token_command')
        return value

    @field_validator("engine")
    @classmethod
    def _different_names(cls, value: tuple[EngineSettings, ...]) -> tuple[EngineSettings, ...]:
        if len({engine.name for engine in value}) < len(value):
            raise ValueError("two have the same name; players tell them apart by it")
        return value
