"""The commands that begin a game: new, accept, decline."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import assert_never

from takmail.commands import invitations, profile
from takmail.commands.answers import Answer, Events, Refusal, refused, unchanged
from takmail.commands.context import Context
from takmail.commands.events import GameBegun, GameProposed, InvitationDeclined, InvitationWithdrawn
from takmail.commands.game.table import title_of
from takmail.commands.grammar.commands import New
from takmail.commands.kinds import First, Standing
from takmail.commands.records import GameRecord, Player, PlayerId
from takmail.commands.services import CommandServices
from takmail.commands.unavailable import not_open
from takmail.games.interface import Refused, Seat

MOST_OPEN = 10
"""Invitations of one host that may wait for an answer: takmail is no way to write to many strangers."""
MOST_IN_ONE_MAIL = 5
"""Invitations that one mail sends out."""


def invite(context: Context, command: New) -> Answer:
    """Found a game and send the invitation; it begins when the other one accepts."""
    if context.services.key.is_own(command.opponent):
        return refused("new_me")
    setup = set_up(context, command.kind, command.setup)
    if isinstance(setup, Refusal):
        return setup
    guest = _known(context, command.opponent)
    by_name = not _is_address(command.opponent)
    if guest is None and by_name:
        return refused("new_nobody", name=command.opponent)
    you = context.player
    if command.opponent == context.sender or (guest and you and guest.id == you.id):
        return refused("new_yourself")
    label = None if by_name else profile.label_for(context.services, command.opponent)
    refusal = too_many(context, guest, label)
    if refusal:
        return refusal
    host, joined = profile.enrol(context)
    if guest is None:
        guest, guest_joined = profile.enrol_guest(
            replace(context, events=(*context.events, *joined)), command.opponent
        )
        joined = (*joined, *guest_joined)
    kind = command.kind
    new = new_game(
        context,
        kind=kind,
        setup=setup,
        host=host,
        guest=guest,
        host_seat=draw(context, kind, host, guest, command.first),
        days=command.days,
        is_relay=command.is_relay,
    )
    return (*found(context, replace(new, guest_label=label), guest), *joined)


def set_up(context: Context, kind: str, words: Sequence[str]) -> str | Refusal:
    """The set-up that the words behind a command come to, or why they come to none."""
    rules = context.services.games.rules(kind)
    try:
        return rules.set_up(words, context.rng("set-up"))
    except Refused as why:
        return refused("refused", game=rules.name, reason=why.reason, turn="", fixes=())


def new_game(
    context: Context,
    *,
    kind: str,
    setup: str,
    host: Player,
    guest: Player,
    host_seat: Seat,
    days: int | None,
    is_relay: bool,
) -> GameRecord:
    """A game to which a host invites a guest; nobody has been asked yet."""
    first, second = (host, guest) if host_seat == Seat.FIRST else (guest, host)
    return GameRecord(
        number=context.next_game(),
        version=0,
        kind=kind,
        setup=setup,
        subject=subject_of(context.services, kind, setup, (first.name, second.name), is_relay=is_relay),
        standing=Standing.INVITED,
        invited_by=host.id,
        seats=(first.id, second.id),
        created_at=context.now,
        is_relay=is_relay,
        days=days,
    )


def subject_of(
    services: CommandServices, kind: str, setup: str, names: tuple[str, str], *, is_relay: bool
) -> str:
    """What letters about a game have in their Subjects, by its players' names."""
    title = title_of(services.games.rules(kind, is_relay=is_relay), setup)
    return services.templates.line("game/subject.txt", names=names, title=title)


def found(context: Context, new: GameRecord, guest: Player) -> Events:
    """Found a game, and ask the guest to it."""
    rules = context.services.games.rules(new.kind, is_relay=new.is_relay)
    proposed = GameProposed(
        game=new.number, record=new, guest=new.guest_label or guest.name, title=title_of(rules, new.setup)
    )
    return (proposed, invitations.ask(context, new, guest))


