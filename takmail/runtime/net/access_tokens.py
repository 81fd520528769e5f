"""The account at a mail server, and the access tokens that takmail may log in with.

How it does so is XOAUTH2 (Google's and Microsoft's) or OAUTHBEARER (RFC 7628).

The tokens are takmail's own from the token file, or those that a program prints.
"""

import asyncio
import json
import os
import signal
from abc import ABC, abstractmethod
from base64 import b64decode
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from typing import ClassVar, Literal, TypeVar

from takmail.config import OAuthSettings
from takmail.config.private_files import locked_folder
from takmail.config.providers import OAUTH_PROVIDERS
from takmail.config.tls import require_safe
from takmail.runtime.net.login_errors import in_base64, login_advice, to_check
from takmail.runtime.net.oauth import (
    LOG_IN,
    LONGEST_WAIT,
    TOKEN,
    TokenError,
    Tokens,
    read_tokens,
    renew,
    write_tokens,
)
from takmail.store.machine_time import TimeSource, utc_now

T = TypeVar("T")

_MAX_BYTES = 64 * 1024
"""The maximum length of a token file, and of what is read of a program's output."""

_LONGEST_PAUSE = 3_600
"""The maximum number of seconds between two requests to renew tokens that the provider refuses to renew."""

_THREAD = ThreadPoolExecutor(1, "tokens")
"""The thread that waits for providers and programs. If they are slow, no other work lacks threads."""


class AccessTokens(ABC):
    """Where the access tokens for a mail server come from. `advice` is for the operator if the server refuses them."""

    advice: ClassVar[str]

    @abstractmethod
    def current(self, refused: str = "") -> str:
        """Return an access token, and another one than `refused` if possible. It may block.

        Raises TokenError and OSError.
        """

    def note(self, token: str, is_accepted: bool) -> None:  # noqa: B027 - most need no note
        """Note whether a mail server accepts a token that `current` has returned."""

    async def log_in(self, attempt: Callable[[str], Awaitable[T]], refusal: type[Exception]) -> T:
        """Return what `attempt` returns for an access token. Raises the errors of `attempt` and `current`.

        If it raises `refusal`, the token may have been revoked, so another one is tried, once.
        """
        in_thread = partial(asyncio.get_running_loop().run_in_executor, _THREAD)
        token = await in_thread(self.current)
        try:
            result = await attempt(token)
        except refusal:
            another = await in_thread(self.current, token)
            if another == token:
                raise
            token = another
            try:
                result = await attempt(token)
            except refusal:
                await in_thread(self.note, token, False)
                raise
        await in_thread(self.note, token, True)
        return result


@dataclass(frozen=True, slots=True)
class CommandTokens(AccessTokens):
    """Runs a program for each login. It prints an access token and nothing else.

    What it leaves running in its process group is killed. Its error output is not kept, as it may contain secrets.
    """

    command: tuple[str, ...]
    advice = "check `user`, and what `token_command` prints"

    def current(self, refused: str = "") -> str:  # noqa: ARG002 - the program knows best
        name = f"{self.command[0]} (token_command)"
        with Popen(
            self.command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, start_new_session=True
        ) as program:
            try:
                # Endless output fills the pipe and stops there.
                code = program.wait(LONGEST_WAIT)
            except TimeoutExpired:
                raise TokenError(f"{name} took more than {LONGEST_WAIT} s") from None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(program.pid, signal.SIGKILL)
            assert program.stdout is not None
            os.set_blocking(program.stdout.fileno(), False)  # a child may have the pipe still open
            token = (program.stdout.read(_MAX_BYTES) or b"").decode(errors="replace").strip()
        if code:
            raise TokenError(f"{name} ended with exit code {code}; run it by hand to see why")
        if not TOKEN.fullmatch(token):
            raise TokenError(f"{name} printed something else than one access token")
        return token


