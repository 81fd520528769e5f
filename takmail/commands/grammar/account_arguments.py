"""Define the arguments of commands about the sender's account: what they are, how they are read and written."""

from dataclasses import dataclass
from typing import ClassVar, Self

from takmail.commands.command import Arguments, Rest
from takmail.commands.grammar.faults import LineFault, Unclear
from takmail.commands.grammar.normalize import clipped
from takmail.commands.kinds import LetterView
from takmail.limits.words import MAX_NAME_CHARS, MAX_REFUSED_NAME_CHARS, MAX_REPEATED_WORD_CHARS
from takmail.mail.address import normal_address

_ON_OR_OFF = {"on": True, "off": False}


@dataclass(frozen=True, slots=True)
class Name(Arguments):
    """A name for the sender."""

    name: str
    is_free_text: ClassVar[bool] = True

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse a name. Text that is much too long for one is chat, unless the line has a `/`."""
        name = rest.text.strip("\"'")
        if not name:
            return Unclear(LineFault.NAME_WHAT)
        return cls(name) if rest.is_marked or len(name) <= MAX_REFUSED_NAME_CHARS else None

    def write_free(self) -> str:
        """Return the name."""
        return self.name


@dataclass(frozen=True, slots=True)
class _PlayerName(Arguments):
    name: str
    is_free_text: ClassVar[bool] = True

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse a name. Text that is too long for one is chat, unless the line has a `/`."""
        name = rest.text.strip("\"'")
        if not name:
            return Unclear(LineFault.UNBLOCK_WHAT)
        is_name = rest.is_marked or len(name) <= MAX_NAME_CHARS
        return cls(clipped(name, MAX_REPEATED_WORD_CHARS)) if is_name else None

    def write_free(self) -> str:
        """Return the name."""
        return self.name


@dataclass(frozen=True, slots=True)
class BlockPlayer(_PlayerName):
    """The player to block."""


@dataclass(frozen=True, slots=True)
class UnblockPlayer(_PlayerName):
    """The player to unblock."""


@dataclass(frozen=True, slots=True)
class View(Arguments):
    """The letter format that the sender wants."""

    wanted: LetterView

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse `html`. "View from here" is chat, and so is "View online" after the first line."""
        text = rest.text.lower()
        if text in tuple(LetterView):
            return cls(LetterView(text))
        return _unclear(LineFault.VIEW_WHAT, text) if _is_meant(rest) else None

    def written(self) -> str:
        """Return the letter format."""
        return self.wanted


@dataclass(frozen=True, slots=True)
class Receipts(Arguments):
    """Whether the sender wants receipts."""

    are_wanted: bool

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse `off`. "Receipts from the shop" is chat, and so is "Receipts please" after the first line."""
        text = rest.text.lower()
        if text in _ON_OR_OFF:
            return cls(_ON_OR_OFF[text])
        return _unclear(LineFault.RECEIPTS_WHAT, text) if _is_meant(rest) else None

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
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse an address. Mail programs repeat an address after itself, as <mailto:ada@example.org>."""
        if rest.keyword == "address":
            return Unclear(LineFault.ADDRESS_WHAT) if rest.is_marked else None
        words = rest.text.lower().replace("<", " <").split()
        addresses = list(dict.fromkeys(filter(None, map(normal_address, words))))
        if len(addresses) == 1:
            return cls(addresses[0])
        return Unclear(LineFault.ADDRESS_WHAT) if rest.is_marked or " " not in rest.text else None

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


def _is_meant(rest: Rest) -> bool:
    """Tell whether an unknown text after a keyword is meant as its argument: one word, on the first line."""
    return bool(rest.text) and (rest.is_marked or (rest.is_first and " " not in rest.text))


def _unclear(fault: LineFault, text: str) -> Unclear:
    return Unclear(fault, clipped(text, MAX_REPEATED_WORD_CHARS))
