"""Define `takmail init`, which makes the config.toml for a mailbox, and `takmail login`, which logs in to it once."""

import asyncio
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

import click
from pydantic import ValidationError

from takmail.cli import settings_check
from takmail.cli.common import config_option, say, settings_of, time_source, wrong
from takmail.cli.settings_check import ServerProblem
from takmail.config import ConfigError, ServiceSettings, Settings, loading
from takmail.config.private_files import replace_privately
from takmail.config.providers import OAUTH_PROVIDERS, Provider, Server, Tls, provider_of, providers
from takmail.config.tls import is_loopback
from takmail.letters.templates import Templates, folder, printable
from takmail.runtime.net.oauth import log_in
from takmail.runtime.net.usual_servers import usual_servers, with_tls_found

_TRIES = 3
"""How many times the secrets are asked for if a server refuses them."""

_NO_OAUTH = (
    'auth: `takmail login` is for [imap] and [smtp] with auth = "oauth2", and for [oauth] with provider ("google",'
    ' "microsoft" or an https:// address) and client_id (docs/oauth.md)'
)


def _server(text: str, usual_port: int) -> Server:
    whole = text if ":" in text or "." not in text else f"{text}:{usual_port}"
    host, _, port = whole.strip().rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise click.BadParameter("this is not a server with its port, such as imap.example.org:993")
    return Server(host.removeprefix("[").removesuffix("]"), int(port))


def _address(text: str) -> str:
    try:
        return ServiceSettings(address=text).address
    except ValidationError:
        raise click.BadParameter("must be one bare mail address, such as tak@example.org") from None


@click.command("init")
@click.argument("address", type=_address)
@config_option
@click.option(
    "--provider", type=click.Choice(list(providers())), help="The provider of a domain of your own."
)
@click.option(
    "--imap",
    type=lambda text: _server(text, 993),
    metavar="HOST[:PORT]",
    help="The server of the mailbox, if it is another one. Default port: 993.",
)
@click.option(
    "--smtp",
    type=lambda text: _server(text, 587),
    metavar="HOST[:PORT]",
    help="The server for letters, if it is another one. Default port: 587.",
)
@click.option("--user", metavar="NAME", help="The login name, if it is another one.")
@click.option(
    "--ca-file",
    type=click.Path(exists=True, dir_okay=False, resolve_path=True, path_type=Path),
    help="A file with the certificates to trust instead of the system's, also for servers here.",
)
@click.option("--force", is_flag=True, help="Replace a config file that is there.")
def init(
    address: str,
    config_file: Path,
    provider: str | None,
    imap: Server | None,
    smtp: Server | None,
    user: str | None,
    ca_file: Path | None,
    force: bool,
) -> None:
    """Make the config.toml for takmail's mailbox ADDRESS.

    Knows the common providers, and says what to switch on there and which password to make. Other domains are tried by
    the usual names of servers. Asks for what is missing, logs in to both servers, and writes the file, which only you
    can read. Without a terminal each answer is a line of standard input.

    \b
    Examples:
      takmail init you@gmail.com
      takmail init tak@example.org --provider microsoft365
      takmail init tak@example.org --imap mail.example.org:993 --smtp mail.example.org:587
    """
    _ensure_free(config_file, replaces=force)
    domain = address.partition("@")[2]
    it = providers()[provider] if provider else provider_of(domain) or _another(domain, imap, smtp, ca_file)
    it = replace(it, imap=imap or it.imap, smtp=smtp or it.smtp)
    it = _with_tls_found(it) if it.name == providers()["local"].name else it
    attempts = _attempts(it, address, user, ca_file)
    it, user = attempts[0]
    facts = {
        "address": address,
        "ca_file": ca_file,
        "config_file": config_file,
        "example": loading.example(),
        "program": _program(),
        "toml": _toml,
    }
    templates = Templates(folder())
    click.echo(templates.page("console/init/provider.txt", it=it, **facts))
    tried = _logged_in(
        lambda: _tried(templates, attempts, {**facts, "secrets": _ask(it)}, config_file), attempts
    )
    _write(config_file, tried.text)
    problems = [problem.sentence for problem in tried.problems]
    problems += settings_check.problems_here(tried.settings, time_source())
    database = tried.settings.store.shown
    click.echo(templates.page("console/init/next.txt", problems=problems, database=database, it=it, **facts))
    if problems:
        wrong(config_file, problems)


