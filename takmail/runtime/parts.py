"""Build the service's parts from the settings. Errors name the setting that is wrong."""

import os
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlmodel import Session

from takmail.commands.command_list import COMMANDS
from takmail.commands.context import Access
from takmail.config import (
    ConfigError,
    ImapSettings,
    LmtpSettings,
    OAuthSettings,
    ServerSettings,
    Settings,
    SmtpSettings,
)
from takmail.config.bots import LEVELS
from takmail.config.seat_keys import KeyFile, Keys, keys_in, load_keys
from takmail.games.bots import NO_BOTS, Bot, Bots
from takmail.games.registry import GAMES
from takmail.games.thinking import EngineHost, EngineTerms
from takmail.letters.services import Services
from takmail.letters.templates import Templates, folder
from takmail.mail.tokens import SeatKey
from takmail.runtime.engines import Engine
from takmail.runtime.net.access_tokens import AccessTokens, CommandTokens, OwnTokens
from takmail.runtime.net.imap import ImapAccount
from takmail.runtime.net.lmtp_socket import LmtpAddress
from takmail.runtime.net.oauth import LOG_IN, TokenError, read_tokens
from takmail.runtime.net.smtp import SmtpAccount
from takmail.store import leases, people, process_name
from takmail.store.causes import Causes
from takmail.store.database import Store, is_there
from takmail.store.machine_time import TimeSource
from takmail.world import LetterView, NewPlayers


def has_keys(settings: Settings) -> bool:
    """Return whether the service's key exists. If not, the first start creates it."""
    return settings.service.key_env is not None or settings.service.key_file.exists()


def keys(settings: Settings) -> Keys:
    """Load the service's keys from the environment variable or the file. Create a missing file. Raises ConfigError."""
    variable = settings.service.key_env
    try:
        if variable is None:
            return load_keys(settings.service.key_file)
        return keys_in(os.environ.get(variable, ""), f"the variable {variable}")
    except (OSError, ValueError) as error:
        raise ConfigError([f"[service] {'key_file' if variable is None else 'key_env'}: {error}"]) from None


def lost_key(settings: Settings, store: Store) -> list[str]:
    """Return a problem if there are games but no key, as a new key would not verify tokens in the games' letters."""
    if has_keys(settings):
        return []
    with store.transaction() as session:
        if not people.is_anybody_known(session):
            return []
    return [
        f"[service] key_file: the key is missing, and the database has games; put the key back to "
        f"{settings.service.key_file}, or, if it is lost for good, make a new one with `takmail key new`"
    ]


def opened(settings: Settings, time_source: TimeSource, *, upgrades: bool = False) -> tuple[Store, SeatKey]:
    """Open the database and load the key. Create what is missing. Raises ConfigError and the errors of `Store.open`."""
    # The key comes first, so that no database is created if the key is wrong.
    there = keys(settings) if has_keys(settings) else None
    store = Store.open(settings.store.url, time_source, upgrades=upgrades)
    try:
        if problems := lost_key(settings, store):
            raise ConfigError(problems)
        return store, seat_key(settings, there or keys(settings), time_source)
    except BaseException:
        store.close()
        raise


def seat_key(settings: Settings, all_keys: Keys, time_source: TimeSource) -> SeatKey:
    service = settings.service
    file = KeyFile(service.key_file, all_keys)
    return SeatKey(
        all_keys.newest,
        service.address,
        service.recipient_delimiter,
        # Called again for every token, as old keys expire while the service runs.
        lambda: file.keys.still_accepted(time_source(), service.old_key_days),
        # The variable of a running process never changes.
        None if service.key_env is not None else lambda: file.reload().newest,
    )


def key_id(settings: Settings, time_source: TimeSource) -> str | None:
    """Return the id of the key that the settings name now, or None if there is none, or none that can be read."""
    try:
        return seat_key(settings, keys(settings), time_source).id if has_keys(settings) else None
    except ConfigError:
        return None


def old_key_in_use(settings: Settings, session: Session, time_source: TimeSource) -> bool:
    """Return whether a running process has another key than the settings name."""
    current = key_id(settings, time_source)
    return current is not None and leases.have_other_key(session, current, process_name.is_gone)


