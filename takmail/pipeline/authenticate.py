"""Authenticate a mail by its headers: find out who wrote it, for which seat, and in reply to which letter."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice

from takmail.commands.answers import Assurance, ForeignGame, Place, SeatClaim, Sender, SeveralGames
from takmail.games.interface import Seat
from takmail.games.readonly import replace
from takmail.letters.services import Services
from takmail.limits.mails import MAX_NAMED_GAMES
from takmail.mail.message import Dmarc, Mail
from takmail.mail.tokens import SeatKey, SeatRef, tagged_game
from takmail.world import Game, GameNumber, Mailbox, Player, SentLetter, Snapshot, World


class RepliesTo(Enum):
    """The kind of letter that a mail answers.

    * `open`: a question that a `yes` can still answer
    * `closed`: a letter whose question is closed. Before the open questions are known, any letter that asks one.
    * `lost`: a letter with a question that is not stored
    * `other`: a letter without a question
    * `nothing`: the mail answers no letter
    """

    OPEN = auto()
    CLOSED = auto()
    LOST = auto()
    OTHER = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class Reply:
    """The letter that a mail answers, None if it is not stored, and its kind."""

    letter: SentLetter | None = None
    kind: RepliesTo = RepliesTo.NOTHING


def with_named_letters(key: SeatKey, message: Mail) -> Mail:
    """Return the mail as a reply to the letters that its recipient address or Subject names.

    The links in letters open mails of this kind, which have no In-Reply-To.
    """
    named = key.letters_in(message.recipients, message.subject)
    thread = message.thread
    return replace(message, thread=replace(thread, in_reply_to=(*named, *thread.in_reply_to)))


def games_named(proofs: Sequence[SeatRef], message: Mail) -> tuple[GameNumber, ...]:
    """Return the games that the headers name: those of its tokens (`proofs`), and that of the Subject's tag."""
    numbers = (*(ref.game for ref in proofs), tagged_game(message.subject))
    return tuple(GameNumber(number) for number in dict.fromkeys(numbers) if number is not None)


def is_refuted(message: Mail, mailbox: Mailbox) -> bool:
    """Return whether the mail server's word on the From header outweighs every token in the mail.

    `mailbox` is that of the From address. The word does not count if its owner has confirmed that mails from this
    address come without a signature.
    """
    return message.dmarc is Dmarc.REFUTED and not mailbox.is_unsigned


def authenticate(services: Services, snapshot: Snapshot, message: Mail) -> Sender:
    """Return the sender of a mail, as its headers alone show it."""
    key, player = services.key, snapshot.player
    unsubscribes = key.unsubscribes(message.recipients, message.subject, message.sender)
    thread, mailbox = message.thread.all, snapshot.sender
    is_readers = key.proves_address(message.recipients, thread, message.sender, mailbox.token_number)
    is_signed, refuted = message.dmarc is Dmarc.PASS, is_refuted(message, mailbox)
    is_proven = is_signed or (is_readers and not refuted)
    address_verified = is_proven or (bool(unsubscribes) and not refuted)
    proofs = tuple(tokens(key, message))
    claim = find_claim(
        proofs, snapshot.world, message, player, address_verified=is_proven, is_refuted=refuted
    )
    is_players = isinstance(claim, SeatClaim) and claim.player_verified
    # Where an address names a seat, the thread does not count: it may still have a letter of the opponent's.
    addressed = [ref for ref in map(key.in_address, message.recipients) if ref is not None]
    is_shared = _is_shown(key, (message.sender,) if player is None else player.addresses, message)
    return Sender(
        address=message.sender,
        name=message.sender_name,
        player=player,
        mailbox=snapshot.sender,
        address_verified=address_verified,
        player_verified=is_players or (player is not None and address_verified),
        is_signed=is_signed,
        is_refuted=refuted,
        unsubscribes=unsubscribes,
        claim=claim,
        is_shared=is_shared,
        is_to_others=player is not None
        and any(
            _is_of_another(game, ref, player, is_shared=is_shared)
            for game, ref in _of_games(snapshot.world, addressed or proofs)
        ),
        shown_seats=tuple(_shown_seats(key, proofs, snapshot, message)),
        utc_offset=message.utc_offset,
        shows_personal=is_readers and player is not None and is_shared,
    )


def newest_letter(key: SeatKey, message: Mail) -> str | None:
    """Return the Message-ID of the newest letter that a mail names, None if it names none. It isn't verified."""
    return key.newest_own(message.thread.newest_first)


def resolve_reply(services: Services, snapshot: Snapshot, message: Mail) -> Reply:
    """Return the letter that a mail answers."""
    key, answered = services.key, snapshot.answered
    newest = newest_letter(key, message)
    # After a backup is restored, mails may answer letters that are newer than the backup.
    if newest is not None and key.asks(newest) and newest not in snapshot.known_letters:
        return Reply(None, RepliesTo.LOST)
    return Reply() if answered is None else reply_to(key, answered)


def reply_to(key: SeatKey, letter: SentLetter) -> Reply:
    """Return a stored letter as the one that a mail answers."""
    return Reply(letter, RepliesTo.CLOSED if key.asks(letter.message_id) else RepliesTo.OTHER)


def owners_of(proofs: Iterable[SeatRef], state: World) -> Iterator[Player]:
    """Yield the players of the seats that tokens name."""
    return (game.players[ref.seat] for game, ref in _of_games(state, proofs))


