"""Carry out the commands seek, seeks, join and unseek, by which players find opponents whom they do not know."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from math import inf

from takmail.commands import beginnings, profile
from takmail.commands.answers import Answer, Refusal, Told, refuse_if, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.invitation_forms import Join, SeekGame, Unseek
from takmail.commands.ratings import points_seen
from takmail.commands.view import ListedSeek
from takmail.games.registry import Games
from takmail.limits.games import MAX_SEEKS, MAX_UNPLAYED, MAX_UNPLAYED_DUE
from takmail.limits.letters import MAX_LISTED_SEEKS
from takmail.world import RUNNING, Player, Seek, events, pool_of

_MOST_COMPARED = 200
"""The maximum number of seeks that are looked at for one of somebody near."""
SOUGHT_FOR = timedelta(days=60)
"""How long a seek stays open. After a longer time, the player may no longer want to play."""


def seek(context: Context, command: SeekGame) -> Answer:
    """Open a seek of the sender. If the same one is open, say so."""
    setup = beginnings.set_up(context, command)
    refuse_if(None if command.length is None else refused("seek_is_for_one_game"))
    own = _own(context)
    player, joined = profile.enrol(context)
    new = Seek(
        number=context.next_seek(),
        player=player.id,
        kind=command.kind,
        setup=setup,
        first=command.first,
        timing=command.timing,
        is_relay=command.is_relay,
        sought_at=context.now,
        is_unrated=command.is_unrated,
    )
    same = next((open_seek for open_seek in own if _terms(open_seek) == _terms(new)), None)
    if same is None and len(own) >= MAX_SEEKS:
        shown = tuple(sought(context.services.games, open_seek, player, is_yours=True) for open_seek in own)
        return refused("many_seeks", most=MAX_SEEKS, seeks=shown)
    if same is not None:
        listed = sought(context.services.games, same, player, is_yours=True)
        return told("seeking_already", listed=listed, days=SOUGHT_FOR.days)
    return (*joined, events.SeekOpened(seek=new))


def list_seeks(context: Context) -> Told:
    """List the newest seek of each player, those first who wrote last, and all of the sender's own.

    Nobody can hide another's seek behind many of their own.
    """
    found = tuple(islice(_joinable(context), MAX_LISTED_SEEKS + 1))
    return told(
        "seeks",
        seeks=_shown(context, (*found[:MAX_LISTED_SEEKS], *_own(context))),
        more=len(found) > MAX_LISTED_SEEKS,
    )


def list_near(context: Context) -> Told:
    """List the seeks that the sender can join, those first whose player is about as strong.

    What the sender may not see of a player does not count in the order.
    """
    listed, points = _shown(context, [*islice(_joinable(context), _MOST_COMPARED)]), points_seen(context)
    you = None if context.player is None else context.player.id

    def distance(one: ListedSeek) -> float:
        yours = points.get((you, pool_of(context.services.games, one.seek)))
        return inf if yours is None or one.points is None else abs(one.points - yours)

    is_known = any(player == you for player, _ in points)
    return told("seeks_near", seeks=sorted(listed, key=distance)[:MAX_LISTED_SEEKS], is_known=is_known)


def _joinable(context: Context) -> Iterator[Seek]:
    """Return the newest seek of each player that the sender can join."""
    newest = {seek.player: seek for seek in context.world.every_seek() if is_open(seek, context.now)}
    return (seek for seek in newest.values() if not _is_yours(context, seek) and _is_open_to(context, seek))


def _shown(context: Context, seeks: Sequence[Seek]) -> tuple[ListedSeek, ...]:
    """Return seeks as the sender sees them, with the ratings that they may see."""
    games = context.services.games
    points = points_seen(context) if seeks else {}
    return tuple(
        replace(
            sought(games, seek, context.world.player(seek.player), is_yours=_is_yours(context, seek)),
            points=None if _is_yours(context, seek) else points.get((seek.player, pool_of(games, seek))),
        )
        for seek in seeks
    )


def join(context: Context, command: Join) -> Answer:
    """Begin the game of a seek. The answer does not reveal whether a seek exists that the sender cannot join."""
    joined_seek = next((seek for seek in context.world.every_seek() if seek.number == command.number), None)
    if joined_seek is not None and _is_yours(context, joined_seek):
        return refused("seek_own", number=command.number)
    if joined_seek is None or not is_open(joined_seek, context.now) or not _is_open_to(context, joined_seek):
        return refused("seek_gone", number=command.number)
    refuse_if(beginnings.has_enough_games(context) or _must_play_first(context))
    player, joined = profile.enrol(context)
    seeker = context.world.player(joined_seek.player)
    seat = beginnings.choose_seat(context, joined_seek.kind, seeker, player, joined_seek.first)
    new = beginnings.new_record(context, joined_seek, joined_seek.setup, (seeker, player), seat)
    return beginnings.begun_at_once(context, new, (seeker, player), joined, joined_seek)


def unseek(context: Context, command: Unseek) -> Answer:
    """Close the seek of the sender that has this number, or all of the sender's seeks."""
    closing = [seek for seek in _own(context) if command.number in (None, seek.number)]
    if not closing:
        return refused("not_seeking", number=command.number)
    return (events.SeeksClosed(numbers=tuple(seek.number for seek in closing)),)


def sought(games: Games, seek: Seek, owner: Player, *, is_yours: bool) -> ListedSeek:
    """Return a seek of `owner` as a list shows it. `is_yours`: the reader of the list opened it."""
    rules = games.rules_of(seek)
    return ListedSeek(
        seek=seek,
        name=owner.name,
        is_yours=is_yours,
        facts=rules.start(seek.setup).facts(),
    )


def _own(context: Context) -> list[Seek]:
    return [
        seek for seek in context.world.every_seek() if _is_yours(context, seek) and is_open(seek, context.now)
    ]


def _must_play_first(context: Context) -> Refusal | None:
    """Return a refusal if the sender has entered too many games of others without playing, otherwise None.

    Joined games and accepted invitations count alike.
    """
    if context.player is None:
        return None
    you = context.player.id
    entered = (record for record in context.world.games_of(you, *RUNNING) if record.invitation.host != you)
    seats = [(game, game.record.seat_of(you)) for game in context.world.sound(entered)]
    unplayed = [(game, seat) for game, seat in seats if all(turn.seat != seat for turn in game.turns)]
    due = [game.number for game, seat in unplayed if game.waits_for(seat)]
    if len(due) < MAX_UNPLAYED_DUE and len(unplayed) < MAX_UNPLAYED:
        return None
    return refused("play_first", unplayed=len(unplayed), due=due)


def is_open(seek: Seek, now: datetime) -> bool:
    """Tell whether a seek has not expired."""
    return now - seek.sought_at <= SOUGHT_FOR


def _is_yours(context: Context, seek: Seek) -> bool:
    return context.player is not None and seek.player == context.player.id


def _is_open_to(context: Context, seek: Seek) -> bool:
    """Tell whether the sender can join a seek. The seeker must get letters, and neither player may block the other."""
    seeker = context.world.player(seek.player)
    if seeker.is_blocked or seeker.wants_no_mail or not seeker.is_reachable:
        return False
    if context.player is None:
        return True
    you = context.player
    return seeker.id not in you.blocked and you.id not in seeker.blocked


def _terms(seek: Seek) -> tuple[object, ...]:
    return seek.kind, seek.setup, seek.first, seek.timing, seek.is_relay, seek.is_unrated
