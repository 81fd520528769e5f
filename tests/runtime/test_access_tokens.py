"""Access tokens: renewed in time and once, rotated, refused, from a program or from the token file."""

import asyncio
import errno
import os
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread

import pytest

from takmail.config import OAuthSettings
from takmail.runtime.net.access_tokens import AccessTokens, CommandTokens, OwnTokens
from takmail.runtime.net.oauth import TokenError, Tokens, read_tokens, write_tokens
from tests.commands.build import NOW
from tests.support.token_server import CLIENT, SECRET, TokenServer


class Refused(Exception):  # noqa: N818
    """The mail server refuses a token."""


@pytest.fixture
def provider() -> Iterator[TokenServer]:
    with TokenServer().running() as server:
        yield server


@pytest.fixture
def own(provider: TokenServer, tmp_path: Path) -> OwnTokens:
    """Tokens as a login has left them; the first use renews them."""
    oauth = OAuthSettings(
        provider=provider.issuer,
        client_id=CLIENT,
        client_secret=SECRET,
        scope="mail",
        token_file=tmp_path / "tokens",
    )
    write_tokens(oauth.token_file, Tokens(f"{provider.issuer}/token", provider.new_refresh_token(), "old", 0))
    return OwnTokens(oauth, lambda: NOW)


def after(own: OwnTokens, seconds: int) -> OwnTokens:
    """The same tokens so many seconds later."""
    return replace(own, now=lambda: NOW + timedelta(seconds=seconds))


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.mark.parametrize(
    ("life", "left"), [(60, 45), (3600, 3300), ("3600", 3300), (None, 3300), (1, 0.75), (86400, 86100)]
)
def test_a_token_is_renewed_before_it_ends(
    own: OwnTokens, provider: TokenServer, life: float | str | None, left: float
) -> None:
    provider.life = life
    token = own.current()
    kept = read_tokens(own.oauth.token_file)
    assert (kept.access_token, kept.refused_since) == (token, 0)
    assert kept.renew_at - NOW.timestamp() == left


def test_a_token_is_used_until_then(own: OwnTokens, provider: TokenServer) -> None:
    assert own.current() == own.current()
    assert provider.renewals == 1
    (_, form) = provider.asked[-1]
    assert (form["client_id"], form["client_secret"]) == (CLIENT, SECRET)


def test_a_rotated_refresh_token_replaces_the_old_one_in_a_file_that_only_its_owner_can_read(
    own: OwnTokens, provider: TokenServer
) -> None:
    provider.rotates = True
    for _ in range(3):
        own.oauth.token_file.chmod(0o644)
        assert own.current(own.current()) in provider.users
    assert provider.renewals == 4
    assert mode(own.oauth.token_file) == 0o600
    assert [*provider.refresh_tokens] == [read_tokens(own.oauth.token_file).refresh_token]


async def test_many_connections_renew_once(own: OwnTokens, provider: TokenServer) -> None:
    tokens = await asyncio.gather(*(asyncio.to_thread(own.current) for _ in range(8)))
    assert len(set(tokens)) == 1
    assert provider.renewals == 1


async def test_a_revoked_token_is_replaced_once_by_a_fresh_one(own: OwnTokens, provider: TokenServer) -> None:
    own.current()
    provider.revoke_access()

    async def attempt(token: str) -> str:
        if token not in provider.users:
            raise Refused
        return token

    assert await own.log_in(attempt, Refused) in provider.users
    assert provider.renewals == 2
    assert not read_tokens(own.oauth.token_file).refused_since


