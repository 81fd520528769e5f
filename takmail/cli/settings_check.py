"""Trying the connections that the settings name, and the database, for `check-config`."""

import asyncio
import stat
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from takmail.config import Settings
from takmail.runtime.net.imap import CommandRefused, LoginRefused, Mailbox, MailboxLost
from takmail.runtime.net.lmtp_socket import why_not_listening
from takmail.runtime.net.smtp import Sender, SendingImpossible
from takmail.runtime.parts import has_keys, imap_account, lmtp_place, lost_key, smtp_account
from takmail.store.database import Store, is_there
from takmail.store.schema import CannotOpen, SchemaFault

_ADVICE = {
    "password authentication failed": "mend the user or the password in the url",
    "no password supplied": "put the password into the url, or name a file that holds it by ?passfile=",
    "no pg_hba.conf entry": "the server lets nobody in from here: see its pg_hba.conf",
    "does not exist": "make it there, as docs/operating.md tells",
    "starting up": "wait until it is ready",
    "too many ": "let it have more connections (max_connections)",
    "failed to resolve host": "mend the host in the url",
    "permission denied": "let the database belong to the user: ALTER DATABASE … OWNER TO …",
    "invalid connection option": "see what stands behind the ? in the url",
    "failed: ": "start the server, or mend host and port in the url",
}
"""What an operator can do, by what PostgreSQL says (in English) when it lets nobody in; the first that fits."""

_CANT_OPEN = {
    SchemaFault.OLDER: "a takmail older than the one before this has made it; start that one on it once, then this one",
    SchemaFault.NEWER: "a newer takmail has made it; install that one again, or restore a backup from before",
    SchemaFault.FOREIGN: "it has tables, and none of takmail's; name another database",
    SchemaFault.IN_USE: "it has to be brought up to date, and is in use; stop `takmail serve` and whatever calls"
    " `takmail deliver` first",
    SchemaFault.NOT_UPGRADED: "it can't be brought up to date, and nothing was changed: ",
}
"""What an operator can do about a database that takmail leaves as it is."""


def connection_problems(settings: Settings) -> list[str]:
    """Log in to both servers, look at where LMTP is listened for, and open the database; a sentence for each fault."""
    return asyncio.run(_servers(settings)) + _door(settings) + _database(settings)


def lost_key_of_file(settings: Settings) -> list[str]:
    """What is to be mended where the games are in a file and their key is gone; nothing is made or changed."""
    url = settings.store.url
    if has_keys(settings) or is_on_a_server(settings) or not is_there(url):
        return []
    store = Store.untouched(url)
    try:
        return lost_key(settings, store) if store.has_tables() else []
    except SQLAlchemyError as error:
        return [store_problem(settings, error)]
    finally:
        store.close()


def store_problem(settings: Settings, error: Exception) -> str:
    """A database's error in one line, with the address that it was asked at and without its password."""
    if isinstance(error, CannotOpen):
        return f"[store] {settings.store.shown}: {_CANT_OPEN[error.fault]}{error.why}"
    if not isinstance(error, DBAPIError) or not is_on_a_server(settings):
        return f"[store] {settings.store.shown}: {str(error).splitlines()[0]}"
    said = str(error.orig).splitlines()[0]
    what_to_do = next((advice for words, advice in _ADVICE.items() if words in said), "")
    return f"[store] url: {settings.store.shown}: {said}{what_to_do and '; ' + what_to_do}"


def is_on_a_server(settings: Settings) -> bool:
    """Whether the database is asked over a connection, and is in no file."""
    return make_url(settings.store.url).get_backend_name() == "postgresql"


async def _servers(settings: Settings) -> list[str]:
    """Log in to both servers; gives what went wrong."""
    found = []
    if settings.imap is not None:
        try:
            await Mailbox(imap_account(settings.imap)).check()
        except (LoginRefused, MailboxLost, CommandRefused, OSError) as error:
            found.append(f"[imap] {error}")
    sender = Sender(smtp_account(settings.smtp))
    try:
        await sender.check()
    except SendingImpossible as error:
        found.append(f"[smtp] {error}")
    finally:
        await sender.close()
    return found


def _door(settings: Settings) -> list[str]:
    """What would keep a service from listening; one that runs there is no fault."""
    wrong = why_not_listening(lmtp_place(settings.lmtp)) if settings.lmtp is not None else None
    return [] if wrong is None else [f"[lmtp] {wrong}"]


def _database(settings: Settings) -> list[str]:
    """Open the database, which makes it where there is none; gives what went wrong, or what is missing beside it."""
    try:
        store = Store.open(settings.store.url)
        try:
            return lost_key(settings, store)
        finally:
            store.close()
    except (SQLAlchemyError, CannotOpen) as error:
        return [store_problem(settings, error)]


def readable_secrets(config_file: Path, settings: Settings) -> list[str]:
    """A sentence for each secret that others can read, with what to do. A group of the operator's may read it."""
    return [
        f"{key}: others can read it in {file}; keep it to yourself by `chmod 600 {file}`"
        for key, file in _secrets(config_file, settings)
        if _is_readable_by_all(file)
    ]


def _secrets(config_file: Path, settings: Settings) -> Iterator[tuple[str, Path]]:
    """The keys that hold a secret, each with the file in which it stands; none for what the environment holds."""
    for name, server in (("imap", settings.imap), ("smtp", settings.smtp)):
        if server is not None and server.password is not None:
            yield f"[{name}] password", config_file
        if server is not None and server.password_file is not None:
            yield f"[{name}] password_file", server.password_file
    if make_url(settings.store.url).password:
        yield "[store] url", config_file
    if settings.service.key_env is None:
        yield "[service] key_file", settings.service.key_file


def _is_readable_by_all(file: Path) -> bool:
    try:
        return bool(file.stat().st_mode & stat.S_IROTH)
    except OSError:
        return False  # it isn't there, or can't be looked at, which is told elsewhere