def services(settings: Settings, key: SeatKey) -> Services:
    limits = settings.limits
    return Services(
        settings.service.address,
        settings.service.name,
        key,
        Templates(folder()),
        limits.of_letters(),
        limits.of_mails(),
        settings.service.authserv_id,
        settings.service.operator,
        LetterView(settings.service.letters),
        settings.store.keep_mail_days,
        Access(NewPlayers(settings.service.new_players), frozenset(settings.service.organisers)),
        settings.service.language,
        commands=COMMANDS,
        games=GAMES,
        bots=bots(settings),
    )


def bots(settings: Settings) -> Bots:
    """Return the bots that the operator offers: takmail's own, and external engines."""
    if not settings.bots.enabled:
        return NO_BOTS
    own = (Bot(level) for level in LEVELS if level in settings.bots.levels)
    external = (Bot(engine.name, engine.plays) for engine in engines(settings))
    return Bots((*own, *external), settings.bots.games)


def engines(settings: Settings) -> tuple[Engine, ...]:
    """Return the external engines. None of them is started by this."""
    host = next(game for game in GAMES.by_name.values() if isinstance(game, EngineHost))
    return tuple(
        Engine(
            engine.name,
            engine.command,
            EngineTerms(engine.sizes, engine.half_komi, engine.movetime, options=engine.options),
            engine.memory_mib * 1024 * 1024,
            host,
            60 * engine.keep_minutes,
        )
        for engine in settings.engine
    )


def token_problems(settings: Settings) -> list[str]:
    """Return what keeps takmail from getting access tokens by itself, as far as the token file tells."""
    if settings.own_tokens is None:
        return []
    file = settings.own_tokens.token_file
    try:
        is_refused = read_tokens(file).refused_since
    except TokenError as error:
        return [f"[oauth] token_file: {error}"]
    return [f"[oauth] token_file: the last login with {file} was refused; {LOG_IN}"] if is_refused else []


def imap_account(settings: ImapSettings, oauth: OAuthSettings | None, time_source: TimeSource) -> ImapAccount:
    """Return the IMAP account of the mailbox. Raises ConfigError if its password can't be read or used."""
    try:
        return ImapAccount(
            host=settings.host,
            port=settings.port,
            user=settings.user,
            password=settings.secret() or "",
            tls=settings.tls,
            mailbox=settings.mailbox,
            processed=settings.processed,
            rejected=settings.rejected,
            marker=settings.marker,
            poll_seconds=settings.poll_seconds,
            ca_file=_text(settings.ca_file),
            password_key=settings.password_key,
            tokens=_tokens(settings, oauth, time_source),
        )
    except ValueError as error:
        raise ConfigError([f"[imap] {error}"]) from None


def lmtp_place(settings: LmtpSettings) -> LmtpAddress:
    """Return the address at which to listen for LMTP."""
    return LmtpAddress(settings.socket, int(settings.mode, 8), settings.host, settings.port)


def smtp_account(settings: SmtpSettings, oauth: OAuthSettings | None, time_source: TimeSource) -> SmtpAccount:
    """Return the SMTP account of the mail server. Raises ConfigError if its password can't be read."""
    return SmtpAccount(
        host=settings.host,
        port=settings.port,
        user=settings.user or "",
        password=settings.secret() or "",
        tls=settings.tls,
        ca_file=_text(settings.ca_file),
        password_key=settings.password_key,
        tokens=_tokens(settings, oauth, time_source),
    )


def _tokens(
    server: ServerSettings, oauth: OAuthSettings | None, time_source: TimeSource
) -> AccessTokens | None:
    """Return where the access tokens for a server come from, or None if it has a password or no login."""
    if not server.uses_oauth:
        return None
    if server.token_command is not None:
        return CommandTokens(server.token_command)
    assert oauth is not None, "checked with the settings"
    return OwnTokens(oauth, time_source)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


@contextmanager
def dry_run(settings: Settings, time_source: TimeSource) -> Iterator[tuple[Causes, Session]]:
    """Yield what handles a mail as the real service would now. No data is changed and no file is created.

    If there is no database, an empty one in memory is used. If there is no key, a random one is used. Raises the
    errors of `App`.
    """
    there = keys(settings) if has_keys(settings) else Keys(secrets.token_bytes())
    url = settings.store.url if is_there(settings.store.url) else "sqlite://"
    with closing(Store.open_read_only(url)) as store, store.dry_run() as session:
        yield Causes(services(settings, seat_key(settings, there, time_source)), time_source), session
