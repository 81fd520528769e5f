"""Logins with an access token, and what is said where a password is refused, against scripted servers."""

import asyncio
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from takmail.runtime.net.access_tokens import AccessTokens, bearer_login, reason_in
from takmail.runtime.net.imap import ImapAccount, LoginRefused, Mailbox, MailboxLost
from takmail.runtime.net.login_errors import login_advice, without_secrets
from takmail.runtime.net.oauth import TokenError
from takmail.runtime.net.smtp import CannotSend, Later, SmtpAccount
from tests.mail.imap_script import imap_server
from tests.mail.scripted import Script
from tests.mail.smtp_script import smtp_server
from tests.support.closing import Sender
from tests.support.cost import PATIENCE
from tests.support.tables import each_row

GOOD = "good-token"
REASON = b64encode(b'{"status":"400","schemes":"Bearer","scope":"https://mail.google.com/"}').decode()


class Given(AccessTokens):
    """Gives these tokens one after the other if they are refused, the last one again and again."""

    advice = "ask the test"

    def __init__(self, *tokens: str) -> None:
        super().__init__()
        self.tokens = list(tokens)
        self.refused: list[str] = []

    def current(self, refused: str = "") -> str:
        if refused:
            self.refused.append(refused)
            self.tokens = self.tokens[1:] or self.tokens
        return self.tokens[0]

    def note(self, token: str, is_accepted: bool) -> None:
        if not is_accepted:
            self.refused.append(token)


class BearerServer(Script):
    """A mail server that knows one token, wants every challenge answered, and says the reason for a refusal."""

    def __init__(self, protocol: str, mechanisms: str, *, takes_initial: bool, closes: bool = False) -> None:
        super().__init__()
        self.protocol = protocol
        self.mechanisms = mechanisms.split()
        self.takes_initial = takes_initial
        self.closes = closes
        self.connections = 0

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        is_imap = self.protocol == "IMAP"
        sign = "+ " if is_imap else "334 "

        async def ask(challenge: str) -> str:
            writer.write(f"{sign}{challenge}\r\n".encode())
            answer = (await reader.readline()).decode()
            self.heard.append(answer)
            return answer.strip()

        writer.write(b"* OK ready\r\n" if is_imap else b"220 ready\r\n")
        while line := (await reader.readline()).decode():
            self.heard.append(line)
            tag, _, command = line.strip().partition(" ") if is_imap else ("", "", line.strip())
            match command.split():
                case ["CAPABILITY"]:
                    offers = [f"AUTH={one}" for one in self.mechanisms] + ["SASL-IR"] * self.takes_initial
                    writer.write(f"* CAPABILITY IMAP4rev1 {' '.join(offers)}\r\n{tag} OK\r\n".encode())
                case ["EHLO", _]:
                    writer.write(f"250-mail\r\n250 AUTH {' '.join(self.mechanisms)}\r\n".encode())
                case ["AUTHENTICATE" | "AUTH", mechanism, *initial]:
                    first = initial[0] if initial else await ask("")
                    is_good = mechanism in self.mechanisms and GOOD in b64decode(first).decode()
                    if not is_good:
                        end = await ask(REASON)
                        assert end == ("" if mechanism == "XOAUTH2" else "AQ==")
                    yes, no = (f"{tag} OK in", f"{tag} NO") if is_imap else ("235 in", "535")
                    no += f" I don't know {first} or {b64decode(first)!r}"
                    writer.write(f"{yes if is_good else no}\r\n".encode())
                    if self.closes and not is_good:
                        return
                case ["LIST", *_]:
                    writer.write(f'* LIST () "/" "x"\r\n{tag} OK\r\n'.encode())
                case ["SELECT", *_]:
                    writer.write(f"* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 12] ok\r\n{tag} OK\r\n".encode())
                case ["LOGOUT"]:
                    writer.write(f"* BYE\r\n{tag} OK\r\n".encode())
                case ["QUIT"]:
                    writer.write(b"221 bye\r\n")
                case _:
                    writer.write(f"{tag} BAD what?\r\n".encode() if is_imap else b"502 what?\r\n")

    async def let_in(self, tokens: AccessTokens) -> None:
        async with asyncio.timeout(PATIENCE):
            if self.protocol == "IMAP":
                await Mailbox(
                    ImapAccount("127.0.0.1", self.port, "tak", "", tls="none", tokens=tokens)
                ).check()
                return
            async with Sender(
                SmtpAccount("127.0.0.1", self.port, "tak", tls="none", tokens=tokens)
            ) as sender:
                await sender.check()


