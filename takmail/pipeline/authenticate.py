"""Authenticate a mail by its headers: find out who wrote it, and for which seat."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from takmail.commands.game.table import Corrupt, Table
from takmail.commands.kinds import Standing
from takmail.commands.records import GameNumber, Player
from takmail.commands.result import Assurance, ForeignGame, SeatClaim, Sender, SeveralGames
from takmail.commands.snapshot import Snapshot, State
from takmail.games.interface import Seat
from takmail.letters.services import Services
from takmail.mail.message import Dmarc, Message
from takmail.mail.tokens import SeatKey, SeatRef, tagged_game


def with_named_letters(key: SeatKey, message: Message) -> Message:
    """Return the mail as a reply to the letters that its recipient address or Subject names.

    The links in letters open mails of this kind, which have no In-Reply-To.
    """
    named = key.letters_in(message.recipients, message.subject)
    return replace(message, in_reply_to=(*named, *message.in_reply_to))


def games_named(proofs: Sequence[SeatRef], message: Message) -> tuple[GameNumber, ...]:
    """Return the games that the headers name: those of its tokens (`proofs`), and that of the Subject's tag."""
    tagged = tagged_game(message.subject)
    numbers = [*(ref.game for ref in proofs), *([] if tagged is None else [tagged])]
    return tuple(GameNumber(one) for one in dict.fromkeys(numbers))


def authenticate(services: Services, snapshot: Snapshot, message: Message) -> Sender:
    """Return the sender of a mail, as its headers alone show it."""
    key, player = services.key, snapshot.player
    says_stop = key.is_unsubscribe(message.recipients, message.subject, message.sender)
    is_readers = key.proves_address(
        message.recipients, (*message.in_reply_to, *message.references), message.sender
    )
    is_proven = message.dmarc is Dmarc.PASS or is_readers
    address_verified = is_proven or says_stop
    claim = find_claim(key, snapshot.state, message, player, address_verified=is_proven)
    is_players = isinstance(claim, SeatClaim) and claim.player_verified
    return Sender(
        address=message.sender,
        name=message.sender_name,
        player=player,
        address_verified=address_verified,
        player_verified=is_players or (player is not None and address_verified),
        is_unsubscribe=says_stop,
        claim=claim,
    )


def find_claim(
    key: SeatKey,
    state: State,
    message: Message,
    player: Player | None,
    *,
    address_verified: bool,
    named: Sequence[GameNumber] = (),
) -> SeatClaim | SeveralGames | ForeignGame | None:
    """Find the seat for which a mail was written, or the game that it names.

    The sources are, in order of precedence, the reply address, In-Reply-To and References, the Subject's tag, and a
    `#12` at the start of the text. `named` are the games from the text. Every named game that exists is in `state`.
    """
    proofs = tuple(tokens(key, message))
    numbers = dict.fromkeys([*games_named(proofs, message), *named])
    if len(numbers) > 1:
        return SeveralGames(tuple(numbers))
    for number in numbers:
        game = state.games.get(number)
        found = None if game is None else find_seat(game, player, proofs, address_verified=address_verified)
        return found or ForeignGame(number)
    return None


def find_seat(
    game: Table | Corrupt, player: Player | None, proofs: Sequence[SeatRef], *, address_verified: bool
) -> SeatClaim | None:
    """Find the seat in a game by the tokens in `proofs`, or otherwise by the From address.

    `address_verified`: the From address is authentic. Without it, a seat found by the address is not certain.
    """
    record, number = game.record, game.number
    turn = next((ref.turn for ref in proofs if ref.turn is not None), None)
    sender = None if player is None else player.id
    # A player may answer a forwarded letter of the opponent. The player's own token decides if it is also in the mail.
    own_tokens_first = sorted(proofs, key=lambda ref: record.seats[ref.seat] != sender)
    # A token for the seat of an erased player proves nothing.
    for ref in (ref for ref in own_tokens_first if not game.players[ref.seat].is_erased):
        is_owner = record.seats[ref.seat] == sender
        return SeatClaim(number, ref.seat, Assurance.PLAYER if is_owner else Assurance.TOKEN, turn)
    # The guest has no seat before the invitation is sent.
    is_shown = record.invited_at is not None or record.standing != Standing.INVITED
    for seat in Seat:
        if record.seats[seat] == sender and (is_shown or sender == record.invited_by):
            return SeatClaim(number, seat, Assurance.PLAYER if address_verified else Assurance.FROM)
    return None


def tokens(key: SeatKey, message: Message) -> Iterator[SeatRef]:
    """Yield the seats that the mail's tokens prove, in the order of precedence of their sources.

    Only the newest letter in In-Reply-To and References counts, because a game may begin in reply to a letter about
    another game.
    """
    thread = (key.in_message_id(one) for one in (*message.in_reply_to, *reversed(message.references)))
    found = (
        *(key.in_address(address) for address in message.recipients),
        next((ref for ref in thread if ref is not None), None),
        key.in_subject(message.subject),
    )
    return (ref for ref in found if ref is not None)
