"""The verbs that bring two people together who don't know each other: seek, seeks, join, unseek."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from takmail.games.game import Seat
from takmail.games.registry import DEFAULT, GAMES
from takmail.service.case import Case, News, Report, done, failed
from takmail.service.game.title import title_of
from takmail.service.letters import reply
from takmail.service.people.enrol import enrol
from takmail.service.reading.commands import Join, SeekGame, Unseek
from takmail.service.trust.identify import Chair, Proof, game_number
from takmail.service.verbs import start
from takmail.store import games, players, seeks
from takmail.store.tables import GameRow, Player, Seek, Standing

MOST_SEEKS = 3
"""Games that one player may seek at a time, so that others are seen, too."""
SOUGHT_FOR = timedelta(days=60)
"""How long a seek stands: who has waited longer may not be there any more."""
MOST_LISTED = 30
"""Seeks that one letter lists."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A game that somebody seeks, as everybody may see it; `game` and `facts` are for the game's own templates."""

    number: int | None
    name: str
    is_yours: bool
    title: str
    game: str
    facts: object
    first: str | None
    days: int | None
    is_relay: bool


def seek(case: Case, command: SeekGame) -> Report:
    """Let anybody join the sender in a game; to say the same again is no fault."""
    setup = start.set_up(case, command.setup)
    if isinstance(setup, Report):
        return setup
    player = case.player = enrol(case)
    own = _own(case, player)
    new = Seek(
        player_id=players.number(player),
        kind=DEFAULT,
        setup=setup,
        first=command.first,
        days=command.days,
        is_relay=command.is_relay,
        sought_at=case.desk.clock(),
    )
    same = next((one for one in own if _terms(one) == _terms(new)), None)
    if same is None and len(own) >= MOST_SEEKS:
        return failed("many_seeks", most=MOST_SEEKS, seeks=tuple(_sought(case, one) for one in own))
    if same is None:
        seeks.add(case.session, new)
    return done("seeking", seek=_sought(case, same or new), again=same is not None, days=SOUGHT_FOR.days)


def list_seeks(case: Case) -> Report:
    """The games that anybody may join, oldest first."""
    found = tuple(islice(_open(case), MOST_LISTED + 1))
    return done(
        "seeks",
        seeks=tuple(_sought(case, one) for one in found[:MOST_LISTED]),
        more=len(found) > MOST_LISTED,
    )


def join(case: Case, command: Join) -> Report:
    """Begin the game that somebody seeks; what is not open to the sender is as good as gone."""
    seek = seeks.get(case.session, command.number)
    if seek is not None and case.player is not None and seek.player_id == case.player.id:
        return failed("seek_own", number=command.number)
    if seek is None or seek.sought_at < _oldest(case) or not _is_open_to(case, seek):
        return failed("seek_gone", number=command.number)
    player = case.player = enrol(case)
    seeker = players.get(case.session, seek.player_id)
    seat = start.draw(case, seek.kind, seeker, player, seek.first)
    now = case.desk.clock()
    game = GameRow(
        kind=seek.kind,
        setup=seek.setup,
        days=seek.days,
        is_relay=seek.is_relay,
        subject="",
        standing=Standing.OPEN,
        invited_by=players.number(seeker),
        asked_at=now,
        created_at=now,
    )
    number = start.store(case, game, seeker, player, seat)
    seeks.drop(case.session, seek)
    is_here = _begin(case, game, players.number(player), command.number)
    return done("joined", number=number, name=seeker.name, title=title_of(game), is_here=is_here)


def unseek(case: Case, command: Unseek) -> Report:
    """Take a seek of the sender's back, or all."""
    own = [] if case.player is None else _own(case, case.player)
    gone = [one for one in own if command.number in (None, one.id)]
    if not gone:
        return failed("not_seeking", number=command.number)
    for one in gone:
        seeks.drop(case.session, one)
    return done("unsought", numbers=tuple(one.id for one in gone))


def _begin(case: Case, game: GameRow, you: int, seek: int) -> bool:
    """Tell both that the game begins; whether the answer is its first letter to `you`, who has joined.

    A mail that is about another game is answered in its own thread, and a second letter begins the new one.
    """
    seats = games.seats(case.session, game_number(game))
    if case.chair is None:
        seat = Seat(seats.index(you))
        case.sit(Chair(game, seat, you, Proof.SURE, None))
        case.tell("joined", seek=seek, is_seekers=True)
        return True
    for one in seats:
        reply.tell_of(case, game, one, News("joined", {"seek": seek, "is_seekers": one == you}))
    return False


def _own(case: Case, player: Player) -> list[Seek]:
    seeks.lapse(case.session, _oldest(case))
    return list(seeks.of_player(case.session, players.number(player)))


def _open(case: Case) -> Iterator[Seek]:
    """What is open to the sender, and what they seek themselves."""
    seeks.lapse(case.session, _oldest(case))
    return (one for one in seeks.every(case.session) if _is_yours(case, one) or _is_open_to(case, one))


def _oldest(case: Case) -> datetime:
    return case.desk.clock() - SOUGHT_FOR


def _is_yours(case: Case, seek: Seek) -> bool:
    return case.player is not None and seek.player_id == case.player.id


def _is_open_to(case: Case, seek: Seek) -> bool:
    """Whether a game could begin: who seeks gets letters, and neither of the two blocks the other."""
    session, seeker = case.session, seek.player_id
    if players.get(session, seeker).is_blocked or players.wants_no_mail(session, seeker):
        return False
    if players.rests(session, players.main_address(session, seeker).address):
        return False
    if case.player is None:
        return True
    you = players.number(case.player)
    return not players.blocks(session, you, seeker) and not players.blocks(session, seeker, you)


def _terms(seek: Seek) -> tuple[object, ...]:
    return seek.kind, seek.setup, seek.first, seek.days, seek.is_relay


def _sought(case: Case, seek: Seek) -> Sought:
    rules = GAMES[seek.kind]
    return Sought(
        number=seek.id,
        name=players.get(case.session, seek.player_id).name,
        is_yours=_is_yours(case, seek),
        title=title_of(seek),
        game=rules.name,
        facts=rules.start(seek.setup).facts(),
        first=seek.first,
        days=seek.days,
        is_relay=seek.is_relay,
    )
