"""Define the arguments of commands about the sender's account: what they are, how they are read and written."""

from dataclasses import dataclass
from typing import Self

from takmail.commands.command import Arguments, Rest
from takmail.commands.grammar.arguments import FreeName
from takmail.commands.records import SETTINGS
from takmail.limits.words import MAX_NAME_WORDS, MAX_REFUSED_NAME_CHARS
from takmail.mail.address import normal_address


@dataclass(frozen=True, slots=True)
class Name(FreeName):
    """A name for the sender."""

    most_chars = MAX_REFUSED_NAME_CHARS
    most_words = MAX_NAME_WORDS


@dataclass(frozen=True, slots=True)
class BlockPlayer(FreeName):
    """The player to block."""


@dataclass(frozen=True, slots=True)
class UnblockPlayer(FreeName):
    """The player to unblock."""


@dataclass(frozen=True, slots=True)
class Choice(Arguments):
    """A word that the sender chooses behind the keyword of a setting."""

    keyword: str
    word: str

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `html` behind `view`. "Reads well" is chat."""
        word = rest.text.lower()
        return cls(rest.keyword, word) if word in SETTINGS[rest.keyword].choices else None

    def written(self) -> str:
        """Return the word."""
        return self.word


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
