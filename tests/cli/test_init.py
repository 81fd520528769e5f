"""`takmail init`: from an address to settings that let takmail in."""

import asyncio
import os
import socket
import ssl
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from takmail.config.loading import load
from takmail.config.providers import OAUTH_PROVIDERS, OAuthProvider
from takmail.runtime.net import oauth
from tests.mail.imap_script import ImapScript, imap_server
from tests.mail.scripted import HANG_UP
from tests.mail.smtp_script import smtp_server
from tests.support.command_line import TAK, config_file, takmail
from tests.support.mail_system import MailSystem
from tests.support.token_server import CLIENT, TokenServer

GMAIL = "tak.by.mail@gmail.com"
SECRET = "a secret of the test"
APP_PASSWORD = "abcdefghijklmnop"
CERTIFICATES = Path(__file__).parents[1] / "data/tls"


@pytest.fixture
async def system() -> AsyncIterator[MailSystem]:
    async with MailSystem({TAK: SECRET, GMAIL: APP_PASSWORD}) as running:
        yield running


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


async def init(*words: str | Path, answers: str = "") -> Result:
    """`takmail init` in a thread, as the mail system needs this one's loop. No secret is ever shown."""
    result = await asyncio.to_thread(takmail, "init", *words, stdin=answers.encode())
    assert not [answer for answer in answers.split("\n") if " " in answer and answer in result.output]
    assert not [secret for secret in (SECRET, APP_PASSWORD) if secret in result.output]
    return result


def servers(system: MailSystem, imap: int | None = None) -> tuple[str, ...]:
    return "--imap", f"127.0.0.1:{imap or system.imap_port}", "--smtp", f"127.0.0.1:{system.smtp_port}"


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def files() -> set[str]:
    """The names of the files in the current folder."""
    return {file.name for file in Path().iterdir()}


# A local server.


async def test_a_server_of_ones_own_needs_one_answer(system: MailSystem) -> None:
    result = await init(TAK, *servers(system), answers=f"{SECRET}\n")
    assert (result.exit_code, result.stderr) == (0, "")
    settings = load(Path("config.toml"))
    assert settings.imap is not None
    assert (settings.imap.user, settings.imap.secret(), settings.imap.tls) == (TAK, SECRET, "none")
    assert (settings.smtp.user, settings.smtp.secret(), settings.smtp.tls) == (TAK, SECRET, "none")
    assert "takmail can log in to both servers" in result.stdout
    assert "Next: takmail serve --config config.toml" in result.stdout
    assert "new 5 vs" in result.stdout
    assert files() == {"config.toml", "takmail.sqlite"}


@pytest.mark.parametrize(
    ("name", "has_tls", "has_file"), [("tak", False, False), ("tak", False, True), (TAK, True, True)]
)
async def test_a_local_server_is_tried_with_tls_on_any_port_and_with_both_login_names(
    name: str, has_tls: bool, has_file: bool
) -> None:
    async with (
        MailSystem({TAK: "of another", name: SECRET}) as system,
        over_tls(system.imap_port) as imap,
        over_tls(system.smtp_port) as smtp,
    ):
        ports = (imap, smtp) if has_tls else (system.imap_port, system.smtp_port)
        ca_file = ("--ca-file", CERTIFICATES / "ca.pem") if has_file else ()
        result = await init(
            TAK, "--provider", "local", "--imap", f"127.0.0.1:{ports[0]}", "--smtp", f"127.0.0.1:{ports[1]}",
            *ca_file, answers=f"{SECRET}\n",
        )  # fmt: skip
    assert (result.exit_code, result.stderr) == (0, "")
    settings = load(Path("config.toml"))
    assert settings.imap is not None
    tls = "implicit" if has_tls else "none"
    assert (settings.imap.user, settings.imap.tls) == (name, tls)
    assert (settings.smtp.user, settings.smtp.tls) == (name, tls)


async def test_what_it_writes_is_what_check_config_accepts(system: MailSystem) -> None:
    await init(TAK, *servers(system), answers=f"{SECRET}\n")
    checked = await asyncio.to_thread(takmail, "check-config", "--connect")
    assert (checked.exit_code, checked.stderr) == (0, "")


