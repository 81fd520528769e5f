"""The verb `stop`: no more mail from here, but for answers to what one writes oneself."""

from takmail.games.game import Seat
from takmail.service import invitations, reply
from takmail.service.case import Case, News, Report, done
from takmail.service.identify import game_number
from takmail.service.people import enrol
from takmail.service.unasked import case_of
from takmail.store import confirmations, games, players
from takmail.store.tables import RUNNING, GameRow, Standing


def stop(case: Case) -> Report:
    """Write to the sender no more: invitations are declined, games that go on wait until they play on."""
    player = enrol(case)
    you = players.number(player)
    players.stop(case.session, you, case.desk.clock())
    confirmations.drop_all(case.session, case.mail.sender)
    for game in invitations.waiting_for(case, player):
        was_asked = game.asked_at is not None
        game.standing = Standing.DECLINED
        if was_asked:
            _tell(case, game, News("declined"))
    running = games.of_player(case.session, you, RUNNING)
    for game in running:
        _tell(case, game, News("silent"))
    if case.chair is not None:
        case.changed()
    return done("stopped", running=len(running))


def _tell(case: Case, game: GameRow, about: News) -> None:
    assert case.player is not None
    seat = Seat(games.seats(case.session, game_number(game)).index(players.number(case.player)))
    quiet = case_of(case.desk, case.session, game, seat, case.intake_id)
    quiet.news.append(about)
    reply.tell_opponent(quiet)
    case.letters += quiet.letters
