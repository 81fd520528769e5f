"""Tokens: what a letter carries so that an answer to it can be known as its reader's own.

A seat's token stands in the reply address and in the Message-ID of every letter about a game, so it comes back whatever
the mail program keeps. It proves that the writer has received the seat's letters; a move needs the From as well.
A letter about no game carries the token of the address that it goes to in the same places.
"""

import base64
import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from takmail.games.interface import Seat

TOKEN_LETTERS = 16
"""Letters of base32 in a token: 80 bits."""
_TOKEN_BYTES = TOKEN_LETTERS * 5 // 8
_ASKING = "q"
_TOKEN = r"(\d{1,12})\.([a-z2-7]{16})"
_OF_LETTER = r"(?:\.(\d{1,9})\.([a-z0-9]{1,32}))?"
_OF_PERSONAL_LETTER = r"(?:\.([a-z0-9]{1,32}))?"
_MOST_LOCAL = 64  # characters before the @ (RFC 5321 §4.5.3.1.1)
_TAG = "[tak #{}]"
_TAG_WITH_TOKEN = re.compile(re.escape(_TAG).replace(r"\{\}", _TOKEN + _OF_LETTER))
_TAG_WITH_NUMBER = re.compile(re.escape(_TAG).replace(r"\{\}", r"(\d{1,9})"))
# Beyond ASCII the long s is an s in another case, which nothing here may be compared with.
_ANY_TOKEN = re.compile(_TOKEN, re.IGNORECASE | re.ASCII)
_HEAD_OF_LETTER = re.compile(rf"<{_TOKEN}\.(\d{{1,9}})\.")
_PERSON, _STOP = "me", "stop"
_PERSONAL = rf"({_PERSON}|{_STOP})\.([a-z2-7]{{16}})"
_MOST_CHECKED = 100
"""Look-alikes of a seat's token in one text that are checked; who writes more has no number of theirs to keep."""
_ANY_PERSONAL = re.compile(rf"\b{_PERSONAL}\b", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class SeatRef:
    """A seat of a game; `shown` is the turn that the letter showed in which it came, None outside Message-IDs."""

    game: int
    seat: Seat
    shown: int | None = None


class SeatKey:
    """The service's key and the address that it signs for; makes and checks tokens.

    `old` gives the keys of before whose tokens are still accepted now.
    """

    def __init__(
        self, key: bytes, address: str, delimiter: str, old: Callable[[], Sequence[bytes]] = tuple
    ) -> None:
        self._key = key
        self._old = old
        self._local, _, self._domain = address.lower().partition("@")
        self._delimiter = delimiter
        self._in_address = re.compile(
            re.escape(f"{self._local}{delimiter}") + _TOKEN + _OF_LETTER + re.escape(f"@{self._domain}")
        )
        self._in_message_id = re.compile(rf"<{_TOKEN}\.(\d{{1,9}})\.([a-z0-9]+)@{re.escape(self._domain)}>")
        self._in_head = re.compile(
            (
                f"(?:{re.escape(self._local + delimiter)}|<|{re.escape('[tak #')})"
                rf"{_TOKEN}[.@\]]|{re.escape('[tak #')}(\d{{1,9}})\]"
            ).encode(),
            re.IGNORECASE,
        )
        self._personal_in_address = re.compile(
            re.escape(f"{self._local}{delimiter}")
            + _PERSONAL
            + _OF_PERSONAL_LETTER
            + re.escape(f"@{self._domain}")
        )
        self._personal_in_message_id = re.compile(rf"<{_PERSONAL}\.([a-z0-9]+)@{re.escape(self._domain)}>")

    def seed(self, cause: str) -> bytes:
        """What all chance of a cause comes from: a second attempt at it draws the same, and nobody can foretell it."""
        return hmac.digest(self._key, f"seed {cause}".encode(), "sha256")

    def token(self, game: int, seat: Seat) -> str:
        """`<game>.<16 letters of base32>`: an HMAC-SHA-256 of game and seat."""
        return _token(self._key, game, seat)

    def reply_address(self, game: int, seat: Seat) -> str:
        """Where a seat writes to: with the token where the provider has plus addresses."""
        return self._own_address(self.token(game, seat))

    def subject_tag(self, game: int, seat: Seat) -> str:
        """The tag that begins a game's Subject; it carries the token where the reply address can't."""
        return _TAG.format(game if self._delimiter else self.token(game, seat))

    def personal_address(self, reader: str) -> str:
        """Where the owner of an address writes to about no game: with their token where there are plus addresses."""
        return self._own_address(_personal(self._key, _PERSON, reader))

    def way_to_stop(self, reader: str) -> tuple[str, str]:
        """The address and the Subject of a mail that says, for the owner of an address, that they want no more."""
        token = _personal(self._key, _STOP, reader)
        return self._own_address(token), _STOP if self._delimiter else token

    def letter_address(self, message_id: str) -> str:
        """Where a mail goes that answers one of our letters without being a reply to it: the address names the letter.

        So a link in the letter says as much as a reply does. Without plus addresses it is the service's own.
        """
        named = message_id.strip("<>").rpartition("@")[0]
        address = self._own_address(named)
        if len(address.rpartition("@")[0]) <= _MOST_LOCAL:
            return address
        return self._own_address(".".join(named.split(".")[:2]))

    def letter_tag(self, message_id: str) -> str:
        """The tag for the Subject of such a mail; it names the letter where the address can't."""
        game, *rest = message_id.strip("<>").rpartition("@")[0].split(".")
        return _TAG.format(game if self._delimiter else ".".join((game, *rest)))

    def game_named(self, head: bytes) -> int | None:
        """The game that a mail's headers name, proved or not: it tells only which mails are one game's.

        An address of ours says more than the thread or the Subject, which a player may have taken from another game.
        """
        found = list(self._in_head.finditer(head))
        own = self._local.encode()
        best = next((one for one in found if one[0].lower().startswith(own)), found[0] if found else None)
        return None if best is None else int(best[1] or best[3])

    def letters_in(self, recipients: Iterable[str], subject: str) -> tuple[str, ...]:
        """The Message-IDs of the letters of ours that addresses or a Subject name; they prove what any other would."""
        seats = [self._in_address.fullmatch(one.lower()) for one in recipients if self._delimiter]
        seats.append(_TAG_WITH_TOKEN.search(subject.lower()))
        people = [self._personal_in_address.fullmatch(one.lower()) for one in recipients if self._delimiter]
        # The last group is the random part, which an address that names no letter has not.
        found = [one for one in (*seats, *people) if one is not None and one[one.re.groups]]
        return tuple(f"<{'.'.join(one.groups())}@{self._domain}>" for one in found)

    def message_id(self, ref: SeatRef | None, reader: str, nonce: str, *, asks: bool = False) -> str:
        """The Message-ID of a new letter, lower case; about a game it names the seat and the turn that is shown.

        Of a letter about none it names the `reader`, by a token. A letter that `asks` for a `yes` is marked, so that
        a late `yes` to it is known for what it is. `nonce` is this letter's alone, as `nonce_of` gives it.
        """
        if ref is None:
            head = _personal(self._key, _PERSON, reader)
        else:
            head = f"{self.token(ref.game, ref.seat)}.{ref.shown or 0}"
        return f"<{head}.{_ASKING if asks else ''}{nonce}@{self._domain}>"

    def in_address(self, address: str) -> SeatRef | None:
        """The seat that a recipient's address proves."""
        return self._checked(self._in_address.fullmatch(address.lower())) if self._delimiter else None

    def in_message_id(self, message_id: str) -> SeatRef | None:
        """The seat that one of our Message-IDs proves, and the turn its letter showed."""
        found = self._in_message_id.fullmatch(message_id.lower())
        return self._checked(found, int(found[3]) if found else None)

    def asks(self, message_id: str) -> bool:
        """Whether this is the Message-ID of a letter that asked for a `yes`."""
        found = self._letter(message_id)
        return found is not None and found[found.re.groups].startswith(_ASKING)

    def newest_own(self, message_ids: Iterable[str]) -> str | None:
        """The first of these Message-IDs that looks like one of ours, lower case; it proves nothing."""
        return next((one.lower() for one in message_ids if self._letter(one)), None)

    def is_readers(self, recipients: Iterable[str], message_ids: Iterable[str], sender: str) -> bool:
        """Whether a mail to `recipients`, in a thread of `message_ids`, has the token of its sender's own address."""
        ids = (self._personal_in_message_id.fullmatch(one.lower()) for one in message_ids)
        return self._proves(_PERSON, [*self._personal_tokens(recipients), *map(_token_in, ids)], sender)

    def says_stop(self, recipients: Iterable[str], subject: str, sender: str) -> bool:
        """Whether a mail goes where the header of a letter to its sender says that one writes to get no more."""
        in_subject = _token_in(_ANY_PERSONAL.search(subject))
        return self._proves(_STOP, [*self._personal_tokens(recipients), in_subject], sender)

    def may_see(self, message_id: str, ref: SeatRef | None, reader: str) -> bool:
        """Whether a Message-ID may stand in a letter to `reader`; of ours only one of a letter to them may."""
        lowered = message_id.lower()
        if personal := self._personal_in_message_id.fullmatch(lowered):
            return self._proves(_PERSON, [_token_in(personal)], reader)
        found = self.in_message_id(lowered)
        return found is None or (ref is not None and (found.game, found.seat) == (ref.game, ref.seat))

    def is_own(self, address: str) -> bool:
        """Whether an address in normal form is the service's own, with any detail behind it."""
        local, _, domain = address.rpartition("@")
        plain = local.partition(self._delimiter)[0] if self._delimiter else local
        return domain == self._domain and self._local in (local, plain)

    def in_subject(self, subject: str) -> SeatRef | None:
        """The seat that a Subject's tag proves."""
        return self._checked(_TAG_WITH_TOKEN.search(subject.lower()))

    def without_tokens(self, text: str) -> str:
        """The text with every token in it blotted out, as words that are passed on may quote one.

        After `_MOST_CHECKED` that only look like one, all of them are.
        """
        checked = count()

        def shown(found: re.Match[str]) -> str:
            return "..." if next(checked) >= _MOST_CHECKED or self._checked(found) else found[0]

        return _ANY_TOKEN.sub(shown, _ANY_PERSONAL.sub("...", text))

    def _letter(self, message_id: str) -> re.Match[str] | None:
        forms = (self._in_message_id, self._personal_in_message_id)
        return next(filter(None, (one.fullmatch(message_id.lower()) for one in forms)), None)

    def _own_address(self, token: str) -> str:
        detail = f"{self._delimiter}{token}" if self._delimiter else ""
        return f"{self._local}{detail}@{self._domain}"

    def _personal_tokens(self, addresses: Iterable[str]) -> Iterator[str]:
        if self._delimiter:
            for address in addresses:
                yield _token_in(self._personal_in_address.fullmatch(address.lower()))

    def _proves(self, purpose: str, given: Sequence[str], reader: str) -> bool:
        """Whether one of the tokens given is the reader's for this purpose, by any key that is accepted."""
        real = [_personal(key, purpose, reader) for key in (self._key, *self._old())]
        # As below: each is compared with each, so that the time it takes tells nothing.
        return sum(hmac.compare_digest(one, other) for one in given for other in real) > 0

    def _checked(self, found: re.Match[str] | None, shown: int | None = None) -> SeatRef | None:
        """The seat whose token this is; relays may have changed its case, so case is gone by now."""
        if found is None:
            return None
        game, given = int(found[1]), f"{int(found[1])}.{found[2].lower()}"
        proved = None
        # No candidate is left out once one fits: the time it takes must not tell which one did.
        for key in (self._key, *self._old()):
            for seat in Seat:
                if hmac.compare_digest(given, _token(key, game, seat)):
                    proved = SeatRef(game, seat, shown)
        return proved


def nonce_of(seed: bytes, number: int) -> str:
    """The part of a Message-ID that nobody can guess, 16 hex digits: of letter `number` of what has this seed."""
    return hmac.digest(seed, f"letter {number}".encode(), "sha256").hex()[:16]


def shown_in(message_id: str) -> int | None:
    """The turn that a letter showed which is known to be ours, whatever key it was written with; it proves nothing."""
    found = _HEAD_OF_LETTER.match(message_id)
    return None if found is None else int(found[3])


def tagged_game(subject: str) -> int | None:
    """The game that a Subject's tag names without proving anything."""
    found = _TAG_WITH_NUMBER.search(subject.lower())
    return int(found[1]) if found else None


def _token(key: bytes, game: int, seat: Seat) -> str:
    return f"{game}.{_letters(key, f'seat {game} {int(seat)}')}"


def _personal(key: bytes, purpose: str, address: str) -> str:
    return f"{purpose}.{_letters(key, f'{purpose} {address}')}"


def _letters(key: bytes, what: str) -> str:
    digest = hmac.digest(key, what.encode(), "sha256")
    return base64.b32encode(digest[:_TOKEN_BYTES]).decode().lower()


def _token_in(found: re.Match[str] | None) -> str:
    """A personal token as it was made, or '' where none was found; relays may have changed its case."""
    return "" if found is None else f"{found[1]}.{found[2]}".lower()
