"""Players with a mail program. They read letters, and write mails as bytes."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from email import message_from_bytes
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import EmailPolicy
from functools import cached_property, lru_cache

from takmail.world.game import Game
from tests.support.wording import is_said

TAK = "tak@example.test"
ADA = "ada@example.org"
BEN = "ben@example.org"


class Headers(HeaderRegistry):
    """Parsed headers with a cache, because most headers are the same in all mails."""

    __call__ = lru_cache(5_000)(HeaderRegistry.__call__)
    __getitem__ = lru_cache(HeaderRegistry.__getitem__)


class Program(EmailPolicy):
    """How the players' mail program parses and writes mails, again with a cache of headers."""

    fold_binary = lru_cache(5_000)(EmailPolicy.fold_binary)


PROGRAM = Program(header_factory=Headers())


@dataclass(frozen=True)
class Received:
    """A letter as its reader's mail program sees it."""

    to: str
    raw: bytes

    @cached_property
    def mail(self) -> EmailMessage:
        """The letter, parsed when it is first looked at."""
        return parsed(self.raw)

    @cached_property
    def text(self) -> str:
        """The plain text, '' if there is none."""
        return self._side("plain")

    @cached_property
    def html(self) -> str:
        """The HTML side, '' if there is none."""
        return self._side("html")

    @property
    def pictures(self) -> dict[str, bytes]:
        """The embedded pictures, by Content-ID without angle brackets."""
        images = [part for part in self.mail.walk() if part.get_content_maintype() == "image"]
        return {
            str(part["Content-ID"]).strip("<>"): part.get_content() for part in images if part["Content-ID"]
        }

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
        """Whether it asks if its reader wrote a mail about no game."""
        return is_said(self.subject, "subject_of_confirmation", service="")

    @property
    def wants_it_again(self) -> bool:
        """Whether it tells somebody who has never provably written to ask once more, in an answer to it."""
        return self.says("sender_is_unknown", has_asked=True)

    def says(self, name: str, **values: object) -> bool:
        """Return whether its subject or its text has a message, in any language."""
        return is_said(f"{self.subject}\n{self.text}", name, **values)

    @property
    def id(self) -> str:
        return str(self.mail["Message-ID"])


def said(letter: Received) -> str:
    """Return the letter's text with its lines joined, so that line breaks do not matter."""
    return " ".join(letter.text.split())


def quote(letter: Received) -> str:
    """Return the letter quoted below an attribution line, as most programs do."""
    return f"On Sat, 21 Nov 2026 at 10:00, Tak by Mail <{TAK}> wrote:\n" + "\n".join(
        f"> {line}" for line in letter.lines
    )


def parsed(raw: bytes) -> EmailMessage:
    """Parse the bytes of a letter as its reader's mail program does."""
    mail = message_from_bytes(raw, policy=PROGRAM)
    assert isinstance(mail, EmailMessage)
    return mail


@dataclass(kw_only=True)
class Players(ABC):
    """People who write to a takmail. `box` holds all letters to any of them.

    They answer at once when asked whether they wrote a mail about no game, or commands that concern their account, or
    told to write it again, unless `confirms` is False.
    """

    confirms: bool = True
    box: list[Received] = field(default_factory=list)
    _mails: int = 0

    @abstractmethod
    def deliver(self, raw: bytes) -> list[Received]:
        """Process a mail and return the resulting letters. A shunted mail fails the test."""

    @abstractmethod
    def table(self, number: int = 1) -> Game:
        """Return a game with its table."""

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
        """Return a mail as a mail program writes it. A reply goes to Reply-To and quotes the letter below."""
        self._mails += 1
        mail = EmailMessage(PROGRAM)
        mail["From"] = sender
        mail["Date"] = headers.pop("date", "Sat, 21 Nov 2026 12:00:00 +0000")
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
        """Write a mail and process it. Return the resulting letters, those after the `yes` if there was a question."""
        letters = self.deliver(self.mail(sender, text, answers, **how).as_bytes())  # type: ignore[arg-type]
        if self.confirms and len(letters) == 1 and letters[0].wants_it_again:
            return self.deliver(self.mail(sender, text, letters[0]).as_bytes())
        asked = [one for one in letters if one.to in sender and one.asks_who]
        if self.confirms and len(asked) == 1:
            below = text.partition("\n\n")[2] if asked[0].says("write_the_words_again") else ""
            words = text if asked[0].says("write_all_of_it_again") else f"yes\n\n{below}".strip()
            others = [one for one in letters if one is not asked[0]]
            date = {name: value for name, value in how.items() if name == "date"}
            return [*others, *self.deliver(self.mail(sender, words, asked[0], **date).as_bytes())]  # type: ignore[arg-type]
        return letters

    def last(self, who: str) -> Received:
        """Return the newest letter to somebody."""
        newest = next((letter for letter in reversed(self.box) if letter.to == who), None)
        assert newest is not None, f"there is no letter to {who}"
        return newest

    def begin(self, words: str = "5", first: str = "me") -> None:
        """Ada invites Ben and Ben accepts. Ada plays White unless `first` says otherwise."""
        self.send(f"Ada <{ADA}>", f"new {words} vs {BEN} first={first}")
        self.send(f"Ben <{BEN}>", "accept", self.last(BEN))

    def begin_and_play(self, *moves: str, words: str = "5", first: str = "me") -> None:
        """Begin a game, and play its first moves."""
        self.begin(words, first)
        self.play(*moves)

    def play(self, *moves: str, start: int = 0) -> None:
        """Ada and Ben play these moves alternately, each in reply to their newest letter."""
        for number, move in enumerate(moves, start):
            who = (ADA, BEN)[number % 2]
            self.send(f"{who[:3].capitalize()} <{who}>", move, self.last(who))
