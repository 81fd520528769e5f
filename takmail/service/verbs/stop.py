"""The verb `stop`: no more mail from here, but for answers to what one writes oneself."""

from takmail.service.case import Case, News, Report, done
from takmail.service.letters import invitations, reply
from takmail.service.people.enrol import enrol
from takmail.service.trust.identify import game_number
from takmail.store import confirmations, games, outbox, players, seeks
from takmail.store.tables import RUNNING, Standing


def stop(case: Case) -> Report:
    """Write to the sender no more: what they are asked to is declined, what they seek goes, games wait for them."""
    player = enrol(case)
    you = players.number(player)
    is_new = not players.wants_no_mail(case.session, you)
    players.stop(case.session, you, case.desk.clock())
    for address in players.addresses(case.session, you):
        outbox.rest(case.session, address)
    seeks.drop_all(case.session, you)
    confirmations.drop_all(case.session, case.mail.sender)
    for game in invitations.waiting_for(case, player):
        if game.asked_at is None:
            continue  # Its host would see that somebody whom nobody has asked has declined, and so plays here.
        game.standing = Standing.DECLINED
        outbox.withdraw(
            case.session, game_number(game), games.seats(case.session, game_number(game)).index(you)
        )
        reply.tell_of(case, game, you, News("declined"))
    running = games.of_player(case.session, you, RUNNING)
    for game in running if is_new else ():
        reply.tell_of(case, game, you, News("silent"))
    if case.chair is not None:
        case.changed()
    return done("stopped", running=len(running))
