"""The verb that leaves for good: forget me."""

from takmail.games.game import Seat
from takmail.games.registry import GAMES
from takmail.service.case import Case, News, Report, done, failed
from takmail.service.game.title import title_of
from takmail.service.letters import reply
from takmail.service.people.forgetting import traces_of
from takmail.service.trust.asking import ASKED_FOR
from takmail.service.trust.identify import game_number
from takmail.store import forget, forgettings, games, players
from takmail.store.tables import RUNNING, Confirmation, ConfirmationKind, GameRow, Player, Standing

WORDS = "forget me"


def forget_me(case: Case) -> Report:
    """Give up what runs, take away all that is the sender's, and tell who played with them, after a `yes` to it.

    What others have written of them follows, a few mails at a time.

    Nothing is kept of the letter that says so, once it has left.
    """
    player = case.player
    if player is None:
        return failed("forget_nobody")
    if WORDS not in case.confirmed.lower():
        case.question = Confirmation(
            address=case.mail.sender,
            kind=ConfirmationKind.COMMANDS,
            words=WORDS,
            asked_at=case.desk.clock(),
        )
        return done("ask_forget", days=ASKED_FOR.days)
    session, you = case.session, players.number(player)
    label = case.desk.templates.line("names/a_player.txt")
    left = [row for row in forget.everything(session, you) if _leave(case, row, player)]
    traces = traces_of(session, player, case.desk.limits)
    lost = forget.forget(session, player, label, traces)
    forgettings.begin(session, traces, label)
    _rename_games(case, you)
    told = {game_number(row) for row in left} | lost
    for row in forget.everything(session, you):
        if row.id in told:
            reply.tell_of(case, row, you, News("left"))
    case.player, case.chair, case.has_left = None, None, True
    return done("forgotten", games=len(left))


def _leave(case: Case, row: GameRow, player: Player) -> bool:
    """End a game that is not over; gives whether its other player has to hear of it."""
    you = players.number(player)
    if row.standing == Standing.INVITED:
        row.standing = Standing.DECLINED
        return row.invited_by != you
    if row.standing not in RUNNING:
        return False
    seat = Seat(games.seats(case.session, game_number(row)).index(you))
    games.end(case.session, row, GAMES[row.kind].resign(seat).score, resigned=seat)
    return True


def _rename_games(case: Case, you: int) -> None:
    """The Subjects of all their games, with what they are called now."""
    subjects = {}
    for row in forget.everything(case.session, you):
        pair = [players.get(case.session, one).name for one in games.seats(case.session, game_number(row))]
        title = title_of(row)
        subjects[game_number(row)] = case.desk.templates.line("game/subject.txt", names=pair, title=title)
    forget.name_games(case.session, subjects)