@asynccontextmanager
async def running(
    protocol: str, mechanisms: str = "PLAIN XOAUTH2", *, takes_initial: bool = True, closes: bool = False
) -> AsyncIterator[BearerServer]:
    async with BearerServer(
        protocol, mechanisms, takes_initial=takes_initial, closes=closes
    ).running() as server:
        yield server


BOTH = pytest.mark.parametrize("protocol", ["IMAP", "SMTP"])


@BOTH
@pytest.mark.parametrize("takes_initial", [True, False])
@pytest.mark.parametrize("mechanisms", ["PLAIN XOAUTH2", "XOAUTH2 OAUTHBEARER", "OAUTHBEARER PLAIN"])
async def test_a_token_lets_takmail_in(protocol: str, mechanisms: str, takes_initial: bool) -> None:
    async with running(protocol, mechanisms, takes_initial=takes_initial) as server:
        await server.let_in(Given(GOOD))
        wanted = "XOAUTH2" if "XOAUTH2" in mechanisms else "OAUTHBEARER"
        (login,) = (line for line in server.heard if "AUTH" in line)
        assert f" {wanted}" in login


@BOTH
@pytest.mark.parametrize("closes", [False, True])
async def test_a_refused_token_is_replaced_once(protocol: str, closes: bool) -> None:
    async with running(protocol, closes=closes) as server:
        tokens = Given("revoked", GOOD)
        await server.let_in(tokens)
        assert tokens.refused == ["revoked"]


@BOTH
@pytest.mark.parametrize("takes_initial", [True, False])
@pytest.mark.parametrize("mechanisms", ["XOAUTH2", "OAUTHBEARER"])
async def test_a_refusal_is_told_with_its_reason_and_without_the_token(
    protocol: str, mechanisms: str, takes_initial: bool
) -> None:
    async with running(protocol, mechanisms, takes_initial=takes_initial) as server:
        tokens = Given("first", "hush")
        with pytest.raises((LoginRefused, CannotSend)) as caught:
            await server.let_in(tokens)
        assert tokens.refused == ["first", "hush"]
        assert server.connections == 2
        told = str(caught.value)
        assert "of tak" in told
        assert "status 400" in told
        assert told.endswith("; ask the test")
        assert "hush" not in told
        assert "I don't know … or" in told


@BOTH
async def test_a_server_without_such_a_login_is_told_as_such(protocol: str) -> None:
    async with running(protocol, "PLAIN LOGIN") as server:
        with pytest.raises(
            (TokenError, CannotSend), match="no login with an access token; check `host` and `auth`"
        ):
            await server.let_in(Given(GOOD))
        assert not any(line.startswith("AUTH") for line in server.heard)


@BOTH
async def test_without_a_token_there_is_no_login(protocol: str) -> None:
    class Away(Given):
        def current(self, _: str = "") -> str:
            raise TokenError("the provider is away")

    async with running(protocol) as server:
        with pytest.raises((TokenError, CannotSend), match="the provider is away"):
            await server.let_in(Away())


@BOTH
@pytest.mark.parametrize("error", [OverflowError("too large"), RecursionError(), KeyError("x")])
async def test_an_error_that_nobody_foresaw_is_an_outage(protocol: str, error: Exception) -> None:
    class Odd(Given):
        def current(self, _: str = "") -> str:
            raise error

    async with running(protocol) as server:
        with pytest.raises((MailboxLost, CannotSend)):
            await server.let_in(Odd())
        account = SmtpAccount("127.0.0.1", server.port, "tak", tls="none", tokens=Odd())
        result = await Sender(account).send(b"x\r\n", "tak@example.org", "ada@example.org")
        assert isinstance(result, Later)
        assert result.unreachable


async def test_a_token_that_is_refused_for_now_is_kept() -> None:
    answers = {
        "CAPABILITY": "* CAPABILITY IMAP4rev1 AUTH=XOAUTH2 SASL-IR\r\n{tag} OK\r\n",
        "AUTHENTICATE": "{tag} NO [UNAVAILABLE] later\r\n",
    }
    tokens = Given(GOOD)
    async with imap_server(**answers) as script:
        box = Mailbox(ImapAccount("127.0.0.1", script.port, "tak", "", tls="none", tokens=tokens))
        with pytest.raises(MailboxLost, match="later"):
            await box.check()
    async with smtp_server({"EHLO": "250-x\r\n250 AUTH XOAUTH2\r\n", "AUTH": "454 4.7.0 later\r\n"}) as smtp:
        sender = Sender(SmtpAccount("127.0.0.1", smtp.port, "tak", tls="none", tokens=tokens))
        with pytest.raises(CannotSend, match=r"454 4\.7\.0 later"):
            await sender.check()
    assert tokens.refused == []


