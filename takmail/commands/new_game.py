"""Carry out the commands with which a game begins: new, accept, decline and rematch."""

from dataclasses import replace
from datetime import timedelta

from takmail.commands import invitations, profile
from takmail.commands.answers import (
    Answer,
    Events,
    Refusal,
    not_open,
    refuse_if,
    refused,
    refused_beyond,
    refused_to_all,
    told,
)
from takmail.commands.beginnings import (
    begun_at_once,
    choose_seat,
    chosen_bot,
    has_enough_bot_games,
    has_enough_games,
    new_game,
    new_record,
    play_bot,
    set_up,
    setup_to_begin,
)
from takmail.commands.context import Context, events_for
from takmail.commands.grammar.arguments import OneGame
from takmail.commands.grammar.invitation_forms import New, Rematch, SeekGame
from takmail.commands.series import goes_on
from takmail.commands.stranger_budgets import wait_for
from takmail.limits.games import MAX_INVITATIONS, MAX_INVITATIONS_IN_MAIL
from takmail.mail.domains import may_be_a_person
from takmail.world import (
    NO_TIMING,
    NOT_ACCEPTED,
    GameNumber,
    GameRecord,
    NewPlayers,
    Player,
    PlayerId,
    Standing,
    events,
    guest_label,
)


def invite(context: Context, command: New) -> Answer:
    """Create a game and send the invitation. The game begins when the guest accepts."""
    if command.bot is not None:
        return play_bot(context, command, command.bot)
    opponent, you = command.opponent, context.player
    if context.services.key.is_own(opponent):
        return refused_to_all("new_me")
    by_name = "@" not in opponent
    if not by_name and not may_be_a_person(opponent, context.services.address):
        return refused("no_person", address=opponent)
    setup = set_up(context, command)
    guest = profile.acquainted(context, opponent) if by_name else context.world.owner(opponent)
    if guest is None and by_name:
        return refused("new_nobody", name=opponent, game=command.kind)
    if guest is None and context.services.access.new_players is NewPlayers.NOBODY:
        return refused("no_newcomers", address=opponent)
    if opponent == context.author.address:
        return refused_to_all("new_yourself")
    if guest and you and guest.id == you.id:
        return refused("new_yourself")
    label = None if by_name else profile.label_for(context.services, opponent)
    refuse_if(too_many(context, guest, label))
    host, joined = profile.enrol(context)
    if guest is None:
        guest, guest_joined = profile.enrol_guest(context, opponent)
        joined = (*joined, *guest_joined)
    host_seat = choose_seat(context, command.kind, host, guest, command.first)
    new = new_record(context, command, setup, (host, guest), host_seat)
    return _invitation(context, new, label, (host, guest), joined)


def _invitation(
    context: Context,
    new: GameRecord,
    label: str | None,
    players: tuple[Player, Player],
    joined: Events = (),
) -> Events:
    """Return what creates a game of a host and a guest, and invites the guest.

    `label` is the host's name for the guest. `joined` registers them. Raises RefusalError if too many letters wait.
    """
    host, guest = players
    waits_until, wait_hours = None, 0
    if label is not None:
        new = replace(new, invitation=replace(new.invitation, guest_label=label))
        waits_until, wait_hours = wait_for(context, guest.main_mailbox.address, host.id)
    game = new_game(context, new, players)
    proposed = events.GameProposed(game=new.number, new_game=game, wait_hours=wait_hours)
    return (*joined, proposed, *invitations.ask(context, new, guest, waits_until))


def accept(context: Context) -> Answer:
    """Begin the game that the sender is invited to, or the next one after a game that is over.

    Twice is not an error.
    """
    game, following = context.game.record, next_invitation(context)
    if following is not None:
        return _existing_rematch(context, following, is_other=False)
    if game.is_open or game.is_bidding:
        return told("already_begun", is_bidding=game.is_bidding)
    refuse_if(_cannot_answer(context))
    return begin(context, game)


def next_invitation(context: Context) -> GameRecord | None:
    """Return the opponent's newest invitation that waits for the sender, if the game of the mail is over, or None."""
    if not context.game.record.is_over:
        return None
    you, opponent = context.game.players[context.you], context.game.players[context.you.other]
    waiting = invitations.waiting_for(context, you)
    asked = (game for game in waiting if game.invitation.written_at is not None)
    return next((game for game in reversed([*asked]) if game.invitation.host == opponent.id), None)


def begin(context: Context, game: GameRecord) -> Events:
    """Begin a game that the guest accepts.

    If the players bid for the first turn, they are asked for their bids, and the game begins with the second one.
    """
    refuse_if(has_enough_games(context))
    rules = context.services.games.rules_of(game)
    setup = setup_to_begin(context, rules, game.setup)
    return (
        events.GameBegun(game=game.number, seat=game.seat_of(game.guest), setup=setup, begun_at=context.now),
    )


def decline(context: Context) -> Answer:
    """Decline the invitation, or the game while the players bid.

    If it is an invitation of the sender's own, withdraw it without notifying the guest.
    """
    if invitations.is_own(context):
        return (events.InvitationWithdrawn(game=context.game.number, seat=context.you.other),)
    if (following := next_invitation(context)) is not None:
        return (events.InvitationDeclined(game=following.number, seat=following.seat_of(following.guest)),)
    return _cannot_answer(context) or (events.InvitationDeclined(game=context.game.number, seat=context.you),)


def take_back(context: Context, command: OneGame) -> Answer:
    """Withdraw an invitation of the sender's own, whichever game the mail is about."""
    game = context.world.find_game(GameNumber(command.number))
    if game is None or context.player is None or not game.record.is_invitation_of(context.player.id):
        return refused("no_invitation_to_take_back", number=command.number)
    return (events.InvitationWithdrawn(game=game.number, seat=game.record.seat_of(game.record.guest)),)


