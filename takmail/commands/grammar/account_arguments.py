"""Define the arguments of commands about the sender's account: what they are, how they are read and written."""

from dataclasses import dataclass
from typing import Self

from takmail.commands.command import Arguments, Rest
from takmail.commands.grammar.arguments import FreeName
from takmail.commands.kinds import LetterView
from takmail.limits.words import MAX_REFUSED_NAME_CHARS
from takmail.mail.address import normal_address

_ON_OR_OFF = {"on": True, "off": False}


@dataclass(frozen=True, slots=True)
class Name(FreeName):
    """A name for the sender."""

    most_chars = MAX_REFUSED_NAME_CHARS


@dataclass(frozen=True, slots=True)
class BlockPlayer(FreeName):
    """The player to block."""


@dataclass(frozen=True, slots=True)
class UnblockPlayer(FreeName):
    """The player to unblock."""


@dataclass(frozen=True, slots=True)
class View(Arguments):
    """The letter format that the sender wants."""

    wanted: LetterView

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `html`."""
        text = rest.text.lower()
        return cls(LetterView(text)) if text in tuple(LetterView) else None

    def written(self) -> str:
        """Return the letter format."""
        return self.wanted


@dataclass(frozen=True, slots=True)
class Receipts(Arguments):
    """Whether the sender wants receipts."""

    are_wanted: bool

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `off`."""
        are_wanted = _ON_OR_OFF.get(rest.text.lower())
        return None if are_wanted is None else cls(are_wanted)

    def written(self) -> str:
        """Return `on` or `off`."""
        return "on" if self.are_wanted else "off"


@dataclass(frozen=True, slots=True)
class Reads(Arguments):
    """Whether the sender's lines are read as PTN, too."""

    in_ptn: bool

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `ptn` or `mail`. "Reads well" is chat."""
        text = rest.text.lower()
        return cls(text == "ptn") if text in ("ptn", "mail") else None

    def written(self) -> str:
        """Return `ptn` or `mail`."""
        return "ptn" if self.in_ptn else "mail"


@dataclass(frozen=True, slots=True)
class _OneAddress(Arguments):
    address: str

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse an address. Mail programs repeat an address after itself, as <mailto:ada@example.org>."""
        words = rest.text.lower().replace("<", " <").split()
        addresses = set(filter(None, map(normal_address, words)))
        return cls(addresses.pop()) if len(addresses) == 1 else None

    def write_free(self) -> str:
        """Return the address."""
        return self.address


@dataclass(frozen=True, slots=True)
class AddAddress(_OneAddress):
    """An address to add to the sender."""


@dataclass(frozen=True, slots=True)
class RemoveAddress(_OneAddress):
    """An address to remove from the sender."""


@dataclass(frozen=True, slots=True)
class AddressIsMine(Arguments):
    """The player to whom the sender's address is added, because its owner answered `yes`."""

    player_id: int