async def test_a_login_that_is_refused_all_the_same_is_noted_and_the_next_success_ends_that(
    own: OwnTokens, provider: TokenServer
) -> None:
    tried = []

    async def refuse(token: str) -> None:
        tried.append(token)
        raise Refused

    async def accept(token: str) -> str:
        return token

    for _ in range(5):
        with pytest.raises(Refused):
            await own.log_in(refuse, Refused)
    assert len(set(tried)) == provider.renewals == 2
    assert read_tokens(own.oauth.token_file).refused_since
    assert await own.log_in(accept, Refused) == tried[-1]
    assert not read_tokens(own.oauth.token_file).refused_since
    # What was accepted once is revoked when it is refused later, and is replaced again.
    with pytest.raises(Refused):
        await own.log_in(refuse, Refused)
    assert provider.renewals == 3


async def test_a_refused_token_is_renewed_again_when_it_is_due(own: OwnTokens, provider: TokenServer) -> None:
    token = own.current()
    own.note(token, is_accepted=False)
    assert own.current(token) == token
    file = own.oauth.token_file
    write_tokens(file, replace(read_tokens(file), renew_at=0))
    assert own.current(token) != token
    assert provider.renewals == 2


def test_a_provider_that_refuses_for_good_is_asked_less_and_less(
    own: OwnTokens, provider: TokenServer
) -> None:
    provider.revoke_all()
    asked_at: list[int] = []
    for seconds in range(0, 24 * 3_600, 30):
        with pytest.raises(TokenError, match=r"invalid_grant.*; run `takmail login`"):
            after(own, seconds).current()
        if provider.renewals > len(asked_at):
            asked_at.append(seconds)
    assert asked_at[:4] == [0, 30, 60, 120]
    assert len(asked_at) < 40
    provider.refresh_tokens[read_tokens(own.oauth.token_file).refresh_token] = provider.user
    assert after(own, 25 * 3_600).current() in provider.users


@pytest.mark.parametrize(
    ("refusal", "words", "is_final"),
    [
        ((400, "invalid_grant"), "run `takmail login`", True),
        ((401, "invalid_client"), "check `client_id` and `client_secret` in [oauth]", True),
        ((400, "unauthorized_client"), "check `client_id`", True),
        ((400, "invalid_request", "AADSTS50194: App is not multi-tenant"), "online.com/TENANT/v2.0", True),
        ((400, "interaction_required"), "run `takmail login`", True),
        ((400, "temporarily_unavailable"), "answered temporarily_unavailable", False),
        ((503, "server_error"), "answered 503 Service Unavailable", False),
        ((429, "slow_down"), "answered 429 Too Many Requests", False),
    ],
)
def test_a_refusal_is_told_with_what_to_do_and_without_a_secret(
    own: OwnTokens, provider: TokenServer, refusal: tuple[int, *tuple[str, ...]], words: str, is_final: bool
) -> None:
    provider.refusals.append(refusal)
    with pytest.raises(TokenError) as caught:
        own.current()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not any(secret in repr(caught.value) for secret in provider.secrets())
    assert bool(caught.value.code) == is_final
    assert bool(read_tokens(own.oauth.token_file).refused_since) == (refusal[1] == "invalid_grant")
    # Either way a later attempt succeeds, if the provider thinks otherwise by then.
    assert own.current() in provider.users
    assert not read_tokens(own.oauth.token_file).refused_since


def test_a_new_login_is_used_without_a_restart(own: OwnTokens, provider: TokenServer) -> None:
    provider.revoke_all()
    with pytest.raises(TokenError, match="invalid_grant"):
        own.current()
    write_tokens(
        own.oauth.token_file,
        Tokens(f"{provider.issuer}/token", provider.new_refresh_token(), "new", NOW.timestamp() + 9),
    )
    assert own.current() == "new"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        ("", "is damaged"),
        ("[]", "is damaged"),
        ('{"refresh_token": 3}', "is damaged"),
    ],
)
def test_a_file_without_tokens_says_what_to_type(own: OwnTokens, content: str | None, words: str) -> None:
    own.oauth.token_file.unlink()
    if content is not None:
        own.oauth.token_file.write_text(content)
    with pytest.raises(TokenError, match=rf"{words}.*; run `takmail login`") as caught:
        own.current()
    assert caught.value.code


