"""Define the commands that back up and restore the database."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from takmail import __version__
from takmail.cli.common import config_option, faults_told, now, opened, settings_of, time_source
from takmail.letters.templates import Templates, folder, printable
from takmail.store import marker, schema
from takmail.store.backup import back_up, file_of, put_back
from takmail.store.database import Store, is_there
from takmail.store.schema import CannotUse


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@config_option
def backup(file: Path, force: bool, config_file: Path) -> None:
    """Copy the database into a file, even while takmail runs.

    The copy is consistent and checked. Only you can read it, because it contains mails, addresses and games. It does
    not contain the key, so keep a copy of the key in another place. The command works with SQLite only.

    \b
    Examples:
      takmail backup takmail-monday.sqlite --force
      takmail backup /backup/takmail.sqlite --config /etc/takmail/config.toml
    """
    settings, templates = settings_of(config_file), Templates(folder())
    with _errors_reported(templates, file):
        back_up(file_of(settings.store.url), file, force=force)
        size = file.stat().st_size
    service = settings.service
    facts = {"file": str(file), "size": size, "key_env": service.key_env, "key_file": str(service.key_file)}
    click.echo(templates.page("console/backed_up.txt", **facts))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@config_option
def restore(file: Path, config_file: Path) -> None:
    """Replace the database by a copy made with `takmail backup`.

    Stop `takmail serve` first, because the command fails while any program has the database open. The copy is checked
    and not changed. The old database is kept in the same folder as the new one, under a name with the time. The
    service of the restored database may take the mailbox over, as with `takmail take-mailbox`.

    \b
    Example:
      takmail restore /backup/takmail.sqlite
    """
    settings, templates = settings_of(config_file), Templates(folder())
    with _errors_reported(templates, file):
        database = file_of(settings.store.url)
        kept, revision = put_back(file, database, now())
    service = settings.service
    facts = {
        "file": str(database),
        "copy": str(file),
        "kept": None if kept is None else str(kept),
        "is_older": revision != schema.HEAD,
        "takes_over": settings.imap is not None,
        "key_env": service.key_env,
        "key_file": str(service.key_file),
    }
    click.echo(templates.page("console/restored.txt", **facts))


@click.command()
@config_option
def upgrade(config_file: Path) -> None:
    """Upgrade the database to the schema of this takmail, as the start of `takmail serve` does.

    Stop `takmail serve` and whatever calls `takmail deliver` first. All of it is upgraded, or nothing is changed. An
    SQLite file is first copied to one beside it, with the time in its name. No command but this one and `takmail serve`
    changes a schema: the others exit with 65, and name this command. `takmail deliver` exits with 75.

    \b
    Example:
      takmail upgrade --config /etc/takmail/config.toml
    """
    settings = settings_of(config_file)
    if not is_there(settings.store.url):
        raise click.ClickException(
            f"[store] {settings.store.shown}: there is no database yet; `takmail serve` makes it"
        )
    with (
        faults_told(config_file, settings),
        closing(Store.open(settings.store.url, time_source(), upgrades=True)),
    ):
        click.echo(f"{settings.store.shown} has schema {schema.HEAD}, that of takmail {__version__}")


@click.command("take-mailbox")
@config_option
def take_mailbox(config_file: Path) -> None:
    """Let this database's service read the mailbox.

    Only one database's service may read a mailbox, so that no mail is answered twice; a message in the mailbox, the
    marker, tells which. A service stops if the marker is that of another copy of its database, or of another database.
    Stop that service, then run this command. A running `takmail serve` takes the mailbox over within a minute, and
    a stopped one at its start. If the other service is still there, it stops by itself.

    \b
    Example:
      takmail take-mailbox --config /etc/takmail/config.toml
    """
    with opened(config_file) as app:
        if app.settings.imap is None:
            raise click.ClickException(app.services.templates.line("console/no_mailbox.txt"))
        with app.store.transaction() as session:
            marker.allow_take_over(session)
        facts = {"mailbox": app.settings.imap.mailbox}
        click.echo(app.services.templates.page("console/may_take_over.txt", **facts))


@contextmanager
def _errors_reported(templates: Templates, file: Path) -> Iterator[None]:
    """Print one sentence and exit with 1 if the backup or the restore fails in the block."""
    try:
        yield
    except CannotUse as error:
        facts = {"fault": error.fault, "file": str(error.file)}
        raise click.ClickException(templates.line("console/cant_copy.txt", **facts)) from None
    except OSError as error:
        raise click.ClickException(
            f"{printable(str(error.filename2 or error.filename or file))}: {error.strerror or error}"
        ) from None
    except sqlite3.Error as error:
        raise click.ClickException(f"{printable(str(file))}: {error}") from None
