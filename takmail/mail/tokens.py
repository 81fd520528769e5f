"""Tokens, which prove that an answer to a letter comes from a person who received the letter.

A seat's token is in the reply address and in the Message-ID of every letter about a game. An answer has the token if
the mail program keeps either of the two. The token proves that the writer has received the seat's letters. To play a
move, the From header must be right, too. A letter that is about no game has a personal token for the recipient's
address in the same places.

Tokens are numbered, and only the token with the current number of a seat proves anything. After a mail that others have
read, the number goes up, so that what they have read is worth no more. The number stands in the token: `12n1.…` is the
second one of a seat in game 12. The first one, `12.…`, has the number 0 and doesn't show it.
"""

import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice

from takmail.games.interface import Seat
from takmail.limits.mails import MAX_TOKENS_CHECKED
from takmail.mail.token_forms import game_in, head_of, number_in, personal_token, seat_token, token_in

FIRST_RENEWED = 2
"""The number of a seat's token after others have read its first one. Swapped seats get 1 + the higher one."""
_ASKS_PREFIX = "q"
_LESSON_PREFIX = re.compile(r"l([a-z]{2})([a-z]{4})?(\d{1,2}[behp]*)l")
"""What stands before the nonce of a letter with a lesson, whose first character is a hexadecimal digit."""
# A letter stands before the number, because any other character may be the delimiter before the token.
_TOKEN = r"(\d{1,12}(?:n\d{1,6})?)\.([a-z2-7]{16})"
_OF_LETTER = r"(?:\.(\d{1,9})\.([a-z0-9]{1,32}))?"
_OF_PERSONAL_LETTER = r"(?:\.([a-z0-9]{1,32}))?"
_MAX_LOCAL_CHARS = 64  # the maximum number of characters before the @ (RFC 5321 §4.5.3.1.1)
_TAG = "[tak #{}]"
_TAG_WITH_TOKEN = re.compile(re.escape(_TAG).replace(r"\{\}", _TOKEN + _OF_LETTER))
_TAG_WITH_NUMBER = re.compile(re.escape(_TAG).replace(r"\{\}", r"(\d{1,9})"))
# Only ASCII matches. In Unicode, ſ (long s) equals s if case is ignored, and it must not occur in a token.
_ANY_TOKEN = re.compile(_TOKEN, re.IGNORECASE | re.ASCII)
STOP, NO_REMINDERS, NO_DIGEST, NO_NEWS = "stop", "reminders off", "digest off", "news off"
"""The lines that a mail of a mail program's unsubscribe button stands for."""
_PERSON, _STOP, _QUIET, _SINGLY, _NEWS = "me", "stop", "quiet", "singly", "nonews"
_UNSUBSCRIBES = {STOP: _STOP, NO_REMINDERS: _QUIET, NO_DIGEST: _SINGLY, NO_NEWS: _NEWS}
"""The purpose of the token that proves each of these lines."""
_PERSONAL = rf"((?:{_PERSON}|{_STOP}|{_QUIET}|{_SINGLY}|{_NEWS})(?:n\d{{1,6}})?)\.([a-z2-7]{{16}})"
_ANY_PERSONAL = re.compile(rf"\b{_PERSONAL}\b", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class SeatRef:
    """A seat of a game, as a token names it.

    `turn` is the turn that a letter showed; only a Message-ID has it, otherwise it is None. `number` is that of the
    token.
    """

    game: int
    seat: Seat
    turn: int | None = None
    number: int = 0


class SeatKey:
    """Makes and checks tokens with the service's key, for the service's address.

    `old` returns earlier keys whose tokens are still accepted, and `newest` the key from the next `renew` on.
    """

    def __init__(
        self,
        key: bytes,
        address: str,
        delimiter: str,
        old: Callable[[], Sequence[bytes]] = tuple,
        newest: Callable[[], bytes] | None = None,
    ) -> None:
        self._key = key
        self._old = old
        self._newest = newest or (lambda: key)
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

    @property
    def id(self) -> str:
        """A name of the key, 16 hexadecimal digits, from which nobody can tell the key."""
        return hmac.digest(self._key, b"id", "sha256").hex()[:16]

    def renew(self) -> None:
        """Use the newest key from now on. It never changes otherwise, as one mail must be decided with one key."""
        self._key = self._newest()

    def seed(self, cause: str) -> bytes:
        """Return the seed of all random choices for a cause. It is unpredictable, and the same at a second attempt."""
        return hmac.digest(self._key, f"seed {cause}".encode(), "sha256")

    def marks(self, address: str) -> tuple[str, ...]:
        """Return what an address is remembered by, as 64 hexadecimal digits: an HMAC under each accepted key."""
        keys = (self._key, *self._old())
        return tuple(hmac.digest(key, f"address {address}".encode(), "sha256").hex() for key in keys)

    def token(self, game: int, seat: Seat, number: int = 0) -> str:
        """Return `<game>.<16 characters of base32>`, with `n<number>` behind the game unless the number is 0.

        The characters are an HMAC-SHA-256 of game, seat and number.
        """
        return seat_token(self._key, game, seat, number)

    def reply_address(self, game: int, seat: Seat, number: int = 0) -> str:
        """Return the address to which a seat replies. It has the token if the provider supports plus addresses."""
        return self._own_address(self.token(game, seat, number))

    def subject_tag(self, game: int, seat: Seat, number: int = 0) -> str:
        """Return the tag at the start of a game's Subject. It has the token if the reply address can't."""
        return _TAG.format(game if self._delimiter else self.token(game, seat, number))

    def game_tag(self, game: int) -> str:
        """Return the tag of a Subject that names a game, and proves nothing."""
        return _TAG.format(game)

    def personal_address(self, reader: str, number: int = 0) -> str:
        """Return the address to which `reader` replies if a letter is about no game.

        It has a personal token if the provider supports plus addresses.
        """
        return self._own_address(personal_token(self._key, _PERSON, reader, number))

    def unsubscribe_address(self, reader: str, line: str = STOP) -> tuple[str, str]:
        """Return the address and the Subject of a mail that unsubscribes the owner of the address `reader`.

        It stands for `line`, one of `_UNSUBSCRIBES`.
        """
        token = personal_token(self._key, _UNSUBSCRIBES[line], reader, 0)
        return self._own_address(token), line if self._delimiter else token

    def letter_address(self, message_id: str) -> str:
        """Return an address that names a letter, for a mail that answers the letter without being a reply to it.

        With this address, a link in the letter proves as much as a reply does. Without plus addresses the result is the
        service's own address.
        """
        named = message_id.strip("<>").rpartition("@")[0]
        address = self._own_address(named)
        if len(address.rpartition("@")[0]) <= _MAX_LOCAL_CHARS:
            return address
        return self._own_address(".".join(named.split(".")[:2]))

    def letter_tag(self, message_id: str) -> str:
        """Return the Subject tag for a mail to `letter_address`. The tag names the letter if the address can't."""
        game, *rest = message_id.strip("<>").rpartition("@")[0].split(".")
        return _TAG.format(game_in(game) if self._delimiter else ".".join((game, *rest)))

    def game_named(self, head: bytes) -> int | None:
        """Return the game that a mail's headers name.

        It isn't verified, and only serves to group the mails of a game. An address of the service takes precedence over
        the thread and the Subject, which a player may have copied from another game.
        """
        found = list(self._in_head.finditer(head))
        own = self._local.encode()
        best = next((one for one in found if one[0].lower().startswith(own)), found[0] if found else None)
        return None if best is None else game_in((best[1] or best[3]).decode())

    def is_proven_by(self, head: bytes, sender: str) -> bool:
        """Return whether a mail's headers have a token of a seat, or a personal one of the mail's sender.

        Whoever has such a token has got a letter of the service. Whether it is still the current one is not checked.
        """
        text = head.decode("latin-1").lower()
        seats = islice(_ANY_TOKEN.finditer(text), MAX_TOKENS_CHECKED)
        if any(self._checked(found) is not None for found in seats):
            return True
        people = islice(_ANY_PERSONAL.finditer(text), MAX_TOKENS_CHECKED)
        return any(self._is_personal(token_in(found), sender) for found in people)

    def letters_in(self, recipients: Iterable[str], subject: str) -> tuple[str, ...]:
        """Return the Message-IDs of letters that recipients or a Subject name.

        Such a Message-ID proves as much as one in the thread.
        """
        seats = [self._in_address.fullmatch(one.lower()) for one in recipients if self._delimiter]
        seats.append(_TAG_WITH_TOKEN.search(subject.lower()))
        people = [self._personal_in_address.fullmatch(one.lower()) for one in recipients if self._delimiter]
        # The last group is the nonce. An address that names no letter has none.
        found = [one for one in (*seats, *people) if one is not None and one[one.re.groups]]
        return tuple(f"<{'.'.join(one.groups())}@{self._domain}>" for one in found)

    def message_id(
        self,
        ref: SeatRef | None,
        reader: str,
        nonce: str,
        number: int = 0,
        *,
        asks: bool = False,
        lesson: str = "",
    ) -> str:
        """Return the Message-ID of a new letter, in lower case.

        If the letter is about a game, the id names the seat by a token and the turn that the letter shows. Otherwise
        the id names `reader` by the personal token with this number. `asks` marks a letter that asks for a `yes`, so
        that a late `yes` can be recognised. `lesson` is the language and the mark of the lesson that the letter
        gives, such as `en3`, '' if it gives none. `nonce` is unique to this letter (`nonce_of`).
        """
        if ref is None:
            head = personal_token(self._key, _PERSON, reader, number)
        else:
            head = f"{self.token(ref.game, ref.seat, ref.number)}.{ref.turn or 0}"
        mark = _ASKS_PREFIX if asks else f"l{lesson.replace('-', '')}l" if lesson else ""
        return f"<{head}.{mark}{nonce}@{self._domain}>"

    def in_address(self, address: str) -> SeatRef | None:
        """Return the seat that a recipient's address proves, or None."""
        return self._checked(self._in_address.fullmatch(address.lower())) if self._delimiter else None

    def in_message_id(self, message_id: str) -> SeatRef | None:
        """Return the seat that a Message-ID of this service proves, with the turn that its letter showed, or None."""
        found = self._in_message_id.fullmatch(message_id.lower())
        return self._checked(found, int(found[3]) if found else None)

    def asks(self, message_id: str) -> bool:
        """Return whether this is the Message-ID of a letter that asked for a `yes`."""
        found = self._letter(message_id)
        return found is not None and found[found.re.groups].startswith(_ASKS_PREFIX)

    def lesson(self, message_id: str) -> tuple[str, str] | None:
        """Return the language and the mark of the lesson that the letter with this Message-ID gives, or None.

        It isn't verified.
        """
        found = self._letter(message_id)
        mark = None if found is None else _LESSON_PREFIX.match(found[found.re.groups])
        return None if mark is None else ("-".join(filter(None, mark.groups()[:2])), mark[3])

    def newest_own(self, message_ids: Iterable[str]) -> str | None:
        """Return the first Message-ID that looks like one of this service, in lower case, or None.

        It isn't verified.
        """
        return next((one.lower() for one in message_ids if self._letter(one)), None)

    def proves_address(
        self, recipients: Iterable[str], message_ids: Iterable[str], sender: str, number: int
    ) -> bool:
        """Return whether a mail to `recipients`, in a thread of `message_ids`, proves the sender's own address.

        Only the personal token with this number does.
        """
        ids = (self._personal_in_message_id.fullmatch(one.lower()) for one in message_ids)
        return self._proves(
            _PERSON, [*self._personal_tokens(recipients), *map(token_in, ids)], sender, number
        )

    def unsubscribes(self, recipients: Iterable[str], subject: str, sender: str) -> str:
        """Return the line that a mail stands for by the unsubscribe address or Subject of a letter to its sender.

        Return '' if it has neither.
        """
        given = [*self._personal_tokens(recipients), token_in(_ANY_PERSONAL.search(subject))]
        proved = [line for line, purpose in _UNSUBSCRIBES.items() if self._proves(purpose, given, sender)]
        return next(iter(proved), "")

    def may_see(self, message_id: str, ref: SeatRef | None, reader: str) -> bool:
        """Return whether a Message-ID may appear in a letter to `reader`.

        An id of this service may appear only if its letter went to the same seat or reader.
        """
        lowered = message_id.lower()
        if personal := self._personal_in_message_id.fullmatch(lowered):
            token = token_in(personal)
            return self._proves(_PERSON, [token], reader, number_in(token))
        found = self.in_message_id(lowered)
        return found is None or (ref is not None and (found.game, found.seat) == (ref.game, ref.seat))

    def is_own(self, address: str) -> bool:
        """Return whether a normal address is the service's own address, with or without a detail."""
        local, _, domain = address.rpartition("@")
        plain = local.partition(self._delimiter)[0] if self._delimiter else local
        return domain == self._domain and self._local in (local, plain)

    def in_subject(self, subject: str) -> SeatRef | None:
        """Return the seat that the tag of a Subject proves, or None."""
        return self._checked(_TAG_WITH_TOKEN.search(subject.lower()))

    def redact_tokens(self, text: str) -> str:
        """Return the text with every token redacted, because text that is forwarded to others may quote a token.

        After `MAX_TOKENS_CHECKED` candidates, everything that looks like a token is redacted.
        """
        checked = count()

        def shown(found: re.Match[str]) -> str:
            return "..." if next(checked) >= MAX_TOKENS_CHECKED or self._checked(found) else found[0]

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
                yield token_in(self._personal_in_address.fullmatch(address.lower()))

    def _is_personal(self, token: str, reader: str) -> bool:
        """Return whether a personal token of any purpose and number is the reader's."""
        purpose = token.partition(".")[0].partition("n")[0]
        return self._proves(purpose, [token], reader, number_in(token))

    def _proves(self, purpose: str, given: Sequence[str], reader: str, number: int = 0) -> bool:
        """Return whether one of the given tokens is the reader's with this number, under any accepted key."""
        real = [personal_token(key, purpose, reader, number) for key in (self._key, *self._old())]
        # To take constant time, every given token is compared with every real one.
        return sum(hmac.compare_digest(one, other) for one in given for other in real) > 0

    def _checked(self, found: re.Match[str] | None, shown: int | None = None) -> SeatRef | None:
        """Return the seat whose token was found, or None. Case is ignored, because relays may have changed it."""
        if found is None:
            return None
        game, number = game_in(found[1]), number_in(found[1])
        given, proved = f"{head_of(game, number)}.{found[2].lower()}", None
        # To take constant time, all candidates are compared, even after a match.
        for key in (self._key, *self._old()):
            for seat in Seat:
                if hmac.compare_digest(given, seat_token(key, game, seat, number)):
                    proved = SeatRef(game, seat, shown, number)
        return proved


def nonce_of(seed: bytes, number: int) -> str:
    """Return the unguessable part of a Message-ID, 16 hex digits, for letter `number` of the cause with this seed."""
    return hmac.digest(seed, f"letter {number}".encode(), "sha256").hex()[:16]


def tagged_game(subject: str) -> int | None:
    """Return the game that the tag of a Subject names, or None. It isn't verified."""
    found = _TAG_WITH_NUMBER.search(subject.lower())
    return int(found[1]) if found else None