OPAQUE = b'{"access_token": "x"'


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b"3",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"token_type": "Bearer"}',
        b'{"access_token": null}',
        b'{"access_token": ["x"]}',
        b'{"access_token": "a b"}',
        b'{"access_token": "a\\u0001"}',
        OPAQUE + b', "expires_in": "y"}',
        OPAQUE + b', "expires_in": [1]}',
        OPAQUE + b', "expires_in": Infinity}',
        OPAQUE + b', "expires_in": NaN}',
        OPAQUE + b', "scope": 5}',
        OPAQUE + b', "refresh_token": 5}',
    ],
    ids=repr,
)
def test_an_answer_that_is_no_oauth_is_an_outage(own: OwnTokens, provider: TokenServer, body: bytes) -> None:
    before = read_tokens(own.oauth.token_file)
    provider.answer = lambda *_: (200, body)  # type: ignore[method-assign]
    with pytest.raises(TokenError, match="not OAuth 2") as caught:
        own.current()
    assert caught.value.code == ""
    assert read_tokens(own.oauth.token_file) == before


@pytest.mark.parametrize("life", [b"0", b"-5", b"1" + b"0" * 400, b"60.5", b"null"])
def test_any_number_of_seconds_is_a_life(own: OwnTokens, provider: TokenServer, life: bytes) -> None:
    provider.answer = lambda *_: (200, OPAQUE + b', "expires_in": ' + life + b"}")  # type: ignore[method-assign]
    assert own.current() == "x"
    assert read_tokens(own.oauth.token_file).access_token == "x"


def test_a_redirection_is_not_followed(own: OwnTokens, provider: TokenServer) -> None:
    provider.answer = lambda path, *_: (
        (302, f"{provider.issuer}/authorize") if "token" in path else (200, OPAQUE)
    )  # type: ignore[method-assign]
    with pytest.raises(TokenError, match="not OAuth 2"):
        own.current()


@pytest.mark.parametrize("beginning", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n", b""])
def test_a_provider_that_answers_byte_by_byte_is_an_outage(
    own: OwnTokens, monkeypatch: pytest.MonkeyPatch, beginning: bytes
) -> None:
    def drip(listener: socket.socket) -> None:
        with listener.accept()[0] as client, suppress(OSError):
            client.sendall(beginning)
            while True:
                client.sendall(b" ")
                time.sleep(0.01)

    monkeypatch.setattr("takmail.runtime.net.oauth.LONGEST_WAIT", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=drip, args=[listener])
        thread.start()
        endpoint = f"http://127.0.0.1:{listener.getsockname()[1]}"
        write_tokens(own.oauth.token_file, Tokens(endpoint, "refresh", "", 0))
        with pytest.raises(TokenError, match=r"has taken more than 0\.3 s"):
            own.current()
        thread.join()


def test_a_provider_that_is_away_is_an_outage(own: OwnTokens) -> None:
    tokens = read_tokens(own.oauth.token_file)
    write_tokens(own.oauth.token_file, Tokens("http://127.0.0.1:9/token", tokens.refresh_token, "", 0))
    with pytest.raises(TokenError, match="refused") as caught:
        own.current()
    assert caught.value.code == ""
    assert tokens.refresh_token not in str(caught.value)


def test_no_secret_goes_to_another_machine_without_tls(own: OwnTokens) -> None:
    write_tokens(own.oauth.token_file, Tokens("http://192.0.2.1/token", "hush", "", 0))
    with pytest.raises(TokenError, match="https://"):
        own.current()


def test_tokens_are_not_shown() -> None:
    assert "hush" not in repr(Tokens("https://login.example.org", "hush", "hush", 0))


# A program.


def program(folder: Path, script: str) -> CommandTokens:
    file = folder / "token"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o700)
    return CommandTokens((str(file), "two words", "$HOME"))