def _cannot_answer(context: Context) -> Refusal | None:
    """Return a refusal if the sender cannot accept or decline this game, otherwise None."""
    game = context.game.record
    if game.is_open:
        return refused("too_late_to_decline")
    if not game.may_be_declined:
        return not_open(game)
    return refused("not_yours_to_accept") if invitations.is_own(context) else None


# Limits on invitations, and rematches.


def too_many(context: Context, guest: Player | None, label: str | None) -> Refusal | None:
    """Return a refusal if the sender may not invite this player now, otherwise None.

    `guest` is None for an unknown address. `label` is the host's name for a guest who is invited by address, None for a
    guest who is invited by name.
    """
    too_many_now = refused_beyond("many_new", len(context.proposed_games), MAX_INVITATIONS_IN_MAIL)
    if too_many_now or context.player is None:
        return too_many_now
    you = context.player.id
    for game in context.world.games_of(you, Standing.INVITED):
        # An invitation by name and one by address never count as the same. A refusal would reveal the address's
        # owner.
        was_host = game.invitation.host == you
        known_as = game.invitation.guest_label if was_host else None
        if guest is not None and guest.id in game.players and known_as == label:
            other = label or guest.name
            return refused("already_asked", other=other, number=game.number, was_host=was_host)
    recent = _count_recent_invitations(context, you)
    return refused_beyond("many_asked", recent, MAX_INVITATIONS) or has_enough_games(context)


def _count_recent_invitations(context: Context, host: PlayerId) -> int:
    """Count a host's invitations that are unanswered or were created within the last day.

    Those that have ended count, too, so that a host cannot send more by withdrawing some.
    """
    a_day_ago = context.now - timedelta(days=1)
    invitations_sent = context.world.games_of(host, *NOT_ACCEPTED)
    mine = (game for game in invitations_sent if game.invitation.host == host)
    return sum(game.is_unanswered or game.created_at > a_day_ago for game in mine)


def rematch(context: Context, command: Rematch | None = None) -> Answer:
    """Invite the opponent to the same game again, perhaps with something different.

    In reply to such an invitation, accept it. A bot accepts at once. After a declined invitation, it is the same
    invitation again, and who was host may still know only an address.
    """
    game, old = context.game, context.game.record
    you, other = game.players[context.you], game.players[context.you.other]
    if old.rematch_of is not None and old.invites(you.id):
        if command is None:
            return accept(context)
        return refused("already_asked", other=other.name, number=old.number, was_host=False)
    if events.has_accepted(context.so_far.happened, old.number):
        # "Gladly!" above it has accepted the invitation.
        return told("already_begun", is_bidding=old.is_bidding)
    was_declined = old.is_declined
    if not old.is_over and not was_declined:
        return not_open(old) or refused("rematch_too_soon")
    if other.is_erased:
        return refused("opponent_left")
    following = context.world.rematch_of(context.game)
    if following is not None:
        return _existing_rematch(context, following, is_other=command is not None)
    is_other = command is not None and bool(command.setup or command.length)
    is_next = (old.is_over or old.rematch_of is not None) and goes_on(context.world, old)
    refuse_if(refused("match_keeps_its_terms") if is_other and is_next else None)
    label, setup = guest_label(old, you.id), _rematch_setup(context, command)
    if other.is_bot:
        has_time = command is not None and command.timing not in (None, NO_TIMING)
        refuse_if(refused("no_clock_against_bots") if has_time else None)
        chosen_bot(context, other.bot_name, game.rules, setup)
        refuse_if(has_enough_bot_games(context))
    refuse_if(too_many(context, other, label))
    host_seat = context.you if was_declined else context.you.other
    if command is not None and command.first is not None:
        host_seat = choose_seat(context, old.kind, you, other, command.first)
    length = None if command is None else command.length
    new = new_record(context, old, setup, (you, other), host_seat, length)
    if command is not None and command.timing is not None:
        new = replace(new, timing=command.timing.instead_of(old.timing))
    if command is not None and command.is_unrated is not None:
        new = replace(new, invitation=replace(new.invitation, is_unrated=command.is_unrated))
    follows = old.rematch_of if was_declined else game.number
    if other.is_bot:
        return begun_at_once(context, replace(new, rematch_of=follows), (other, you), ())
    return _invitation(context, replace(new, rematch_of=follows), label, (you, other))


def _rematch_setup(context: Context, command: Rematch | None) -> str:
    """Return the set-up of a rematch: the same, with other options, or another one if its size is named.

    Raises RefusalError if it is invalid.
    """
    record, same = context.game.record, context.game.rules.rematch_setup(context.game.record.setup)
    if command is None or not (command.setup or command.first or command.length):
        return same
    words = command.setup
    if all("=" in word for word in words):
        named = {word.partition("=")[0] for word in words}
        words = (*(word for word in same.split() if word.partition("=")[0] not in named), *words)
    return set_up(
        context,
        SeekGame(words, command.first, is_relay=record.is_relay, kind=record.kind, length=command.length),
    )


def _existing_rematch(context: Context, following: GameRecord, *, is_other: bool) -> Answer:
    """Answer a request for a rematch that already exists. If the sender is invited to it, begin it.

    It does not begin if the request names other terms (`is_other`), or if something has happened in the old game by the
    mail. The letter to the opponent then tells that.
    """
    if not following.is_unanswered:
        return refused("rematch_begun", number=following.number)
    game, other = context.seen, context.you.other
    was_host = following.invitation.host == game.players[context.you].id
    if was_host or is_other or events_for(context.opponent, context.so_far.happened, context.game):
        return refused("already_asked", other=game.names[other], number=following.number, was_host=was_host)
    return begin(context, following)
