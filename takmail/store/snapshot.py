"""Load the snapshot of one cause, in few statements."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from takmail.letters.services import Services
from takmail.limits.mails import MAX_NAMED_GAMES
from takmail.mail.message import Dmarc, Message
from takmail.mail.tokens import SeatRef
from takmail.pipeline.authenticate import games_named, is_refuted, tokens
from takmail.store import mail_queries, people
from takmail.store.load import Answering, Loader, pending, summaries
from takmail.store.people import People
from takmail.store.replays import Replays
from takmail.world import Cause, Player, PlayerId, Snapshot, World

_DAY = timedelta(days=1)


def load_snapshot(
    session: Session,
    services: Services,
    replays: Replays,
    cause: Cause,
    message: Message,
    *,
    now: datetime,
    seed: bytes,
    is_costly: bool = False,
) -> Snapshot:
    """Load the snapshot for a mail. `with_named_letters` must have added to `message` the letters that it names.

    If `is_costly` is true, the mail exceeds the limits of reading, and the snapshot says whether its player was
    notified of such a mail within the last day. Offers and questions that have expired at `now` are left out. They
    stay in the database until retention closes them.
    """
    proofs = tuple(tokens(services.key, message))
    found = summaries(session, games_named(proofs, message)[:MAX_NAMED_GAMES])
    known = people.load(session, _players(found), message.sender)
    player = known.owner(message.sender)
    if not _is_proven_player(services, message, proofs, found, player):
        people.lock_count(session, message.sender if player is None else str(player.id))
    filled, mailboxes = people.with_budgets(session, known, now, [message.sender])
    loader = Loader(session, services, replays, now, Answering(message.in_reply_to, message.references))
    tables = dict(loader.tables(found, filled.players))
    loader.find_letters()
    answered = loader.answered
    if answered is not None and answered.game is not None and answered.game not in tables:
        more = load_games(session, services, replays, [answered.game], now, filled)
        tables |= more.games
        filled = People({**more.players, **filled.players}, filled.asked)
    asked = pending(
        session, now, (), _addresses_with_questions(message.sender, player, proofs, found, filled)
    )
    return Snapshot(
        cause=cause,
        now=now,
        seed=seed,
        world=World(players=filled.players, games=tables, pending=tuple(asked)),
        sender=people.with_memory(session, services.key, mailboxes[message.sender], known),
        player=filled.owner(message.sender),
        answered=answered,
        known_letters=frozenset(loader.known),
        was_notified_of_costly=is_costly
        and player is not None
        and mail_queries.was_told_of_costly(session, player.id, now - _DAY),
    )


def load_games(
    session: Session,
    services: Services,
    replays: Replays,
    numbers: Collection[int],
    now: datetime,
    known: People | None = None,
) -> World:
    """Load the games with these numbers, and their players. Games that don't exist are missing.

    Players in `known` are not loaded again.
    """
    found = summaries(session, numbers)
    players = {} if known is None else dict(known.players)
    missing = _players(found) - players.keys()
    if missing:
        filled, _ = people.with_budgets(session, people.load(session, missing), now)
        players |= filled.players
    tables = Loader(session, services, replays, now).tables(found, players)
    return World(players=players, games=tables)


def load_cause(
    session: Session,
    services: Services,
    replays: Replays,
    cause: Cause,
    *,
    now: datetime,
    seed: bytes,
    games: Collection[int] = (),
    players: Collection[int] = (),
) -> Snapshot:
    """Load the snapshot for a cause that is not a mail: these games with their players, and these players."""
    known, _ = people.with_budgets(session, people.load(session, players), now)
    return Snapshot(
        cause=cause, now=now, seed=seed, world=load_games(session, services, replays, games, now, known)
    )


def _players(found: Sequence[Any]) -> frozenset[int]:
    """Return the numbers of all players of games."""
    return frozenset(player for row in found for player in (row.first, row.second))


def _is_proven_player(
    services: Services,
    message: Message,
    proofs: Sequence[SeatRef],
    found: Sequence[Any],
    player: Player | None,
) -> bool:
    """Return whether it is proven that the player wrote the mail.

    The number of answers to such a player is not limited, so its count needs no lock.
    """
    mailbox = None if player is None else player.mailbox(message.sender)
    if player is None or mailbox is None or is_refuted(message, mailbox):
        return False
    known = {row.id: ((row.first, row.first_token), (row.second, row.second_token)) for row in found}
    has_token = any(
        known[ref.game][ref.seat] == (player.id, ref.number) for ref in proofs if ref.game in known
    )
    thread = (*message.in_reply_to, *message.references)
    return (
        has_token
        or message.dmarc is Dmarc.PASS
        or services.key.proves_address(message.recipients, thread, message.sender, mailbox.token_number)
    )


def _addresses_with_questions(
    sender: str, player: Player | None, proofs: Sequence[SeatRef], found: Sequence[Any], known: People
) -> Collection[str]:
    """Return the addresses whose open questions the mail may answer: those of its sender and of the proven seats."""
    owners: set[PlayerId] = set() if player is None else {player.id}
    seats = {row.id: (row.first, row.second) for row in found}
    owners |= {PlayerId(seats[one.game][one.seat]) for one in proofs if one.game in seats}
    addresses = {address for one in owners for address in known.players[one].addresses}
    # Whether there are questions is known for players' addresses only, so a stranger's address is always included.
    return (addresses & known.asked) | (set() if player is not None else {sender})