def _ensure_free(config_file: Path, *, replaces: bool) -> None:
    """Raise an error if the config file can't be written, or is there and is not to be replaced."""
    if config_file.exists() and not replaces:
        click.echo(f"{config_file} is there already, and is kept. --force replaces it.", err=True)
        raise click.ClickException(
            f"it is valid, and for {settings_of(config_file).service.address}; try it with "
            f"`{_program()} check-config --connect`. For another mailbox, begin in another folder"
        )
    if not config_file.absolute().parent.is_dir():
        raise click.ClickException(f"{config_file} can't be written: there is no such folder")


def _write(config_file: Path, text: str) -> None:
    try:
        replace_privately(config_file, text)
    except OSError as error:
        raise click.ClickException(f"{config_file} can't be written: {error.strerror or error}") from None


def _with_tls_found(it: Provider) -> Provider:
    """Return servers of one's own with the TLS that they speak."""
    imap, smtp = asyncio.run(with_tls_found([it.imap, it.smtp]))
    # takmail's IMAP knows no other TLS.
    if imap.speaks is None and is_loopback(imap.host):
        imap = imap._replace(speaks="none")
    return replace(it, imap=imap, smtp=smtp)


def _logged_in(log_in_anew: Callable[[], "_Tried"], attempts: Sequence[tuple[Provider, str]]) -> "_Tried":
    """Log in until it is not refused, and return the settings. Raises an error after a few refusals."""
    for _ in range(_TRIES):
        try:
            tried = log_in_anew()
        except (ConfigError, OSError) as error:  # a TokenError is an OSError
            say(str(error), err=True)
            if isinstance(error, OSError) and not getattr(error, "code", ""):
                raise click.ClickException("nothing was refused, and nothing is written") from None
            continue
        # What keeps an OAuth login out of a mail server is mended there, and not by another client id.
        if tried.settings.oauth or not any(problem.is_refusal for problem in tried.problems):
            return tried
        names = " or ".join(dict.fromkeys(name for _, name in attempts))
        problems = [problem.sentence for problem in tried.problems]
        say("\n".join([*problems, f"Is this the {attempts[0][0].password} of {names}?"]), err=True)
    raise click.ClickException(
        "the login was refused each time, and nothing is written. If the login name is another one: --user"
    )


@click.command()
@click.argument("provider", required=False)
@config_option
def login(provider: str | None, config_file: Path) -> None:
    """Log in to the mailbox with OAuth 2, once, in a browser.

    Shows an address to open, on this machine or another one, and waits until you have logged in there. The tokens go to
    the token file. A running `takmail serve` uses them from then on, and renews them.

    PROVIDER is google, microsoft, or the address of another one: `provider` in [oauth], which has to be the same.

    \b
    Examples:
      takmail login
      takmail login microsoft --config /etc/takmail/config.toml
    """
    settings = settings_of(config_file)
    oauth = settings.own_tokens
    if oauth is None:
        wrong(config_file, [_NO_OAUTH])
    if (provider or oauth.provider).rstrip("/") != oauth.provider:
        wrong(config_file, [f'[oauth] provider: is "{oauth.provider}", and not "{provider}"'])
    user = settings.imap.user if settings.imap else settings.smtp.user
    try:
        log_in(oauth, user or settings.service.address, say, time_source())
    except OSError as error:  # a TokenError is one
        raise click.ClickException(printable(str(error))) from None
    click.echo(
        f"{oauth.token_file} has the tokens now. Next: takmail check-config --connect --config {config_file}"
    )


@dataclass(frozen=True, slots=True)
class _Tried:
    """The settings of one attempt to log in, with their text, and what was wrong."""

    text: str
    settings: Settings
    problems: Sequence[ServerProblem]


