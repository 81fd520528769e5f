"""The access tokens that takmail logs in with: its own from the token file, or those that a program prints."""

import asyncio
import re
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, TypeVar

from pydantic import TypeAdapter

from takmail.config import OAuthSettings
from takmail.config.private_files import locked_folder, replace_privately
from takmail.runtime.net.oauth import LOG_IN, LONGEST_WAIT, TokenError, Tokens, renew, shown

T = TypeVar("T")

_FORMAT = TypeAdapter(Tokens)
_TOKEN = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True)
class AccessTokens(ABC):
    """Where the access tokens for a mail server come from. `advice` is for the operator if the server refuses them.

    One login at a time waits for them, as the others would only keep threads from other work.
    """

    advice: ClassVar[str]
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, kw_only=True, repr=False, compare=False)

    @abstractmethod
    def current(self) -> str:
        """Return an access token. It may block. Raises TokenError and OSError."""

    @abstractmethod
    def refuse(self, token: str) -> None:
        """Note that the server has refused a token, so that `current` returns another one if it can."""

    async def log_in(
        self, attempt: Callable[[str], Awaitable[T]], refusal: type[Exception], *, is_second: bool = False
    ) -> T:
        """Return what `attempt` returns for an access token. Raises the errors of `attempt` and `current`.

        If it raises `refusal`, the token may have been revoked, so another one is tried, once.
        """
        async with self._turn:
            token = await asyncio.to_thread(self.current)
        try:
            return await attempt(token)
        except refusal:
            await asyncio.to_thread(self.refuse, token)
            if is_second:
                raise
        return await self.log_in(attempt, refusal, is_second=True)


@dataclass(frozen=True, slots=True)
class CommandTokens(AccessTokens):
    """Runs a program for each login. It prints an access token and nothing else."""

    command: tuple[str, ...]
    advice = "check `user`, and what `token_command` prints"

    def current(self) -> str:
        name = f"{self.command[0]} (token_command)"
        try:
            done = subprocess.run(
                self.command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_WAIT
            )
        except subprocess.TimeoutExpired:
            raise TokenError(f"{name} took more than {LONGEST_WAIT} s") from None
        token = done.stdout.decode(errors="replace").strip()
        if done.returncode:
            said = shown(done.stderr.decode(errors="replace"), token)
            raise TokenError(f"{name} ended with exit code {done.returncode}: {said}")
        if not _TOKEN.fullmatch(token):
            raise TokenError(f"{name} printed something else than one access token")
        return token

    def refuse(self, token: str) -> None:
        """Do nothing: what the program prints is its own affair."""


@dataclass(frozen=True, slots=True)
class OwnTokens(AccessTokens):
    """Takes the token of the token file, and renews it there."""

    oauth: OAuthSettings
    advice = f"check `user`, or {LOG_IN}"

    def current(self) -> str:
        file = self.oauth.token_file
        # Whoever waits for the lock finds the tokens that another connection or process has renewed meanwhile.
        with locked_folder(file.parent):
            tokens = read_tokens(file)
            if tokens.is_refused or time.time() >= tokens.renew_at:
                try:
                    tokens = renew(self.oauth, tokens)
                except TokenError as error:
                    if error.code:
                        self._mark(tokens)
                    raise
                write_tokens(file, tokens)
            return tokens.access_token

    def refuse(self, token: str) -> None:
        with locked_folder(self.oauth.token_file.parent):
            tokens = read_tokens(self.oauth.token_file)
            if tokens.access_token == token:
                self._mark(tokens)

    def _mark(self, tokens: Tokens) -> None:
        if not tokens.is_refused:
            write_tokens(self.oauth.token_file, replace(tokens, is_refused=True))


def read_tokens(file: Path) -> Tokens:
    """Return the tokens in a file. Raises TokenError with what the operator can do."""
    try:
        return _FORMAT.validate_json(file.read_bytes())
    except OSError as error:
        problem = f"can't be read ({error.strerror})"
    except ValueError:
        problem = "is damaged"
    raise TokenError(f"{file} {problem}; {LOG_IN}", "no_tokens")


def write_tokens(file: Path, tokens: Tokens) -> None:
    """Write the tokens to a file of mode 600, whatever mode it had. Raises OSError."""
    replace_privately(file, _FORMAT.dump_json(tokens).decode())
