"""People with a mail program: they read letters, and write mails as bytes, in answer to a letter or not."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from functools import cached_property, lru_cache

from takmail.commands.game.table import Table

TAK = "tak@example.test"
ADA = "ada@example.org"
BEN = "ben@example.org"


class Headers(HeaderRegistry):
    """Parsed headers, each of which is parsed once: most of them are the same in all mails."""

    __call__ = lru_cache(5_000)(HeaderRegistry.__call__)


PROGRAM = policy.default.clone(header_factory=Headers())
"""How a mail program reads and writes mails."""


@dataclass(frozen=True)
class Received:
    """A letter as its reader's mail program sees it."""

    to: str
    mail: EmailMessage

    @cached_property
    def text(self) -> str:
        """The plain text, '' if it has none."""
        return self._side("plain")

    @cached_property
    def html(self) -> str:
        """The HTML side, '' if it has none."""
        return self._side("html")

    @property
    def pictures(self) -> dict[str, bytes]:
        """The pictures that come with it, by their Content-IDs without angle brackets."""
        images = [part for part in self.mail.walk() if part.get_content_maintype() == "image"]
        return {str(part["Content-ID"]).strip("<>"): part.get_content() for part in images}

    def _side(self, kind: str) -> str:
        part = self.mail.get_body((kind,))
        return "" if part is None else str(part.get_content()).replace("\r\n", "\n")

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def subject(self) -> str:
        return str(self.mail["Subject"])

    @property
    def asks_who(self) -> bool:
        """Whether it asks if a mail about no game was its reader's."""
        return self.subject.endswith("is this from you?")

    @property
    def id(self) -> str:
        return str(self.mail["Message-ID"])


def said(letter: Received) -> str:
    """The letter's text with its lines run together, as it doesn't matter where they break."""
    return " ".join(letter.text.split())


def quote(letter: Received) -> str:
    """The letter quoted below an attribution line, as most programs do it."""
    return f"On Sat, 21 Nov 2026 at 10:00, Tak by Mail <{TAK}> wrote:\n" + "\n".join(
        f"> {line}" for line in letter.lines
    )


def parsed(raw: bytes) -> EmailMessage:
    """The bytes of a letter as its reader's mail program takes them."""
    mail = message_from_bytes(raw, policy=PROGRAM)
    assert isinstance(mail, EmailMessage)
    return mail


@dataclass(kw_only=True)
class Players(ABC):
    """People who write to a takmail; `box` has all letters that have come, whoever they are to.

    They say `yes` at once where they are asked whether a mail about no game was theirs, unless `confirms` is False.
    """

    confirms: bool = True
    box: list[Received] = field(default_factory=list)
    _mails: int = 0

    @abstractmethod
    def deliver(self, raw: bytes) -> list[Received]:
        """Put a mail through; gives the letters that follow. A mail that is shunted fails the test."""

    @abstractmethod
    def table(self, number: int = 1) -> Table:
        """A game with everything on its table."""

    def mail(
        self,
        sender: str,
        text: str,
        answers: Received | None = None,
        *,
        to: str | None = None,
        subject: str = "",
        quoting: bool = True,
        threaded: bool = True,
        **headers: str,
    ) -> EmailMessage:
        """A mail as a person's program writes it: an answer goes to Reply-To and quotes the letter below."""
        self._mails += 1
        mail = EmailMessage(PROGRAM)
        mail["From"] = sender
        mail["Date"] = "Sat, 21 Nov 2026 12:00:00 +0000"
        mail["Message-ID"] = headers.pop("message_id", f"<{self._mails}.{len(text)}@mail.example.org>")
        if answers is None:
            mail["To"] = to or TAK
            mail["Subject"] = subject
        else:
            mail["To"] = to or str(answers.mail["Reply-To"] or answers.mail["From"])
            mail["Subject"] = subject or f"Re: {answers.subject}"
            if threaded:
                mail["In-Reply-To"] = answers.id
                mail["References"] = f"{answers.mail['References'] or ''} {answers.id}".strip()
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(f"{text}\n\n{quote(answers)}\n" if answers and quoting else f"{text}\n")
        return mail

    def send(self, sender: str, text: str, answers: Received | None = None, **how: object) -> list[Received]:
        """Write a mail and handle it; gives the letters that follow, the last ones if it was asked about."""
        letters = self.deliver(self.mail(sender, text, answers, **how).as_bytes())  # type: ignore[arg-type]
        if self.confirms and len(letters) == 1 and letters[0].asks_who:
            below = text.partition("\n\n")[2] if "are not kept" in said(letters[0]) else ""
            words = text if "write the same again" in said(letters[0]) else f"yes\n\n{below}".strip()
            return self.deliver(self.mail(sender, words, letters[0]).as_bytes())
        return letters

    def last(self, who: str) -> Received:
        """The newest letter to somebody."""
        newest = next((letter for letter in reversed(self.box) if letter.to == who), None)
        assert newest is not None, f"there is no letter to {who}"
        return newest

    def begin(self, words: str = "5", first: str = "me") -> None:
        """Ada asks Ben to a game and Ben accepts; Ada plays White unless `first` says otherwise."""
        self.send(f"Ada <{ADA}>", f"new {words} vs {BEN} first={first}")
        self.send(f"Ben <{BEN}>", "accept", self.last(BEN))

    def play(self, *moves: str, start: int = 0) -> None:
        """Ada and Ben play these moves by turns, each in answer to their newest letter."""
        for number, move in enumerate(moves, start):
            who = (ADA, BEN)[number % 2]
            self.send(f"{who[:3].capitalize()} <{who}>", move, self.last(who))
