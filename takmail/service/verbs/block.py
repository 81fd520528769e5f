"""The verbs about whom one wants to hear nothing of: block, unblock. Nobody else is told."""

from takmail.service.case import Case, News, Report, done, failed
from takmail.service.letters import invitations, reply
from takmail.service.people import register
from takmail.service.people.enrol import enrol
from takmail.store import chat, players
from takmail.store.tables import Player, Standing


def block(case: Case, name: str) -> Report:
    """Hear nothing more that a player starts or says; what they ask already is declined. Moves still come."""
    other = register.by_name(case.session, name)
    if other is None:
        return failed("block_nobody", name=name)
    player = case.player = enrol(case)
    if other.id == player.id:
        return failed("block_yourself")
    you, them = players.number(player), players.number(other)
    players.block(case.session, you, them, case.desk.clock())
    chat.drop_waiting(case.session, them, reader=you)
    _decline(case, player, other)
    return done("blocked", name=other.name)


def unblock(case: Case, name: str) -> Report:
    """Hear of a player again."""
    other = register.by_name(case.session, name)
    if other is None or case.player is None:
        return failed("block_nobody", name=name)
    is_changed = players.unblock(case.session, players.number(case.player), players.number(other))
    return done("unblocked", name=other.name, is_changed=is_changed)


def list_blocked(case: Case) -> Report:
    """Of whom the sender wants to hear nothing."""
    if case.player is None:
        return done("blocks", names=())
    blocked = players.blocked_by(case.session, players.number(case.player))
    return done("blocks", names=tuple(one.name for one in blocked))


def _decline(case: Case, player: Player, host: Player) -> None:
    """Decline what the host asks; what was never shown stays unanswered, which tells them nothing."""
    you = players.number(player)
    for game in invitations.waiting_for(case, player):
        if game.invited_by == host.id and game.asked_at is not None:
            game.standing = Standing.DECLINED
            reply.tell_of(case, game, you, News("declined"))
    if case.chair is not None:
        case.changed()