@dataclass(frozen=True, slots=True)
class OwnTokens(AccessTokens):
    """Takes the token of the token file, and renews it there.

    It is renewed when it is due, and if a mail server refuses it, but not again while the server refuses the new one.
    """

    oauth: OAuthSettings
    now: TimeSource = utc_now
    advice = f"check `user`, or {LOG_IN}"

    def current(self, refused: str = "") -> str:
        file = self.oauth.token_file
        # Whoever waits for the lock finds the tokens that another connection or process has renewed meanwhile.
        with locked_folder(file.parent):
            tokens, now = read_tokens(file), self.now().timestamp()
            if now >= tokens.renew_at or (tokens.access_token == refused and not tokens.refused_since):
                try:
                    tokens = self._renew(tokens)
                except TokenError as error:
                    if error.code == "invalid_grant":
                        since = tokens.refused_since or now
                        until = now + min(now - since, _LONGEST_PAUSE)
                        with suppress(OSError):
                            write_tokens(
                                file, replace(tokens, access_token="", renew_at=until, refused_since=since)
                            )
                    raise
        if not tokens.access_token:
            raise TokenError(
                f"the provider refuses to renew {file} (invalid_grant); {LOG_IN}", "invalid_grant"
            )
        return tokens.access_token

    def note(self, token: str, is_accepted: bool) -> None:
        file = self.oauth.token_file
        with suppress(OSError), locked_folder(file.parent):
            tokens = read_tokens(file)
            if tokens.access_token == token and is_accepted == bool(tokens.refused_since):
                now = self.now().timestamp()
                write_tokens(file, replace(tokens, refused_since=0 if is_accepted else now))

    def _renew(self, tokens: Tokens) -> Tokens:
        """Renew the tokens, and write them to the file. Raises TokenError.

        A refresh token may be good for one renewal, so the disk must have room for the next one first. Of the providers
        that takmail knows, the old one stays valid.
        """
        file = self.oauth.token_file
        try:
            write_tokens(file, tokens, room=_MAX_BYTES)
        except OSError as error:
            if self.oauth.provider not in OAUTH_PROVIDERS:
                raise TokenError(
                    f"{file} can't be replaced ({error.strerror}), so it isn't renewed"
                ) from None
        tokens = renew(self.oauth, tokens, self.now)
        with suppress(OSError):
            write_tokens(file, tokens)
        return tokens


@dataclass(frozen=True, slots=True)
class Account:
    """A mail server, and the login there. Without a user there is no login.

    `ca_file` replaces the system's certificates. `timeout` is the maximum wait for an answer of the server, in seconds.
    `password_key` is the key of config.toml that gives the password. If there are `tokens`, they are used in its place.
    Raises ValueError for a connection without TLS over a network.
    """

    section: ClassVar[str]
    """The section of config.toml that the errors refer to."""

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    tls: Literal["starttls", "implicit", "none"] = "implicit"
    ca_file: str | None = None
    timeout: float = 60
    password_key: str = "password"
    tokens: AccessTokens | None = None

    def __post_init__(self) -> None:
        require_safe(self.section.upper(), self.host, self.tls)

    @property
    def server(self) -> str:
        """The server's host and port, for the operator."""
        return f"{self.host}:{self.port}"

    async def log_in(self, attempt: Callable[[str | None], Awaitable[T]], refusal: type[Exception]) -> T:
        """Return what `attempt` returns for an access token, or for None if the account has none.

        `refusal` is as in `AccessTokens.log_in`.
        """
        return await (attempt(None) if self.tokens is None else self.tokens.log_in(attempt, refusal))

    def advice(self, answer: str, offered: Collection[str] = ()) -> str:
        """Return the advice for the operator if the server refuses the login with this answer.

        `offered` are the mechanisms that the server offers for a login.
        """
        fallback = self.tokens.advice if self.tokens else to_check(self.section, "user", self.password_key)
        return login_advice(answer, self.section, fallback, None if self.tokens else offered)


def bearer_login(
    user: str, token: str, server: tuple[str, int], offered: Collection[str]
) -> tuple[str, str, str]:
    """Return the mechanism, the client's response, and its acknowledgement of a refusal, the last two in base64.

    `server` is its host and port. The mechanism is XOAUTH2, unless the server offers only OAUTHBEARER. A server that
    refuses sends its reason first (`reason_in`), and ends the login after the acknowledgement. Raises TokenError.
    """
    if not {"OAUTHBEARER", "XOAUTH2"} & set(offered):
        raise TokenError(
            "the server offers no login with an access token; check `host` and `auth`", "not_offered"
        )
    if "OAUTHBEARER" in offered and "XOAUTH2" not in offered:
        name = user.replace("=", "=3D").replace(",", "=2C")  # RFC 5801 §4
        words = f"n,a={name},\1host={server[0]}\1port={server[1]}\1auth=Bearer {token}\1\1"
        return "OAUTHBEARER", in_base64(words), in_base64("\1")
    return "XOAUTH2", in_base64(f"user={user}\1auth=Bearer {token}\1\1"), ""


def reason_in(challenge: str | bytes) -> str:
    """Return the status in the reason that a server sends for a refusal, such as 'status 400', or ''.

    The challenge may have the sign of IMAP before it.
    """
    try:
        return f"status {json.loads(b64decode(challenge.split()[-1]))['status']}"
    except (ValueError, TypeError, LookupError):
        return ""