async def test_whether_plus_addresses_arrive_is_to_be_tried_where_it_is_not_known(
    system: MailSystem,
) -> None:
    result = await init(TAK, *servers(system), answers=f"{SECRET}\n")
    assert "tak+test@example.org" in result.stdout
    known = await init(
        TAK, "--provider", "local", *servers(system), "--user", TAK, "--force", answers=f"{SECRET}\n"
    )
    assert (known.exit_code, "+test@" in known.stdout) == (0, False)


@pytest.mark.parametrize("umask", [0, 0o077])
async def test_nobody_else_can_read_the_file(system: MailSystem, umask: int) -> None:
    before = os.umask(umask)
    try:
        await init(TAK, *servers(system), answers=f"{SECRET}\n")
    finally:
        os.umask(before)
    assert mode(Path("config.toml")) == 0o600
    assert "config.toml" in files()
    assert not [name for name in files() if name.endswith(".new")]


async def test_a_file_that_others_could_read_becomes_private(system: MailSystem, tmp_path: Path) -> None:
    file = config_file(tmp_path)
    file.chmod(0o644)
    result = await init(TAK, *servers(system), "--force", answers=f"{SECRET}\n")
    assert (result.exit_code, mode(file)) == (0, 0o600)
    assert load(file).smtp.port == system.smtp_port


# Gmail.


class Gmail(ImapScript):
    """Answers the login as Gmail does: only an app password opens, and in one piece."""

    REFUSALS = (
        "{tag} NO [ALERT] Application-specific password required: "
        "https://support.google.com/accounts/answer/185833 (Failure)\r\n",
        "{tag} NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)\r\n",
    )

    def __init__(self) -> None:
        super().__init__({})
        self._refusals = iter(self.REFUSALS)

    def say(self, writer: asyncio.StreamWriter, command: str, tag: str) -> None:
        if command == "LOGIN" and self.heard[-1] != f'LOGIN "{GMAIL}" "{APP_PASSWORD}"':
            self.write(writer, next(self._refusals).replace("{tag}", tag))
        else:
            super().say(writer, command, tag)