def _attempts(
    it: Provider, address: str, user: str | None, ca_file: Path | None
) -> list[tuple[Provider, str]]:
    """Return what to try: how the servers are used, and with which login name. One way, unless they are local.

    A server on this machine may know its users by their addresses or by the part before the @, and may want TLS before
    a login.
    """
    local_part = address.partition("@")[0]
    if it.name != providers()["local"].name:
        return [(it, user or (address if it.login == "address" else local_part))]
    ways = [it]
    if it.smtp.port != 25 and it.smtp.speaks is None and is_loopback(it.smtp.host):
        other: Tls = "starttls" if it.smtp.tls(ca_file) == "none" else "none"
        ways.append(replace(it, smtp=it.smtp._replace(speaks=other)))
    return [(way, name) for way in ways for name in ([user] if user else [local_part, address])]


def _tried(
    templates: Templates, attempts: Sequence[tuple[Provider, str]], facts: Mapping[str, object], file: Path
) -> _Tried:
    """Log in to both servers in each of the ways until one works. Return that one, or the one with fewest problems.

    Raises ConfigError, and OSError if OAuth 2 fails.
    """
    best: _Tried | None = None
    for it, user in attempts:
        text = templates.page("console/init/config.txt", it=it, user=user, **facts) + "\n"
        settings = loading.parse(text, file)
        if settings.oauth is not None:
            log_in(settings.oauth, user, say, time_source())
        if best is None:
            click.echo(f"Logging in to {it.imap.host} and {it.smtp.host} …")
        tried = _Tried(text, settings, settings_check.server_problems(settings, time_source()))
        if best is None or len(tried.problems) < len(best.problems):
            best = tried
        if not tried.problems:
            break
    assert best is not None
    return best


def _another(domain: str, imap: Server | None, smtp: Server | None, ca_file: Path | None) -> Provider:
    """Return the provider of a domain that takmail doesn't know: by the usual names of servers, or by asking."""
    if imap is None or smtp is None:
        known = [one for provider in providers().values() for one in provider.domains]
        hints = (f" If you mean {one}, break off with Ctrl-C." for one in get_close_matches(domain, known, 1))
        click.echo(f"takmail doesn't know {domain}, and tries the usual names of servers …{''.join(hints)}")
        usual_imap, usual_smtp = asyncio.run(usual_servers(domain, None if ca_file is None else str(ca_file)))
        imap, smtp = imap or usual_imap, smtp or usual_smtp
    if imap is None:
        click.echo(
            "No server answers for mailboxes, or this machine has no network. If your domain is at one of these "
            f"providers, break off with Ctrl-C, and add --provider: {', '.join(providers())}.\n"
            "Otherwise your provider's help pages have the name of the server, below 'IMAP'."
        )
        imap = click.prompt(
            "The server of the mailbox (host:port)", value_proc=lambda text: _server(text, 993)
        )
    smtp = smtp or click.prompt(
        "The server that sends letters (host:port)", value_proc=lambda text: _server(text, 587)
    )
    return Provider(domain, imap, smtp)


def _ask(provider: Provider) -> Mapping[str, str]:
    """Ask for what the login needs: a password, or takmail's registration with an OAuth provider."""
    if provider.oauth:
        client_id = click.prompt("Client id").strip()
        client_secret = _secret("Client secret") if OAUTH_PROVIDERS[provider.oauth].gives_secrets else ""
        return {"client_id": client_id, "client_secret": client_secret}
    password = _secret(provider.password.capitalize())
    # Providers show an app password in groups, which are meant without the spaces.
    return {"password": "".join(password.split()) if provider.password == "app password" else password}


def _secret(what: str) -> str:
    """Ask for a secret without showing it. Without a terminal it is the next line of standard input with any word."""
    if sys.stdin.isatty():
        return str(click.prompt(what, hide_input=True))
    click.echo(f"{what}:")
    try:
        return str(next(filter(str.strip, sys.stdin))).rstrip("\r\n")
    except StopIteration:
        raise click.Abort from None
    except UnicodeDecodeError:
        raise click.ClickException("the answer is not UTF-8") from None


def _program() -> str:
    """Return how the operator calls takmail."""
    return sys.argv[0] if Path(sys.argv[0]).name == "takmail" else "takmail"


def _toml(value: object) -> str:
    """Return a text in TOML. It is as in JSON, but for characters that TOML or a template doesn't leave alone."""
    quoted = json.dumps(str(value), ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in quoted)