def test_the_login_is_as_the_standards_say() -> None:
    # developers.google.com/gmail/imap/xoauth2-protocol
    mechanism, response, end = bearer_login("someuser@example.com", "ya29.vF9", ("imap", 993), {"XOAUTH2"})
    assert (mechanism, end) == ("XOAUTH2", "")
    assert b64decode(response) == b"user=someuser@example.com\1auth=Bearer ya29.vF9\1\1"
    # RFC 7628 §4.1, and RFC 5801 §4 for the signs of the name
    mechanism, response, end = bearer_login(
        "a=b,ü@example.com", "vF9", ("server.example.com", 143), {"OAUTHBEARER"}
    )
    assert (mechanism, end) == ("OAUTHBEARER", "AQ==")
    assert b64decode(response).decode() == (
        "n,a=a=3Db=2Cü@example.com,\1host=server.example.com\1port=143\1auth=Bearer vF9\1\1"
    )


@each_row(
    ("challenge", "reason"),
    [
        (REASON, "status 400"),
        (f"+ {REASON}".encode(), "status 400"),
        (b64encode(b'{"status": "invalid_token"}'), "status invalid_token"),
        ("", ""),
        ("+ ", ""),
        ("+", ""),
        ("AUTHENTICATE failed.", ""),
        (b"\xff", ""),
        (b64encode(b"[]"), ""),
        (b64encode(b"{}"), ""),
        (b64encode(b"\xff"), ""),
    ],
)
def test_the_reason_of_a_refusal_is_read(challenge: str | bytes, reason: str) -> None:
    assert reason_in(challenge) == reason


# Refused passwords.

OAUTH = 'Outlook.com and Microsoft 365 accept no passwords: set auth = "oauth2" in [x] (docs/providers.md)'
APP = "this provider accepts a password that is made for programs (an app password), or auth"
CHECK = "check `user` and `password` in [x]"


@each_row(
    ("answer", "advice"),
    [
        ("NO Basic authentication is disabled.", OAUTH),
        ("NO LOGIN failed.", OAUTH),
        ('NO LOGIN failed. [Error="BasicAuthBlocked" AuthResultFromPopImapEnd=0]', OAUTH),
        (
            "535 5.7.139 Authentication unsuccessful, basic authentication is disabled. [AM0.OUTLOOK.COM]",
            OAUTH,
        ),
        ("535 5.7.139 Authentication unsuccessful, the user credentials were incorrect. [AM0]", OAUTH),
        ("535 5.7.3 Authentication unsuccessful [AM0.eurprd05.prod.outlook.com]", OAUTH),
        (
            "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant. Visit …",
            "your administrator has to allow this mailbox to send by SMTP",
        ),
        (
            "534 5.7.9 Application-specific password required. Learn more at\n5.7.9  https://support.google.com/",
            APP,
        ),
        ("NO [ALERT] Application-specific password required: https://support.google.com (Failure)", APP),
        ("535 5.7.8 Username and Password not accepted. For more information, go to …", APP),
        ("NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)", APP),
        ("NO [ALERT] Please log in via your web browser: https://support.google.com (Failure)", APP),
        ("NO [WEBALERT https://accounts.google.com] Web login required.", APP),
        ("NO [AUTHENTICATIONFAILED] Authentication failed.", CHECK),
        ("NO Login failed.", CHECK),
        ("535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6", CHECK),
    ],
)
def test_a_refused_password_has_the_advice_that_fits(answer: str, advice: str) -> None:
    assert login_advice(answer, "x", CHECK, {"PLAIN", "XOAUTH2"}).startswith(advice)


def test_what_many_servers_say_is_no_sign_of_microsofts() -> None:
    assert login_advice("NO LOGIN failed.", "x", CHECK, {"PLAIN"}) == CHECK


@pytest.mark.parametrize(
    "answer",
    [
        "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant. Visit …",
        "535 5.7.139 Authentication unsuccessful, user is locked by your organization's security defaults policy.",
    ],
)
async def test_a_token_that_may_not_send_by_smtp_leads_to_the_administrator(answer: str) -> None:
    async with smtp_server({"EHLO": "250-x\r\n250 AUTH XOAUTH2\r\n", "AUTH": f"{answer}\r\n"}) as smtp:
        sender = Sender(SmtpAccount("127.0.0.1", smtp.port, "tak", tls="none", tokens=Given(GOOD)))
        with pytest.raises(CannotSend, match="your administrator has to allow this mailbox to send by SMTP"):
            await sender.check()


