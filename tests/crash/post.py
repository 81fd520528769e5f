"""The players' mail: submit their mails, and read their mailboxes."""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path
from typing import Self

from takmail.cli.demo.habits import Habit, from_a_phone, marked, unmarked
from takmail.runtime.net.smtp import Sent, SmtpAccount, SmtpSender
from takmail.store.machine_time import utc_now
from tests.stack.mailstack import MailStack

PATIENCE = 180.0
"""The maximum number of seconds to wait for a letter. A letter that is deferred once is sent a minute later."""

GLANCE = 0.05
"""Seconds between two reads of the mailboxes."""

_GAME = re.compile(r"\[tak #(\d+)\]")


class Post:
    """Submits mails and reads letters. Further copies of a letter are only counted.

    `written` are the authors of the submitted mails, by Message-ID. The mailboxes are read from Dovecot's files, so
    that letters are found even while Dovecot restarts.
    """

    def __init__(self, stack: MailStack, people: list[str]) -> None:
        self.written: dict[str, str] = {}
        self.copies: Counter[str] = Counter()
        self._stack = stack
        self._people = people
        self._answers: dict[str, EmailMessage] = {}
        self._letters: dict[str, tuple[str, EmailMessage]] = {}
        self._of_game: defaultdict[tuple[str, int], list[EmailMessage]] = defaultdict(list)
        self._seen: set[str] = set()
        self._news = asyncio.Condition()
        self._sender = SmtpSender(SmtpAccount(stack.host, stack.smtp_port, tls="none"))

    async def __aenter__(self) -> Self:
        self._looking = asyncio.create_task(self._look_again_and_again())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._looking.cancel()
        await asyncio.gather(self._looking, return_exceptions=True)
        await self._sender.close()

    async def write(self, who: str, words: str, answers: EmailMessage | None = None) -> str:
        """Submit a mail as this player's program writes it, until the server accepts it. Return its Message-ID."""
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"] = f"{_name(who)} <{who}>"
        mail["Date"] = format_datetime(utc_now())
        mail["Message-ID"] = make_msgid(domain="example.test")
        if answers is None:
            mail["To"], mail["Subject"] = self._stack.tak, "A game?"
        else:
            mail["To"] = answers["Reply-To"] or answers["From"]
            mail["Subject"] = f"Re: {answers['Subject']}"
            mail["In-Reply-To"] = answers["Message-ID"]
            mail["References"] = " ".join([*str(answers["References"] or "").split(), answers["Message-ID"]])
            words = _habit(who)(words, answers)
        mail.set_content(words, cte="quoted-printable")
        self.written[str(mail["Message-ID"])] = who
        raw, to = mail.as_bytes(), mail["To"].addresses[0].addr_spec
        while True:
            if isinstance(await self._sender.send(raw, who, to), Sent):
                return str(mail["Message-ID"])
            await asyncio.sleep(0.2)

    async def answer_to(self, message_id: str) -> EmailMessage:
        """Wait for the answer to a mail."""
        await self._until(lambda: message_id in self._answers, f"an answer to {message_id}")
        return self._answers[message_id]

    async def letter(self, message_id: str) -> EmailMessage:
        """Wait until a letter with this Message-ID is there."""
        await self._until(lambda: message_id in self._letters, f"the letter {message_id}")
        return self._letters[message_id][1]

    async def told(self, who: str, words: str) -> EmailMessage:
        """Wait until a player has a letter with these words in its Subject, and return it."""

        def such() -> list[EmailMessage]:
            return [letter for letter in self.letters(who) if words in str(letter["Subject"])]

        await self._until(lambda: bool(such()), f"a letter to {who} of which the Subject says {words!r}")
        return such()[0]

    def letters(self, who: str) -> list[EmailMessage]:
        """Return the different letters that a player has."""
        return [letter for owner, letter in self._letters.values() if owner == who]

    def count(self, who: str, game: int) -> int:
        """Return the number of letters about a game that a player has."""
        return len(self._of_game[who, game])

    async def newest(self, who: str, game: int, least: int = 1) -> EmailMessage:
        """Wait until a player has `least` letters about a game. Return the one that was written last.

        Letters may arrive in the wrong order, but each one names the previous one.
        """
        letters = self._of_game[who, game]
        await self._until(lambda: len(letters) >= least, f"letter {least} about game {game} to {who}")
        named = {word for letter in letters for word in str(letter["References"] or "").split()}
        return next(letter for letter in reversed(letters) if letter["Message-ID"] not in named)

    async def _until(self, happened: Callable[[], bool], what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE), self._news:
                await self._news.wait_for(lambda: happened() or self._looking.done())
        except TimeoutError:
            raise AssertionError(f"{what} has not come within {PATIENCE:.0f} seconds") from None
        if not happened():
            self._looking.result()

    async def _look_again_and_again(self) -> None:
        try:
            while True:
                if self._look():
                    async with self._news:
                        self._news.notify_all()
                await asyncio.sleep(GLANCE)
        finally:
            async with self._news:
                self._news.notify_all()

    def _look(self) -> bool:
        """Read the new letters in all mailboxes, oldest first. Return whether there were any."""
        new = False
        for who in self._people:
            folder = self._stack.maildir(who, "new")
            found = (
                [path for path in folder.iterdir() if path.name not in self._seen] if folder.exists() else []
            )
            for path in sorted(found, key=lambda one: one.name):
                self._seen.add(path.name)
                self._take(who, path)
                new = True
        return new

    def _take(self, who: str, path: Path) -> None:
        letter = message_from_bytes(path.read_bytes(), policy=policy.default)
        assert isinstance(letter, EmailMessage)
        message_id = str(letter["Message-ID"])
        self.copies[message_id] += 1
        if self.copies[message_id] > 1:
            return
        self._letters[message_id] = (who, letter)
        game = _GAME.search(str(letter["Subject"]))
        # The answer to all parts of a mail leaves by itself.
        is_of_parts = game is None and str(letter["In-Reply-To"]) in self.written
        if letter["Auto-Submitted"] == "auto-replied" or is_of_parts:
            self._answers[str(letter["In-Reply-To"])] = letter
        if game:
            self._of_game[who, int(game[1])].append(letter)


def _name(who: str) -> str:
    """Return a player's name: `ada3@example.test` is Ada 3."""
    name, number = re.fullmatch(r"([a-z]+)(\d*)@.*", who).groups()  # type: ignore[union-attr]
    return f"{name.capitalize()} {number}".strip()


def _habit(who: str) -> Habit:
    """Return how a player's mail program quotes, which is always the same for one player."""
    return (marked, unmarked, from_a_phone)[sum(who.encode()) % 3]