async def test_gmail_says_what_to_make_and_takes_an_app_password_as_google_shows_it(
    system: MailSystem,
) -> None:
    async with Gmail().running() as gmail:
        # As it is copied from Google's page, with no-break spaces.
        result = await init(GMAIL, *servers(system, gmail.port), answers="abcd efgh\u00a0ijkl mnop\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"{GMAIL} is at Gmail" in result.stdout
    assert "two-step verification" in result.stdout
    assert "https://myaccount.google.com/apppasswords" in result.stdout
    settings = load(Path("config.toml"))
    assert (settings.smtp.secret(), settings.smtp.per_day) == (APP_PASSWORD, 500)


async def test_a_refused_password_is_asked_for_again_in_the_servers_words(system: MailSystem) -> None:
    async with Gmail().running() as gmail:
        result = await init(
            GMAIL, *servers(system, gmail.port), answers=f"my own password\nwrong wrong\n{APP_PASSWORD}\n"
        )
    assert result.exit_code == 0
    assert "Application-specific password required" in result.stderr
    assert "Invalid credentials" in result.stderr
    assert load(Path("config.toml")).smtp.secret() == APP_PASSWORD


async def test_a_server_that_repeats_the_password_gives_nothing_away() -> None:
    async with (
        imap_server(LOGIN="{tag} NO tak and my own password don't fit\r\n") as imap,
        smtp_server({"AUTH": "535 5.7.8 wrong: my own password\r\n"}) as smtp,
    ):
        result = await init(
            TAK, "--imap", f"127.0.0.1:{imap.port}", "--smtp", f"127.0.0.1:{smtp.port}",
            answers="my own password\n" * 3,
        )  # fmt: skip
    assert (result.exit_code, "tak and … don't fit" in result.stderr) == (1, True)


async def test_after_three_refusals_nothing_is_written(system: MailSystem) -> None:
    result = await init(TAK, *servers(system), answers="not this\nnor this\nnor that\n")
    assert result.exit_code == 1
    assert "nothing is written" in result.stderr
    assert files() == set()


async def test_answers_that_end_early_leave_nothing(system: MailSystem) -> None:
    result = await init(TAK, *servers(system), answers="not this one\n")
    assert (result.exit_code, files()) == (1, set())
    assert "Aborted!" in result.stderr


async def test_an_empty_answer_is_asked_for_again(system: MailSystem) -> None:
    result = await init(TAK, *servers(system), answers=f"\n\t\n{SECRET}\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert load(Path("config.toml")).smtp.secret() == SECRET


async def test_an_answer_that_no_login_can_have_is_asked_for_again(system: MailSystem) -> None:
    result = await init(TAK, *servers(system), answers=f"a\0b\n{SECRET}\n")
    assert (result.exit_code, result.stderr) == (
        0,
        "[imap] password: must be on one line\n[smtp] password: must be on one line\n",
    )


@pytest.mark.parametrize(
    "answer",
    [
        "535 5.7.0 Too many login attempts, try again later",
        "454 4.7.0 Temporary authentication failure",
        "535 5.4.5 Daily user sending limit exceeded",
    ],
)
async def test_a_limit_or_an_outage_at_the_login_is_no_refused_password(answer: str) -> None:
    async with imap_server() as imap, smtp_server({"AUTH": f"{answer}\r\n"}) as smtp:
        options = ("--imap", f"127.0.0.1:{imap.port}", "--smtp", f"127.0.0.1:{smtp.port}")
        result = await init(TAK, *options, answers=f"{SECRET}\n")
    assert result.exit_code == os.EX_CONFIG
    assert answer in result.stderr
    assert load(Path("config.toml")).smtp.secret() == SECRET


@pytest.mark.parametrize("answer", [b"\n", b"\n\n \n", b"\xff secret\n", b"a\x00b secret\n"])
async def test_an_answer_that_is_no_password_is_told_and_not_shown(system: MailSystem, answer: bytes) -> None:
    result = await asyncio.to_thread(takmail, "init", TAK, *servers(system), stdin=answer)
    assert result.exit_code != 0
    assert "secret" not in result.output
    assert files() == set()


async def test_an_interrupt_leaves_the_file_that_was_there(
    system: MailSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = config_file(tmp_path)
    before = file.read_text()

    def interrupted(*_: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    result = await init(TAK, *servers(system), "--force", answers=f"{SECRET}\n")
    assert (result.exit_code, file.read_text()) == (1, before)
    assert files() == {"config.toml"}


# Outlook.com.


OUTLOOK = "tak.by.mail@outlook.com"
MICROSOFT = "{tag} NO LOGIN failed.\r\n"
CAPABILITY = "* CAPABILITY IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR\r\n{tag} OK\r\n"


@pytest.fixture
def microsoft(monkeypatch: pytest.MonkeyPatch) -> Iterator[TokenServer]:
    """A token server in Microsoft's place, which takes codes that a person types."""
    monkeypatch.setattr(
        oauth, "_LONGEST_PAUSE", 0.01
    )  # between two questions whether the person has typed it
    with TokenServer(user=OUTLOOK, has_device=True).running() as server:
        monkeypatch.setitem(
            OAUTH_PROVIDERS,
            "microsoft",
            OAuthProvider(
                f"{server.issuer}/token", f"{server.issuer}/authorize", f"{server.issuer}/device", "mail"
            ),
        )
        yield server


@asynccontextmanager
async def outlook(imap: str = "{tag} OK\r\n", smtp: str = "235 ok\r\n") -> AsyncIterator[tuple[str, ...]]:
    """Mail servers that refuse passwords and take access tokens, as options of `takmail init`."""
    ehlo = "250-mail.example.test\r\n250 AUTH LOGIN XOAUTH2\r\n"
    async with (
        imap_server(CAPABILITY=CAPABILITY, LOGIN=MICROSOFT, AUTHENTICATE=imap) as incoming,
        smtp_server({"EHLO": ehlo, "AUTH": smtp}) as outgoing,
    ):
        yield "--imap", f"127.0.0.1:{incoming.port}", "--smtp", f"127.0.0.1:{outgoing.port}"
        assert not any("PLAIN" in line or "LOGIN " in line for line in incoming.heard + outgoing.heard)


async def test_outlook_asks_for_a_client_id_and_logs_in_by_a_code(microsoft: TokenServer) -> None:
    async with outlook() as options:
        result = await init(OUTLOOK, *options, answers=f"{CLIENT}\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"{OUTLOOK} is at Outlook.com" in result.stdout
    assert "type the code ABCD-EFGH" in result.stdout
    assert not [secret for secret in microsoft.secrets() if secret in result.output]
    settings = load(Path("config.toml"))
    assert settings.imap is not None
    assert settings.oauth is not None
    assert (settings.imap.auth, settings.smtp.auth, settings.imap.secret()) == ("oauth2", "oauth2", None)
    assert (settings.oauth.provider, settings.oauth.client_id) == ("microsoft", CLIENT)
    assert {mode(Path(name)) for name in ("config.toml", "takmail.token")} == {0o600}


async def test_a_client_id_that_microsoft_does_not_know_is_asked_for_again(microsoft: TokenServer) -> None:
    async with outlook() as options:
        result = await init(OUTLOOK, *options, answers=f"another-id\n{CLIENT}\n")
    assert (result.exit_code, "client_id" in result.stderr) == (0, True)
    assert microsoft.users


async def test_a_provider_that_is_away_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    away = "http://127.0.0.1:1"
    provider = OAuthProvider(f"{away}/token", f"{away}/authorize", f"{away}/device", "mail")
    monkeypatch.setitem(OAUTH_PROVIDERS, "microsoft", provider)
    async with outlook() as options:
        result = await init(OUTLOOK, *options, answers=f"{CLIENT}\n")
    assert (result.exit_code, files()) == (1, set())
    assert "nothing was refused, and nothing is written" in result.stderr


async def test_settings_are_kept_where_the_mail_server_refuses_the_token(microsoft: TokenServer) -> None:
    async with outlook(
        smtp="535 5.7.139 SmtpClientAuthentication is disabled for the Mailbox.\r\n"
    ) as options:
        result = await init(OUTLOOK, *options, answers=f"{CLIENT}\n")
    assert result.exit_code == os.EX_CONFIG
    assert "SmtpClientAuthentication is disabled" in result.stderr
    assert load(Path("config.toml")).oauth is not None
    assert not [secret for secret in microsoft.secrets() if secret in result.output]


async def test_a_password_for_a_domain_at_microsoft_is_refused_with_a_word_on_oauth() -> None:
    offers = "* CAPABILITY IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2\r\n{tag} OK\r\n"
    async with imap_server(CAPABILITY=offers, LOGIN=MICROSOFT) as incoming, smtp_server({}) as outgoing:
        options = ("--imap", f"127.0.0.1:{incoming.port}", "--smtp", f"127.0.0.1:{outgoing.port}")
        result = await init(TAK, *options, answers="my own\n")
    assert (result.exit_code, 'auth = "oauth2"' in result.stderr) == (1, True)


# Servers that are away, and files that can't be written.


async def test_a_server_that_takes_no_letters_from_the_address_is_told_with_what_to_check() -> None:
    refusal = f"554 5.7.1 <{TAK}>: Relay access denied\r\n"
    async with imap_server() as incoming, smtp_server({"RCPT": refusal}) as outgoing:
        options = ("--imap", f"127.0.0.1:{incoming.port}", "--smtp", f"127.0.0.1:{outgoing.port}")
        result = await init(TAK, *options, answers=f"{SECRET}\n")
    assert result.exit_code == os.EX_CONFIG
    assert "Relay access denied; the login works, but not with `address` in [service]" in result.stderr


async def test_settings_are_kept_where_a_server_is_away(system: MailSystem) -> None:
    async with ImapScript({"greeting": "* BYE too many of you\r\n" + HANG_UP}).running() as away:
        result = await init(TAK, *servers(system, away.port), answers=f"{SECRET}\n")
    assert result.exit_code == os.EX_CONFIG
    assert "config.toml is written" in result.stdout
    assert result.stderr.startswith("config.toml: [imap] ")
    assert "too many of you" in result.stderr
    assert "Next:" not in result.stdout
    assert (
        "Once the cause below is mended: takmail check-config --connect --config config.toml" in result.stdout
    )
    assert load(Path("config.toml")).imap is not None


async def test_a_folder_that_is_not_there_is_told_before_anything_is_asked(system: MailSystem) -> None:
    result = await init(TAK, *servers(system), "--config", "none/config.toml")
    assert (result.exit_code, "none/config.toml can't be written" in result.stderr) == (1, True)


# A file that is there.


def test_valid_settings_are_kept(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    before = file.read_bytes()
    result = takmail("init", TAK)
    assert (result.exit_code, result.stdout, file.read_bytes()) == (1, "", before)
    assert "--force" in result.stderr
    assert f"it is valid, and for {TAK}; try it with `takmail check-config --connect`" in result.stderr


def test_settings_that_are_not_valid_are_kept_too(tmp_path: Path) -> None:
    file = config_file(tmp_path, imap=0)
    before = file.read_bytes()
    result = takmail("init", TAK)
    assert (result.exit_code, file.read_bytes()) == (os.EX_CONFIG, before)
    assert "--force" in result.stderr
    assert "[imap] port: must be at least 1" in result.stderr


# Other domains.


@asynccontextmanager
async def over_tls(port: int) -> AsyncIterator[int]:
    """A port that speaks TLS for a server which doesn't."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATES / "server.pem")

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
        finally:
            writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        carrying.append(asyncio.current_task())
        try:
            # A handshake that fails is part of this task, too, and nothing is left of it at the end.
            await writer.start_tls(context)
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                await asyncio.gather(
                    pump(reader, inner_writer), pump(inner_reader, writer), return_exceptions=True
                )
            finally:
                inner_writer.transport.abort()
        finally:
            # Over TLS, `close` would wait for the client's answer, maybe until after the test.
            writer.transport.abort()
            await asyncio.sleep(0)

    carrying: list[asyncio.Task[None] | None] = []
    async with await asyncio.start_server(serve, "127.0.0.1") as listening:
        yield listening.sockets[0].getsockname()[1]
        # What still carries something would leave its connections to the next test.
        for task in filter(None, carrying):
            task.cancel()
        await asyncio.gather(*filter(None, carrying), return_exceptions=True)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, int], int]:
    """The ports of this machine that names and ports of other machines lead to. No other name exists."""
    known: dict[tuple[str, int], int] = {}
    resolve = socket.getaddrinfo

    def faked(host: str, port: int, *args: Any, **options: Any) -> Any:
        if host == "127.0.0.1":
            return resolve(host, port, *args, **options)
        if (host, port) not in known:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return resolve("127.0.0.1", known[host, port], *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", faked)
    return known


async def test_a_domain_is_tried_by_the_usual_names(
    system: MailSystem, names: dict[tuple[str, int], int]
) -> None:
    async with over_tls(system.imap_port) as imap, over_tls(system.smtp_port) as smtp:
        names |= {("imap.example.org", 993): imap, ("mail.example.org", 465): smtp}
        result = await init(TAK, "--ca-file", CERTIFICATES / "ca.pem", answers=f"{SECRET}\n")
    assert (result.exit_code, result.stderr) == (0, "")
    settings = load(Path("config.toml"))
    assert settings.imap is not None
    assert (settings.imap.host, settings.imap.port, settings.imap.tls) == (
        "imap.example.org",
        993,
        "implicit",
    )
    assert (settings.smtp.host, settings.smtp.port, settings.smtp.tls) == (
        "mail.example.org",
        465,
        "implicit",
    )


async def test_a_known_provider_is_reached_at_its_own_names(
    system: MailSystem, names: dict[tuple[str, int], int]
) -> None:
    async with over_tls(system.imap_port) as imap, over_tls(system.smtp_port) as smtp:
        names |= {("imap.gmail.com", 993): imap, ("smtp.gmail.com", 465): smtp}
        result = await init(GMAIL, "--ca-file", CERTIFICATES / "ca.pem", answers="abcd efgh ijkl mnop\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert load(Path("config.toml")).smtp.host == "smtp.gmail.com"


async def test_a_server_without_a_certificate_for_its_name_is_not_taken(
    system: MailSystem, names: dict[tuple[str, int], int]
) -> None:
    async with over_tls(system.imap_port) as imap, over_tls(system.smtp_port) as smtp:
        names |= {("imap.example.org", 993): imap, ("smtp.example.org", 465): smtp}
        result = await init(TAK)
    assert "No server answers for mailboxes" in result.stdout
    assert (result.exit_code, files()) == (1, set())


@pytest.mark.usefixtures("names")
async def test_what_does_not_answer_is_asked_for(system: MailSystem) -> None:
    answers = (
        f"nonsense\n127.0.0.1:{system.imap_port}\n127.0.0.1:99999\n127.0.0.1:{system.smtp_port}\n{SECRET}\n"
    )
    result = await init(TAK, answers=answers)
    assert result.exit_code == 0
    assert result.output.count("this is not a server with its port") == 2
    assert load(Path("config.toml")).smtp.port == system.smtp_port


@pytest.mark.usefixtures("names")
async def test_only_the_server_that_is_missing_is_asked_for(system: MailSystem) -> None:
    answers = f"127.0.0.1:{system.smtp_port}\n{SECRET}\n"
    result = await init(TAK, "--imap", f"127.0.0.1:{system.imap_port}", answers=answers)
    assert (result.exit_code, "No server answers" in result.stdout) == (0, False)


@pytest.mark.usefixtures("names")
async def test_a_slip_in_the_domain_is_told() -> None:
    result = await init("you@gmial.com")
    assert "If you mean gmail.com, break off with Ctrl-C." in result.stdout
    assert "If you mean" not in (await init(TAK)).stdout


async def test_a_server_without_a_port_has_the_usual_one(
    names: dict[tuple[str, int], int], system: MailSystem
) -> None:
    async with over_tls(system.imap_port) as imap:
        names |= {("mail.example.org", 993): imap}
        result = await init(
            TAK, "--imap", "mail.example.org", "--smtp", f"127.0.0.1:{system.smtp_port}",
            "--ca-file", CERTIFICATES / "ca.pem", answers=f"{SECRET}\n",
        )  # fmt: skip
    assert "mails come from mail.example.org:993, letters go to" in result.stdout


@pytest.mark.usefixtures("names")
async def test_the_provider_of_a_domain_is_named() -> None:
    result = await init(TAK, "--provider", "migadu")
    assert "tak@example.org is at Migadu: mails come from imap.migadu.com:993" in result.stdout
    assert "add --provider: gmail, workspace" in (await init(TAK)).stdout
    assert "tak@example.org is at Google Workspace" in (await init(TAK, "--provider", "workspace")).stdout


# The command line.


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tak"], "must be one bare mail address, such as tak@example.org"),
        (["Tak <tak@example.org>"], "must be one bare mail address, such as tak@example.org"),
        ([TAK, "--imap", "nonsense"], "this is not a server with its port"),
        ([TAK, "--smtp", "mail.example.org:x"], "this is not a server with its port"),
        ([TAK, "--provider", "hey"], "'hey' is not one of"),
        ([TAK, "--ca-file", "none.pem"], "'none.pem' does not exist"),
    ],
)
def test_a_wrong_word_is_told(words: list[str], sentence: str) -> None:
    result = takmail("init", *words)
    assert (result.exit_code, sentence in result.stderr) == (2, True)


def test_the_address_is_written_in_small_letters_and_ipv6_without_brackets() -> None:
    # Nothing listens on port 1.
    result = takmail("init", "TAK@Example.ORG", "--imap", "[::1]:1", "--smtp", "127.0.0.1:1", stdin=b"x y\n")
    assert result.exit_code == os.EX_CONFIG
    settings = load(Path("config.toml"))
    assert settings.imap is not None
    assert (settings.service.address, settings.imap.host) == (TAK, "::1")


async def test_a_client_of_googles_has_a_secret_that_is_not_shown(system: MailSystem) -> None:
    result = await init(TAK, "--provider", "workspace-oauth", *servers(system), answers="an-id\n")
    assert (result.exit_code, "Client secret:" in result.stdout) == (1, True)
