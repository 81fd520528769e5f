"""Check the servers, the database and the engines of the settings, for `check-config`."""

import asyncio
import os
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from aiosmtplib import SMTPAuthenticationError, SMTPRecipientRefused
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from takmail import __version__
from takmail.config import Settings
from takmail.letters.templates import Templates, folder
from takmail.mail.marker import Ownership, owner_of
from takmail.mail.sending_limit import is_sending_limit
from takmail.runtime.engines import EngineFailed
from takmail.runtime.mailbox_guard import markers_of, taken
from takmail.runtime.net.imap import CommandRefused, LoginRefused, Mailbox, MailboxLost
from takmail.runtime.net.lmtp_socket import why_not_listening
from takmail.runtime.net.smtp import CannotSend, SmtpSender
from takmail.runtime.parts import (
    engines,
    has_keys,
    imap_account,
    lmtp_place,
    lost_key,
    old_key_in_use,
    smtp_account,
)
from takmail.store import marker, schema
from takmail.store.database import Store, advice, is_there
from takmail.store.machine_time import TimeSource
from takmail.store.marker import MarkerState
from takmail.store.schema import CannotUse, DatabaseFault

_CANT_OPEN = {
    DatabaseFault.OLDER: "a takmail from before 0.1.0 has made it, and none of those was released; "
    "commit d63c300a could still upgrade it, or name another database",
    DatabaseFault.NEWER: "a newer takmail has made it; install that one again, or restore a backup from before",
    DatabaseFault.FOREIGN: "it has tables of another program; name another database",
    DatabaseFault.IN_USE: "it has to be upgraded, and is in use; stop `takmail serve` and whatever calls"
    " `takmail deliver` first",
    DatabaseFault.NOT_UPGRADED: "it can't be upgraded, and nothing was changed: ",
}
"""The problem and the advice for the operator, by the reason why takmail can't open a database."""


_OWN_ADDRESS = "; the login works, but not with `address` in [service]"
_TRIED_MILLISECONDS = 500
_PATIENCE = 20  # seconds for an answer of a server, as somebody waits


@dataclass(frozen=True, slots=True)
class ServerProblem:
    """Why takmail can't use a server, in a sentence, and whether the server has refused the login."""

    sentence: str
    is_refusal: bool


def connection_problems(settings: Settings, time_source: TimeSource) -> list[str]:
    """Log in to both servers, check the LMTP socket and open the database. Return a sentence for each problem.

    If the servers are well, check also whose the mailbox is.
    """
    problems = [problem.sentence for problem in server_problems(settings, time_source)]
    return (problems or asyncio.run(_marker_problems(settings, time_source))) + problems_here(
        settings, time_source
    )


def server_problems(settings: Settings, time_source: TimeSource) -> list[ServerProblem]:
    """Log in to the IMAP and SMTP servers. Return each problem."""
    return asyncio.run(_server_problems(settings, time_source))


def problems_here(settings: Settings, time_source: TimeSource) -> list[str]:
    """Check the LMTP socket and open the database. Return a sentence for each problem."""
    return _lmtp_problems(settings) + _database_problems(settings, time_source)


def lost_key_of_file(settings: Settings) -> list[str]:
    """Return the problem of a lost key, if the database is in a file. Nothing is created or changed."""
    url = settings.store.url
    if has_keys(settings) or is_on_a_server(settings) or not is_there(url):
        return []
    with closing(Store.open_read_only(url)) as store:
        try:
            return lost_key(settings, store) if store.has_tables() else []
        except SQLAlchemyError as error:
            return [store_problem(settings, error)]


def is_served_with_old_key(settings: Settings, time_source: TimeSource) -> bool:
    """Return whether a running process has another key than the settings name. Nothing is created or changed."""
    if not is_there(settings.store.url):
        return False
    with closing(Store.open_read_only(settings.store.url)) as store:
        try:
            if not store.has_tables():
                return False
            with store.dry_run() as session:
                return old_key_in_use(settings, session, time_source)
        except (SQLAlchemyError, CannotUse):
            return False  # reported elsewhere


def store_problem(settings: Settings, error: Exception) -> str:
    """Word a database error on one line, with advice. The database's URL is shown without its password."""
    if isinstance(error, CannotUse):
        if error.fault is DatabaseFault.TO_UPGRADE:
            return f"[store] {settings.store.shown}: {_to_upgrade(error.why)}"
        problem = _CANT_OPEN.get(error.fault, f"it can't be used ({error.fault})")
        return f"[store] {settings.store.shown}: {problem}{error.why}"
    if not isinstance(error, DBAPIError) or not is_on_a_server(settings):
        return f"[store] {settings.store.shown}: {str(error).splitlines()[0]}{advice(error)}"
    said = str(error.orig).splitlines()[0]
    return f"[store] url: {settings.store.shown}: {said}{advice(error)}"


def _to_upgrade(version: str) -> str:
    return (
        f"its schema is {version}, and takmail {__version__} needs {schema.HEAD}; stop `takmail serve` and whatever "
        "calls `takmail deliver`, and run `takmail upgrade`, or start `takmail serve`, which upgrades it, too"
    )


def is_on_a_server(settings: Settings) -> bool:
    """Return whether the database is on a server, and not in a file."""
    return make_url(settings.store.url).get_backend_name() == "postgresql"