def _shown_seats(
    key: SeatKey, proofs: Sequence[SeatRef], snapshot: Snapshot, message: Mail
) -> Iterator[SeatRef]:
    """Yield the seats whose current tokens the mail has shown to others than their players.

    They are those in the games that the headers name, and in that of the answered letter.
    """
    if all(map(key.is_own, message.readers)):
        return
    thread = filter(None, map(key.in_message_id, message.thread.all))
    # Each seat is renewed once, however many of its letters are in the thread.
    named = {*games_named(proofs, message), None if snapshot.answered is None else snapshot.answered.game}
    every = dict.fromkeys(replace(ref, turn=None) for ref in (*proofs, *thread) if ref.game in named)
    for game, ref in _of_games(snapshot.world, every):
        if _is_current(game, ref) and _is_shown(key, game.players[ref.seat].addresses, message):
            yield ref


def _of_games(state: World, refs: Iterable[SeatRef]) -> Iterator[tuple[Game, SeatRef]]:
    """Yield tokens with their games, those of the first games only: a mail must not have many games read."""
    numbers: dict[int, Game | None] = {}
    for ref in refs:
        if ref.game not in numbers and len(numbers) < MAX_NAMED_GAMES:
            numbers[ref.game] = state.find_game(GameNumber(ref.game))
        game = numbers.get(ref.game)
        if game is not None:
            yield game, ref


def _is_shown(key: SeatKey, own: Collection[str], message: Mail) -> bool:
    """Return whether the mail went to others than takmail and these addresses of one person."""
    return any(address not in own and not key.is_own(address) for address in message.readers)


def _is_current(game: Game, ref: SeatRef) -> bool:
    return ref.number == game.record.seats[ref.seat].token_number


def _is_of_another(game: Game, ref: SeatRef, player: Player, *, is_shared: bool) -> bool:
    """Return whether a token names the seat of another player than `player`, who wrote the mail.

    In a mail that only takmail gets, a token that proves nothing any more does not count, as the seats may have been
    swapped since: then the player's own letters of before name the seat that is the opponent's now.
    """
    owner = game.players[ref.seat]
    may_be_own = not is_shared and player.id in game.record.players and not _is_current(game, ref)
    return owner.id != player.id and not owner.is_erased and not may_be_own


def find_claim(
    proofs: Sequence[SeatRef],
    state: World,
    message: Mail,
    player: Player | None,
    *,
    address_verified: bool,
    is_refuted: bool,
    named: Sequence[GameNumber] = (),
) -> Place:
    """Find the seat for which a mail was written, or the game that it names.

    The sources are, in order of precedence, the reply address, In-Reply-To and References, the Subject's tag, and a
    `#12` at the start of the text. `proofs` are the seats of its tokens, and `named` are the games from the text.
    """
    numbers = dict.fromkeys([*games_named(proofs, message), *named])
    if len(numbers) > 1:
        return SeveralGames(tuple(numbers))
    if not numbers:
        return None
    (number,) = numbers
    game = state.find_game(number)
    if game is None:
        return ForeignGame(number)
    seat = find_seat(game, player, proofs, address_verified=address_verified, is_refuted=is_refuted)
    return seat or ForeignGame(number)


def find_seat(
    game: Game,
    player: Player | None,
    proofs: Sequence[SeatRef],
    *,
    address_verified: bool,
    is_refuted: bool,
) -> SeatClaim | None:
    """Find the seat in a game by the From address, or by the tokens in `proofs` if the address is no player's.

    `address_verified`: the From address is authentic. Without it, a player's seat is only certain by its current token.
    `is_refuted` is that of `Sender`.
    """
    record, number = game.record, game.number
    # A token for the seat of an erased player proves nothing.
    known = [ref for ref in proofs if not game.players[ref.seat].is_erased]
    if player is None:
        return next((SeatClaim(number, ref.seat, Assurance.TOKEN, _turn(known)) for ref in known), None)
    # The guest has no seat before the invitation is sent.
    is_shown = record.invitation.written_at is not None or not record.is_unanswered
    for seat in Seat:
        # The token of the opponent's seat is in the answer to all readers of a mail of the opponent's.
        own = [ref for ref in known if ref.seat is seat]
        if record.players[seat] == player.id and (own or is_shown or player.id == record.invitation.host):
            is_proven = not is_refuted and (address_verified or any(_is_current(game, ref) for ref in own))
            return SeatClaim(number, seat, Assurance.PLAYER if is_proven else Assurance.FROM, _turn(own))
    return None


def _turn(proofs: Sequence[SeatRef]) -> int | None:
    """Return the turn that the answered letter showed, None if no token of it is there."""
    return next((ref.turn for ref in proofs if ref.turn is not None), None)


def tokens(key: SeatKey, message: Mail) -> Iterator[SeatRef]:
    """Yield the seats that the mail's tokens prove, in the order of precedence of their sources.

    Only the newest letter in In-Reply-To and References counts, because a game may begin in reply to a letter about
    another game. If the mail answers somebody's mail to all its readers, that letter is older than what it answers.
    """
    thread = filter(None, map(key.in_message_id, message.thread.newest_first))
    replied = message.thread.in_reply_to
    is_to_letter = not replied or key.newest_own(replied) is not None
    yield from filter(None, map(key.in_address, message.recipients))
    for ref in islice(thread, 1):
        yield ref if is_to_letter or all(map(key.is_own, message.readers)) else replace(ref, turn=None)
    yield from filter(None, [key.in_subject(message.subject)])