def test_a_program_gets_its_arguments_as_they_are(tmp_path: Path) -> None:
    assert program(tmp_path, "test \"$1$2\" = 'two words$HOME' && echo abc").current() == "abc"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo hush; echo 'hush' >&2; exit 3", "ended with exit code 3; run it by hand to see why"),
        ("exit 1", "exit code 1"),
        ("true", "printed something else than one access token"),
        ("echo a b", "printed something else than one access token"),
        ("printf 'a\\nb\\n'", "printed something else than one access token"),
        ("printf '\\377'", "printed something else than one access token"),
        ("kill -9 $$", "exit code -9"),
    ],
)
def test_a_program_that_fails_is_told_without_its_words(tmp_path: Path, script: str, words: str) -> None:
    with pytest.raises(TokenError) as caught:
        program(tmp_path, script).current()
    assert words in str(caught.value)
    assert "hush" not in str(caught.value)
    assert caught.value.code == ""


def is_running(pid_file: Path) -> bool:
    try:
        status = Path(f"/proc/{pid_file.read_text().strip()}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("script", ["exec sleep 60", "trap '' TERM; sleep 60", "exec yes"])
def test_a_program_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    monkeypatch.setattr("takmail.runtime.net.access_tokens.LONGEST_WAIT", 0.5)
    with pytest.raises(TokenError, match=r"took more than 0\.5 s"):
        program(tmp_path, f"echo $$ >{tmp_path}/pid; {script}").current()
    assert not is_running(tmp_path / "pid")


@pytest.mark.parametrize("command", ["echo", "printf"])
def test_a_child_that_a_program_leaves_is_ended_and_not_waited_for(tmp_path: Path, command: str) -> None:
    tokens = program(tmp_path, f"sleep 60 & echo $! >{tmp_path}/pid; {command} abc")
    assert tokens.current() == "abc"
    while is_running(tmp_path / "pid"):  # the kernel ends it soon
        time.sleep(0.01)


async def test_a_program_is_asked_once_more_if_its_token_is_refused(tmp_path: Path) -> None:
    tokens = program(tmp_path, f"echo x >>{tmp_path}/runs; wc -l <{tmp_path}/runs")

    async def attempt(token: str) -> str:
        if token == "1":
            raise Refused
        return token

    assert await tokens.log_in(attempt, Refused) == "2"


async def test_a_login_that_is_given_up_keeps_no_thread_from_other_work() -> None:
    answered, asked = Event(), []

    class Slow(AccessTokens):
        advice = ""

        def current(self, refused: str = "") -> str:
            asked.append(refused)
            answered.wait()
            return "abc"

    async def attempt(token: str) -> str:
        return token

    for _ in range(40):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await Slow().log_in(attempt, Refused)
    login = asyncio.create_task(Slow().log_in(attempt, Refused))
    assert await asyncio.to_thread(lambda: 1) == 1
    answered.set()
    assert await login == "abc"
    assert len(asked) <= 2


# The disk.


def test_a_refresh_token_is_not_used_up_if_the_next_has_no_room(
    own: OwnTokens, provider: TokenServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.rotates = True
    with monkeypatch.context() as full:
        full.setattr("os.fsync", no_room)
        with pytest.raises(TokenError, match=r"can't be replaced \(No space left on device\)") as caught:
            own.current()
    assert caught.value.code == ""
    assert provider.renewals == 0
    assert own.current() in provider.users
    assert [file.name for file in own.oauth.token_file.parent.iterdir()] == ["tokens"]


def test_the_tokens_of_known_providers_are_used_although_they_cant_be_kept(
    own: OwnTokens, provider: TokenServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = OwnTokens(own.oauth.model_copy(update={"provider": "google"}))
    monkeypatch.setattr("os.fsync", no_room)
    before = read_tokens(own.oauth.token_file)
    assert known.current() in provider.users
    assert known.current() in provider.users
    assert read_tokens(own.oauth.token_file) == before


def no_room(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