def accept(context: Context) -> Answer:
    """Begin the game that the sender was invited to; to say so again is no fault."""
    game = context.table.record
    if game.standing == Standing.OPEN:
        return unchanged("already_begun")
    return _not_asked(context) or begin(context, game)


def begin(context: Context, game: GameRecord) -> Events:
    """Begin a game that its guest accepts, with what its rules draw for it only now."""
    rules = context.services.games.rules(game.kind, is_relay=game.is_relay)
    setup, host_seat = rules.complete(game.setup, game.seat_of(game.invited_by), context.rng("complete"))
    seats = seated(game.invited_by, game.guest, host_seat)
    return (GameBegun(game=game.number, seat=host_seat.other, setup=setup, seats=seats),)


def seated(host: PlayerId, guest: PlayerId, host_seat: Seat) -> tuple[PlayerId, PlayerId]:
    """The players of a game, first seat first."""
    return (host, guest) if host_seat == Seat.FIRST else (guest, host)


def decline(context: Context) -> Answer:
    """Turn the invitation down, or take one's own back; the guest need not hear of that."""
    if _is_own_invitation(context):
        return (InvitationWithdrawn(game=context.table.number, guest=context.you.other),)
    return _not_asked(context) or (InvitationDeclined(game=context.table.number, seat=context.you),)


def _not_asked(context: Context) -> Refusal | None:
    """Why the sender can't answer an invitation to this game, if they can't."""
    game = context.table.record
    if game.standing == Standing.OPEN:
        return refused("too_late_to_decline")
    if game.standing != Standing.INVITED:
        return not_open(game)
    return refused("not_yours_to_accept") if _is_own_invitation(context) else None


def _is_own_invitation(context: Context) -> bool:
    game = context.table.record
    return game.standing == Standing.INVITED and game.invited_by == game.seats[context.you]


def too_many(context: Context, guest: Player | None, label: str | None) -> Refusal | None:
    """Why nobody else is invited now, if that is so; `guest` is None for somebody who is not known yet.

    `label` is what the host calls a guest whose address they have given, None: they have given the name.
    """
    if len(context.done(GameProposed)) >= MOST_IN_ONE_MAIL:
        return refused("many_new", most=MOST_IN_ONE_MAIL)
    if context.player is None:
        return None
    you = context.player.id
    for game in context.games_of(you, Standing.INVITED):
        # Who is known by a name and asked by an address, or the other way round: a refusal would tell whose it is.
        was_host = game.invited_by == you
        known_as = game.guest_label if was_host else None
        if guest is not None and guest.id in game.seats and known_as == label:
            other = label or guest.name
            return refused("already_asked", other=other, number=game.number, was_host=was_host)
    if _asked_of_late(context, you) >= MOST_OPEN:
        return refused("many_asked", most=MOST_OPEN)
    return None


def _asked_of_late(context: Context, host: PlayerId) -> int:
    """How many of somebody's invitations wait, or have come to nothing within a day: to take them back frees none."""
    then = context.now - timedelta(days=1)
    asked = context.games_of(host, Standing.INVITED, Standing.DECLINED)
    mine = (game for game in asked if game.invited_by == host)
    return sum(game.standing == Standing.INVITED or game.created_at > then for game in mine)


def _is_address(opponent: str) -> bool:
    return "@" in opponent


def _known(context: Context, opponent: str) -> Player | None:
    """Who is meant, by address or by name, if they are known here."""
    if _is_address(opponent):
        return context.player_by_address(opponent)
    return profile.by_name(context, opponent)


def draw(context: Context, kind: str, host: Player, guest: Player, first: First | None) -> Seat:
    """The host's seat: as they want it, or else in turn with their last game, or by lot in the first one."""
    last = None
    match first:
        case First.ME:
            return Seat.FIRST
        case First.THEM:
            return Seat.SECOND
        case First.RANDOM:
            pass
        case None:
            last = context.last_beginner(kind, host.id, guest.id)
        case _ as never:
            assert_never(never)
    if last is None:
        return context.rng("seats").choice(list(Seat))
    return Seat.SECOND if last == host.id else Seat.FIRST
