"""Carry out the commands that begin a game: new, accept and decline."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import assert_never

from takmail.commands import invitations, profile
from takmail.commands.answers import Answer, Events, Refusal, refused, unchanged
from takmail.commands.context import Context
from takmail.commands.events import GameBegun, GameProposed, InvitationDeclined, InvitationWithdrawn
from takmail.commands.game.table import title_of
from takmail.commands.game_standing import not_open
from takmail.commands.grammar.commands import New
from takmail.commands.kinds import First, Standing
from takmail.commands.records import GameRecord, Player, PlayerId
from takmail.commands.services import CommandServices
from takmail.games.interface import Refused, Seat

MOST_OPEN = 10
"""The maximum number of unanswered invitations per host, so that takmail cannot be used to mail many strangers."""
MOST_IN_ONE_MAIL = 5
"""The maximum number of invitations that one mail sends."""


def invite(context: Context, command: New) -> Answer:
    """Create a game and send the invitation. The game begins when the guest accepts."""
    if context.services.key.is_own(command.opponent):
        return refused("new_me")
    setup = set_up(context, command.kind, command.setup)
    if isinstance(setup, Refusal):
        return setup
    guest = _find_player(context, command.opponent)
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
    """Return the set-up that the words after a command describe, or the reason why they describe none."""
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
    """Return the record of a game to which a host invites a guest. The invitation is not sent yet."""
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
    """Return the Subject of letters about a game."""
    title = title_of(services.games.rules(kind, is_relay=is_relay), setup)
    return services.templates.line("game/subject.txt", names=names, title=title)


def found(context: Context, new: GameRecord, guest: Player) -> Events:
    """Create a game and invite the guest."""
    rules = context.services.games.rules(new.kind, is_relay=new.is_relay)
    proposed = GameProposed(
        game=new.number, record=new, guest=new.guest_label or guest.name, title=title_of(rules, new.setup)
    )
    return (proposed, invitations.ask(context, new, guest))


def accept(context: Context) -> Answer:
    """Begin the game that the sender was invited to. Repeating it is not an error."""
    game = context.table.record
    if game.standing == Standing.OPEN:
        return unchanged("already_begun")
    return _cannot_answer(context) or begin(context, game)


def begin(context: Context, game: GameRecord) -> Events:
    """Begin a game that its guest accepts. The rules draw what is random in its set-up only now."""
    rules = context.services.games.rules(game.kind, is_relay=game.is_relay)
    setup, host_seat = rules.complete(game.setup, game.seat_of(game.invited_by), context.rng("complete"))
    seats = seated(game.invited_by, game.guest, host_seat)
    return (GameBegun(game=game.number, seat=host_seat.other, setup=setup, seats=seats),)


def seated(host: PlayerId, guest: PlayerId, host_seat: Seat) -> tuple[PlayerId, PlayerId]:
    """Return the players of a game, first seat first."""
    return (host, guest) if host_seat == Seat.FIRST else (guest, host)


def decline(context: Context) -> Answer:
    """Decline the invitation, or withdraw the sender's own. The guest is not notified of a withdrawal."""
    if _is_own_invitation(context):
        return (InvitationWithdrawn(game=context.table.number, guest=context.you.other),)
    return _cannot_answer(context) or (InvitationDeclined(game=context.table.number, seat=context.you),)


def _cannot_answer(context: Context) -> Refusal | None:
    """Return the reason why the sender cannot answer an invitation to this game, None if they can."""
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
    """Return the reason why no further player can be invited now, None if one can. An unknown `guest` is None.

    `label` is the host's name for a guest invited by address, None for a guest invited by name.
    """
    if len(context.done(GameProposed)) >= MOST_IN_ONE_MAIL:
        return refused("many_new", most=MOST_IN_ONE_MAIL)
    if context.player is None:
        return None
    you = context.player.id
    for game in context.games_of(you, Standing.INVITED):
        # The guest may be known by name and invited by address, or the reverse. A refusal would reveal the address's
        # owner.
        was_host = game.invited_by == you
        known_as = game.guest_label if was_host else None
        if guest is not None and guest.id in game.seats and known_as == label:
            other = label or guest.name
            return refused("already_asked", other=other, number=game.number, was_host=was_host)
    if _recent_invitations(context, you) >= MOST_OPEN:
        return refused("many_asked", most=MOST_OPEN)
    return None


def _recent_invitations(context: Context, host: PlayerId) -> int:
    """Count a host's invitations that are open, or ended within the last day. Withdrawing one does not free a place."""
    a_day_ago = context.now - timedelta(days=1)
    invitations_sent = context.games_of(host, Standing.INVITED, Standing.DECLINED)
    mine = (game for game in invitations_sent if game.invited_by == host)
    return sum(game.standing == Standing.INVITED or game.created_at > a_day_ago for game in mine)


def _is_address(opponent: str) -> bool:
    return "@" in opponent


def _find_player(context: Context, opponent: str) -> Player | None:
    """Return the player with this address or name, if there is one."""
    if _is_address(opponent):
        return context.player_by_address(opponent)
    return profile.by_name(context, opponent)


def draw(context: Context, kind: str, host: Player, guest: Player, first: First | None) -> Seat:
    """Return the host's seat: as chosen, else alternating with their last game, else drawn at random."""
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
