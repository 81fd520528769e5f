"""What the operator decides about people: who is blocked, and which two players are one person.

Each change and the letters that tell of it are one transaction, which is the caller's.
"""

from dataclasses import dataclass, field

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.service import rulings
from takmail.service.desk import Desk
from takmail.service.rulings import CantRule, Decision
from takmail.service.soundness.fault import BrokenGame
from takmail.service.trust.identify import game_number
from takmail.store import chat, games, log, outbox, players, seeks
from takmail.store import merge as store_merge
from takmail.store.log import Deed
from takmail.store.tables import GameRow, LogRow, Player, Standing


@dataclass(slots=True)
class Touched:
    """The games that a decision about a player has adjourned, resumed or withdrawn, and the letters about them.

    Of the `untold` ones what is stored breaks the rules, so that no letter can show them.
    """

    games: list[int] = field(default_factory=list)
    untold: list[int] = field(default_factory=list)
    withdrawn: list[int] = field(default_factory=list)
    letters: list[int] = field(default_factory=list)


def block(desk: Desk, session: Session, player: Player, by: Decision) -> Touched:
    """Have nothing of a player's carried out any more, nor anything sent in their name; raises CantRule.

    Their games stand still, and their opponents are told; their invitations and seeks are taken back, and what they
    have said and nobody has read yet is not passed on.
    """
    if player.is_blocked:
        raise CantRule("blocked_already", name=player.name)
    number, touched = players.number(player), Touched()
    player.is_blocked = True
    note(desk, session, player, Deed.BLOCKED, by)
    chat.drop_waiting(session, number)
    seeks.drop_all(session, number)
    for game in games.of_player(session, number, (Standing.OPEN, Standing.INVITED)):
        seat = Seat(games.seats(session, game_number(game)).index(number))
        if game.standing == Standing.OPEN:
            rulings.stand_still(desk, session, game, by, for_player=number)
            _tell("adjourned", touched, desk, session, game, (seat.other,), by)
        elif game.invited_by == number:
            game.standing = Standing.DECLINED
            outbox.withdraw(session, game_number(game), seat.other)
            rulings.note(desk, session, game, Deed.WITHDRAWN, by, number)
            touched.withdrawn.append(game_number(game))
    return touched


def unblock(desk: Desk, session: Session, player: Player, by: Decision) -> Touched:
    """Let a player write again; the games that stood still for a block's sake go on. Raises CantRule."""
    if not player.is_blocked:
        raise CantRule("not_blocked", name=player.name)
    player.is_blocked = False
    note(desk, session, player, Deed.UNBLOCKED, by)
    touched = Touched()
    for game in games.of_player(session, players.number(player), (Standing.ADJOURNED,)):
        number = game_number(game)
        deed = log.last_of_game(session, number, Deed.ADJOURNED, Deed.FROZEN)
        is_for_a_block = deed is not None and deed.player_id is not None
        if is_for_a_block and not any(one.is_blocked for one in rulings.pair(session, number)):
            rulings.go_on(desk, session, game, by, for_player=player.id)
            _tell("resumed", touched, desk, session, game, tuple(Seat), by)
    return touched


def _tell(
    about: str,
    touched: Touched,
    desk: Desk,
    session: Session,
    game: GameRow,
    to: tuple[Seat, ...],
    by: Decision,
) -> None:
    touched.games.append(game_number(game))
    try:
        touched.letters += rulings.tell(about, desk, session, game, to, why=by.why)
    except BrokenGame:
        touched.untold.append(game_number(game))


def merge(desk: Desk, session: Session, source: Player, into: Player, by: Decision) -> None:
    """Make one player of two rows of the same person, by the name of `into`; raises CantRule.

    Tokens of seats stay good, as they name the seat.
    """
    old, new = players.number(source), players.number(into)
    if old == new:
        raise CantRule("same_player", name=into.name)
    shared = store_merge.shared_games(session, old, new)
    if shared:
        raise CantRule("share_games", names=(source.name, into.name), games=shared)
    if source.is_blocked != into.is_blocked:
        raise CantRule("one_is_blocked", name=(source if source.is_blocked else into).name)
    wants_mail = not players.wants_no_mail(session, new)
    store_merge.merge(session, old, new)
    if wants_mail:
        players.go_on(session, new)
    note(desk, session, into, f"{Deed.MERGED} with player {old}", by)


def note(desk: Desk, session: Session, player: Player, what: str, by: Decision) -> None:
    """Write what was done to a player into the log."""
    session.add(player)
    number = players.number(player)
    log.add(session, LogRow(player_id=number, at=desk.clock(), who=by.who, what=what, why=by.why))