async def test_a_server_that_takes_no_passwords_leads_to_oauth() -> None:
    wanted = r'the server accepts no passwords: set auth = "oauth2" in \[{}\]'
    capabilities = "* CAPABILITY IMAP4rev1 LOGINDISABLED AUTH=XOAUTH2 AUTH=OAUTHBEARER\r\n{tag} OK\r\n"
    async with imap_server(CAPABILITY=capabilities) as script:
        box = Mailbox(ImapAccount("127.0.0.1", script.port, "tak", "secret", tls="none"))
        with pytest.raises(LoginRefused, match=wanted.format("imap")):
            await box.check()
    async with smtp_server({"EHLO": "250-x\r\n250 AUTH XOAUTH2\r\n"}) as smtp:
        sender = Sender(SmtpAccount("127.0.0.1", smtp.port, "tak", "secret", tls="none"))
        with pytest.raises(CannotSend, match=wanted.format("smtp")):
            await sender.check()
    assert "secret" not in f"{script.heard}{smtp.heard}"


LIMITS = ["535 5.7.0 Daily user sending limit exceeded", "535 Too many simultaneous connections"]


@pytest.mark.parametrize("words", LIMITS)
async def test_a_limit_at_the_login_is_no_refused_token(words: str) -> None:
    tokens = Given(GOOD)
    async with smtp_server({"EHLO": "250-x\r\n250 AUTH XOAUTH2\r\n", "AUTH": f"{words}\r\n"}) as smtp:
        sender = Sender(SmtpAccount("127.0.0.1", smtp.port, "tak", tls="none", tokens=tokens))
        result = await sender.send(b"x\r\n", "tak@example.org", "ada@example.org")
    assert isinstance(result, Later)
    assert result.is_limit
    answers = {
        "CAPABILITY": "* CAPABILITY IMAP4rev1 AUTH=XOAUTH2 SASL-IR\r\n{tag} OK\r\n",
        "AUTHENTICATE": f"{{tag}} NO {words} (Failure)\r\n",
    }
    async with imap_server(**answers) as script:
        box = Mailbox(ImapAccount("127.0.0.1", script.port, "tak", "", tls="none", tokens=tokens))
        with pytest.raises(MailboxLost):
            await box.check()
    assert tokens.refused == []


@pytest.mark.parametrize("offered", ["PLAIN", "LOGIN"])
@pytest.mark.parametrize("heard", ["{}", "{:.60}"])
async def test_a_password_that_a_server_repeats_in_base64_is_not_told(offered: str, heard: str) -> None:
    password = "correct horse battery staple, correct horse battery staple"

    class Echo(Script):
        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"220 ready\r\n")
            while line := (await reader.readline()).decode().strip():
                match line.split():
                    case ["EHLO", _]:
                        writer.write(f"250-mail\r\n250 AUTH {offered}\r\n".encode())
                    case ["AUTH", "LOGIN", _]:
                        writer.write(b"334 UGFzc3dvcmQ6\r\n")
                    case _:
                        writer.write(f'501 Unrecognized: "{heard.format(line)}"\r\n'.encode())

    async with Echo().running() as echo:
        sender = Sender(SmtpAccount("127.0.0.1", echo.port, "tak", password, tls="none"))
        with pytest.raises(CannotSend, match="Unrecognized") as caught:
            await sender.check()
    for word in str(caught.value).replace('"', " ").split():
        with suppress(ValueError):
            assert b"correct" not in b64decode(word[: len(word) // 4 * 4])


def test_a_short_password_makes_no_gaps() -> None:
    answer = "535 authentication failed"
    assert without_secrets(answer, "a", user="a") == answer
    assert without_secrets(answer, "authentication") == "535 … failed"


async def test_both_servers_name_oauth_where_microsoft_refuses_a_password() -> None:
    async with imap_server(LOGIN="{tag} NO Basic authentication is disabled.\r\n") as script:
        box = Mailbox(ImapAccount("127.0.0.1", script.port, "tak", "secret", tls="none"))
        with pytest.raises(LoginRefused, match=r'set auth = "oauth2" in \[imap\]') as read:
            await box.check()
    refusal = "535 5.7.139 Authentication unsuccessful, basic authentication is disabled.\r\n"
    async with smtp_server({"AUTH": refusal}) as smtp:
        sender = Sender(SmtpAccount("127.0.0.1", smtp.port, "tak", "secret", tls="none"))
        with pytest.raises(CannotSend, match=r'set auth = "oauth2" in \[smtp\]') as sent:
            await sender.check()
    assert "`password`" not in f"{read.value} {sent.value}"
