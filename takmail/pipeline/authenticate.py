"""Authentication: who has written a mail, and for which seat it speaks, as far as its headers tell."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from takmail.commands.game.table import Corrupt, Table
from takmail.commands.kinds import Standing
from takmail.commands.records import GameNumber, Player
from takmail.commands.result import Assurance, Disagreement, Elsewhere, SeatClaim, Sender
from takmail.commands.snapshot import Snapshot, State
from takmail.games.interface import Seat
from takmail.letters.services import Services
from takmail.mail.message import Message
from takmail.mail.tokens import SeatKey, SeatRef, tagged_game

MOST_NAMED = 5
"""The most games that are looked at which the headers name, and the most which the text names."""


def with_named_letters(key: SeatKey, message: Message) -> Message:
    """The mail as an answer to the letters that its address or Subject names, as a link in a letter does."""
    named = key.letters_in(message.recipients, message.subject)
    return replace(message, in_reply_to=(*named, *message.in_reply_to))


def games_named(key: SeatKey, message: Message) -> tuple[GameNumber, ...]:
    """The games that the headers name, proved or not."""
    tagged = tagged_game(message.subject)
    numbers = [*(ref.game for ref in tokens(key, message)), *([] if tagged is None else [tagged])]
    return tuple(GameNumber(one) for one in dict.fromkeys(numbers))


def authenticate(services: Services, snapshot: Snapshot, message: Message) -> Sender:
    """Return who has written, by the headers alone."""
    key, player = services.key, snapshot.player
    says_stop = key.says_stop(message.recipients, message.subject, message.sender)
    is_readers = key.is_readers(
        message.recipients, (*message.in_reply_to, *message.references), message.sender
    )
    address_verified = message.vouched or is_readers or says_stop
    claim = claimed(key, snapshot.state, message, player, address_verified=message.vouched or is_readers)
    is_players = isinstance(claim, SeatClaim) and claim.is_sure
    return Sender(
        address=message.sender,
        name=message.sender_name,
        player=player,
        address_verified=address_verified,
        player_verified=is_players or (player is not None and address_verified),
        says_stop=says_stop,
        claim=claim,
    )


def claimed(
    key: SeatKey,
    state: State,
    message: Message,
    player: Player | None,
    *,
    address_verified: bool,
    named: Sequence[GameNumber] = (),
) -> SeatClaim | Disagreement | Elsewhere | None:
    """The seat: by reply address, then In-Reply-To and References, the Subject's tag, a leading `#12`.

    `named` are the games of such leading `#12`; all games that are named are in the state, if there are any.
    """
    numbers = dict.fromkeys([*games_named(key, message), *named])
    if len(numbers) > 1:
        return Disagreement(tuple(numbers))
    for number in numbers:
        game = state.games.get(number)
        proofs = list(tokens(key, message))
        found = None if game is None else seated(game, player, proofs, address_verified=address_verified)
        return found or Elsewhere(number)
    return None


def seated(
    game: Table | Corrupt, player: Player | None, proofs: Sequence[SeatRef], *, address_verified: bool
) -> SeatClaim | None:
    """The seat in a known game: a token says which, or else the From, for which a mail server may vouch."""
    record, number = game.record, game.number
    turn = next((ref.shown for ref in proofs if ref.shown is not None), None)
    sender = None if player is None else player.id
    # Who answers a letter that was passed on to him is still himself, if his own token came along.
    own_first = sorted(proofs, key=lambda ref: record.seats[ref.seat] != sender)
    # A seat whose player is gone speaks for nobody.
    for ref in (ref for ref in own_first if not game.players[ref.seat].is_gone):
        is_owner = record.seats[ref.seat] == sender
        return SeatClaim(number, ref.seat, Assurance.PLAYER if is_owner else Assurance.TOKEN, turn)
    # An invitation that its guest has not been shown is none of theirs yet.
    is_shown = record.asked_at is not None or record.standing != Standing.INVITED
    for seat in Seat:
        if record.seats[seat] == sender and (is_shown or sender == record.invited_by):
            return SeatClaim(number, seat, Assurance.PLAYER if address_verified else Assurance.FROM)
    return None


def tokens(key: SeatKey, message: Message) -> Iterator[SeatRef]:
    """The seats that the mail proves, in the order that their sources count.

    Of a thread only the newest letter counts: a game may have been begun in answer to a letter of another.
    """
    thread = (key.in_message_id(one) for one in (*message.in_reply_to, *reversed(message.references)))
    found = (
        *(key.in_address(address) for address in message.recipients),
        next((ref for ref in thread if ref is not None), None),
        key.in_subject(message.subject),
    )
    return (ref for ref in found if ref is not None)