async def _server_problems(settings: Settings, time_source: TimeSource) -> list[ServerProblem]:
    found = []
    if settings.imap is not None:
        try:
            account = imap_account(settings.imap, settings.oauth, time_source)
            await Mailbox(replace(account, timeout=_PATIENCE)).check()
        except (LoginRefused, MailboxLost, CommandRefused, OSError) as error:
            found.append(ServerProblem(f"[imap] {error}", isinstance(error, LoginRefused)))
    sender = SmtpSender(replace(smtp_account(settings.smtp, settings.oauth, time_source), timeout=_PATIENCE))
    try:
        await sender.check(settings.service.address)
    except CannotSend as error:
        cause = error.__cause__
        # The library makes no difference between a wrong password and a limit or an outage at the login.
        refused = (
            isinstance(cause, SMTPAuthenticationError)
            and cause.code >= 500
            and not is_sending_limit(cause.message, before_recipient=True)
        )
        # The only address that the check names is takmail's own.
        advice = _OWN_ADDRESS if isinstance(cause, SMTPRecipientRefused) else ""
        found.append(ServerProblem(f"[smtp] {error}{advice}", refused))
    finally:
        await sender.close()
    return found


async def _marker_problems(settings: Settings, time_source: TimeSource) -> list[str]:
    """Return the problem that the mailbox is not this database's, as far as both tell. Nothing is changed."""
    if settings.imap is None or not settings.imap.marker:
        return []
    account = replace(imap_account(settings.imap, settings.oauth, time_source), timeout=_PATIENCE)
    try:
        async with Mailbox(account) as mailbox:
            _, mails = await mailbox.markers(makes_folder=False)
    except (LoginRefused, MailboxLost, CommandRefused, OSError):
        return []  # the log in has just worked, and a server may refuse markers
    found = markers_of(account, [(mail.uid, mail.raw) for mail in mails])
    known = _marker_state(settings)
    newest = found[-1][1] if found else None
    ours = known.ours if known is not None else Ownership("-")
    whose = owner_of(newest, ours)
    if not whose.forbids or (known is not None and known.takes_over):
        return []
    return [f"[imap] mailbox: {taken(Templates(folder()), account, newest, whose, ours)}"]


def _marker_state(settings: Settings) -> MarkerState | None:
    """Return the database's side of the marker, or None if it has none or can't be read."""
    if not is_there(settings.store.url):
        return None
    try:
        with closing(Store.open_read_only(settings.store.url)) as store:
            if not store.has_tables():
                return None
            with store.dry_run() as session:
                return marker.state(session)
    except (SQLAlchemyError, CannotUse):
        return None  # reported elsewhere


def stopped_service(settings: Settings) -> list[str]:
    """Return the problem that the database's service has stopped, as the mailbox is not its own. Nothing is changed."""
    if settings.imap is None or is_on_a_server(settings):
        return []
    known = _marker_state(settings)
    return [f"[imap] mailbox: {known.stopped}"] if known is not None and known.stopped else []


def _lmtp_problems(settings: Settings) -> list[str]:
    """Return the reason why takmail can't listen for LMTP. It is no problem if a running takmail listens there."""
    wrong = why_not_listening(lmtp_place(settings.lmtp)) if settings.lmtp is not None else None
    return [] if wrong is None else [f"[lmtp] {wrong}"]


def _database_problems(settings: Settings, time_source: TimeSource) -> list[str]:
    """Open or create the database. Return a sentence for each problem, including a lost key."""
    try:
        with closing(Store.open(settings.store.url, time_source)) as store:
            return lost_key(settings, store)
    except (SQLAlchemyError, CannotUse) as error:
        return [store_problem(settings, error)]


def tried_engines(settings: Settings) -> tuple[list[str], list[str]]:
    """Start each engine, and let it play the first turn of each kind of game.

    Return a sentence for each engine that fails, and one for each that plays.
    """
    problems, playing = [], []
    for engine in engines(settings):
        terms = replace(engine.terms, milliseconds=min(engine.terms.milliseconds, _TRIED_MILLISECONDS))
        setups = engine.host.trials(terms)
        try:
            notes = [replace(engine, terms=terms).choose(setup, ()).note for setup in setups]
            playing.append(f"[[engine]] {engine.name}: {notes[0]}; plays {', '.join(setups)}")
        except EngineFailed as error:
            problems.append(str(error))
    return problems, playing


def readable_secrets(config_file: Path, settings: Settings) -> list[str]:
    """Return a sentence for each secret that all users of this machine can read. A group may read secrets."""
    return [
        f"{key}: others can read it in {file}; run `chmod 600 {file}`"
        for key, file in _secrets(config_file, settings)
        if _is_readable_by_all(file)
    ]


def unwritable_tokens(settings: Settings) -> list[str]:
    """Return the problem of a token file in a folder that can't be written to, as a renewal replaces the file."""
    folder = settings.own_tokens.token_file.resolve().parent if settings.own_tokens else None
    if folder is None or os.access(folder, os.W_OK):
        return []
    return [f"[oauth] token_file: takmail can't write to {folder}, and renewed tokens belong there"]


def _secrets(config_file: Path, settings: Settings) -> Iterator[tuple[str, Path]]:
    """Yield the name of each setting that is a secret, with the file that contains the secret.

    Secrets in environment variables are left out.
    """
    for name, server in (("imap", settings.imap), ("smtp", settings.smtp)):
        if server is not None and server.password is not None:
            yield f"[{name}] password", config_file
        if server is not None and server.password_file is not None:
            yield f"[{name}] password_file", server.password_file
    if settings.oauth is not None:
        yield "[oauth] token_file", settings.oauth.token_file
        if settings.oauth.client_secret is not None:
            yield "[oauth] client_secret", config_file
    if make_url(settings.store.url).password:
        yield "[store] url", config_file
    if settings.service.key_env is None:
        yield "[service] key_file", settings.service.key_file


def _is_readable_by_all(file: Path) -> bool:
    try:
        return bool(file.stat().st_mode & stat.S_IROTH)
    except OSError:
        return False  # a missing file is reported elsewhere
