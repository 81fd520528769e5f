"""The players' side of the mail: what they hand in, and what lies in their mailboxes."""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path
from typing import Self

from takmail.cli.demo.habits import Habit, from_a_phone, marked, unmarked
from takmail.runtime.net.smtp import Sender, Sent, SmtpAccount
from tests.stack.mailstack import MailStack

PATIENCE = 180.0
"""Seconds that a player waits for a letter; one that is deferred once goes out a minute later."""

GLANCE = 0.05
"""Seconds between two looks at the mailboxes."""

_GAME = re.compile(r"\[tak #(\d+)\]")


class Post:
    """Hands in mails, and sees what comes; a letter that comes again is counted and no more.

    `written` are the mails that were handed in, by Message-ID, with who wrote them. The mailboxes are looked at as
    Dovecot leaves them on the disk, so that no restart of it can keep a letter from being seen.
    """

    def __init__(self, stack: MailStack, people: list[str]) -> None:
        self.written: dict[str, str] = {}
        self.copies: Counter[str] = Counter()
        self._stack = stack
        self._people = people
        self._answers: dict[str, EmailMessage] = {}
        self._of_game: defaultdict[tuple[str, int], list[EmailMessage]] = defaultdict(list)
        self._seen: set[str] = set()
        self._news = asyncio.Condition()
        self._sender = Sender(SmtpAccount(stack.host, stack.smtp_port, tls="none"))

    async def __aenter__(self) -> Self:
        self._looking = asyncio.create_task(self._look_again_and_again())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._looking.cancel()
        await asyncio.gather(self._looking, return_exceptions=True)
        await self._sender.close()

    async def write(self, who: str, words: str, answers: EmailMessage | None = None) -> str:
        """Hand in a mail as who it is writes them, until the server takes it; gives its Message-ID."""
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"] = f"{_name(who)} <{who}>"
        mail["Date"] = format_datetime(datetime.now(UTC))
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

    def count(self, who: str, game: int) -> int:
        """How many letters about a game somebody has."""
        return len(self._of_game[who, game])

    async def newest(self, who: str, game: int, least: int = 1) -> EmailMessage:
        """Wait until somebody has so many letters about a game; gives the one that was written last.

        Two may have come in the wrong order, but each names the one before it.
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
        """Read what is new in all mailboxes, the oldest first."""
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
        if letter["Auto-Submitted"] == "auto-replied":
            self._answers[str(letter["In-Reply-To"])] = letter
        if game := _GAME.search(str(letter["Subject"])):
            self._of_game[who, int(game[1])].append(letter)


def _name(who: str) -> str:
    """What somebody is called: `ada3@example.test` is Ada 3."""
    name, number = re.fullmatch(r"([a-z]+)(\d*)@.*", who).groups()  # type: ignore[union-attr]
    return f"{name.capitalize()} {number}".strip()


def _habit(who: str) -> Habit:
    """How somebody's mail program quotes: always the same way."""
    return (marked, unmarked, from_a_phone)[sum(who.encode()) % 3]
