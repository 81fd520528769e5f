"""Which game a mail is about, and whether it comes from the player whose seat it speaks for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.mail.envelope import Envelope
from takmail.service.trust.tokens import SeatKey, SeatRef, tagged_game
from takmail.store import games, players
from takmail.store.tables import GameRow, Player, Standing


class Proof(Enum):
    """How sure it is that a mail comes from the player of a seat."""

    SURE = "token and From"
    FROM_ONLY = "From without the token"
    TOKEN_ONLY = "token from an unknown address"
    VOUCHED = "From without the seat's token, with dmarc=pass or the token of its address"

    @property
    def is_sure(self) -> bool:
        """Whether a command may be carried out without asking."""
        return self in (Proof.SURE, Proof.VOUCHED)


@dataclass(frozen=True, slots=True)
class Chair:
    """The seat that a mail speaks for; `shown` is the turn that the letter it answers showed, if that is known."""

    game: GameRow
    seat: Seat
    owner: int
    proof: Proof
    shown: int | None


@dataclass(frozen=True, slots=True)
class Disagree:
    """A mail that names several games; none of them is taken for meant."""

    games: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A mail that names a game which is none of the sender's; no other is taken in its place."""

    game: int


def chair(
    session: Session, key: SeatKey, mail: Envelope, player: Player | None, named: Sequence[int]
) -> Chair | Disagree | Elsewhere | None:
    """Find the seat: by reply address, then In-Reply-To and References, the Subject's tag, a leading `#12`.

    `named` are the games of such leading `#12`. None: no game is named.
    """
    tokens = list(_tokens(key, mail))
    tagged = tagged_game(mail.subject)
    plain = named if tagged is None else [tagged, *named]
    numbers = dict.fromkeys([*(ref.game for ref in tokens), *plain])
    if len(numbers) > 1:
        return Disagree(tuple(numbers))
    for number in numbers:
        game = games.get(session, number, lock=True)
        found = None if game is None else _seated(session, game, player, tokens, is_senders(key, mail))
        return found or Elsewhere(number)
    return None


def is_senders(key: SeatKey, mail: Envelope) -> bool:
    """Whether a mail surely comes from the address in its From: it answers a letter there, or is vouched for."""
    return mail.vouched or key.is_readers(mail.recipients, (*mail.in_reply_to, *mail.references), mail.sender)


def _seated(
    session: Session, game: GameRow, player: Player | None, tokens: list[SeatRef], vouched: bool
) -> Chair | None:
    """The seat in a known game: the token says which, or else the From, for which a mail server may vouch."""
    people = games.people(session, game_number(game))
    owners = [players.number(owner) for owner, _ in people]
    shown = next((ref.shown for ref in tokens if ref.shown is not None), None)
    sender = None if player is None else players.number(player)
    # Who answers a letter that was passed on to him is still himself, if his own token came along.
    tokens = sorted(tokens, key=lambda ref: owners[ref.seat] != sender)
    # A seat whose player is forgotten speaks for nobody.
    for ref in (ref for ref in tokens if not people[ref.seat][1]):
        owner = owners[ref.seat]
        return Chair(game, ref.seat, owner, Proof.SURE if owner == sender else Proof.TOKEN_ONLY, shown)
    # An invitation that its guest has not been shown is none of theirs yet.
    is_shown = game.asked_at is not None or game.standing != Standing.INVITED
    for seat in Seat:
        if owners[seat] == sender and (is_shown or sender == game.invited_by):
            return Chair(game, seat, owners[seat], Proof.VOUCHED if vouched else Proof.FROM_ONLY, None)
    return None


def seat_of(session: Session, player: Player, number: int, *, vouched: bool) -> Chair | None:
    """The seat of a sender in a game that nothing but their From speaks for, be it `vouched` for or not."""
    game = games.get(session, number, lock=True)
    return None if game is None else _seated(session, game, player, [], vouched)


def game_number(game: GameRow) -> int:
    """The number of a game that has been stored."""
    assert game.id is not None
    return game.id


def _tokens(key: SeatKey, mail: Envelope) -> Iterator[SeatRef]:
    """The seats that the mail proves, in the order that their sources count.

    Of a thread only the newest letter counts: a game may have been begun in answer to a letter of another.
    """
    thread = (key.in_message_id(one) for one in (*mail.in_reply_to, *reversed(mail.references)))
    found = (
        *(key.in_address(address) for address in mail.recipients),
        next((ref for ref in thread if ref is not None), None),
        key.in_subject(mail.subject),
    )
    return (ref for ref in found if ref is not None)
