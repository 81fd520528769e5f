"""Letters that come back: whoever can't be reached is left in peace, and who plays with them is told."""

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.mail.envelope import Envelope
from takmail.service import reply
from takmail.service.case import Case
from takmail.service.desk import Desk
from takmail.service.identify import Chair, Proof, game_number
from takmail.store import games, outbox, players
from takmail.store.tables import GameRow, LetterState, OutboxRow, Player, Standing

_NO_MAIL = Envelope(None, "", "", (), "", (), (), "")


def report(case: Case) -> str:
    """See to a delivery report; gives what it comes to, for the operator.

    A letter's Message-ID can't be guessed, so a report that names one comes from where that letter went.
    """
    bounce = case.mail.bounce
    if bounce is None:
        return "no letter came back"
    letter = outbox.by_message_id(case.session, bounce.letters)
    if letter is None:
        return "not about a letter of ours"
    if letter.state == LetterState.BOUNCED:
        return f"letter {letter.id} came back before"
    if not bounce.permanent:
        return f"letter {letter.id} is late: {bounce.reason}"
    came_back(case.desk, case.session, letter, bounce.reason)
    return f"letter {letter.id} came back: {bounce.reason}"


def came_back(desk: Desk, session: Session, letter: OutboxRow, reason: str) -> None:
    """Note that a letter came back, or was refused at the door.

    After `MOST_BOUNCES` its reader's address rests, and the opponents are told. The invited get one letter only, so
    who asked them is told at once: the address may be mistyped.
    """
    outbox.came_back(session, letter, reason)
    bounces = players.came_back(session, letter.mail_to)
    reader = players.by_address(session, letter.mail_to)
    if reader is None:
        return
    if bounces == players.MOST_BOUNCES:
        outbox.rest(session, letter.mail_to)
    for game in games.of_player(session, players.number(reader), (Standing.INVITED, Standing.OPEN)):
        invited = game.standing == Standing.INVITED and game.invited_by != reader.id
        if game.id == letter.game_id if invited else bounces == players.MOST_BOUNCES:
            _tell_opponent(desk, session, game, reader, letter)


def _tell_opponent(desk: Desk, session: Session, game: GameRow, reader: Player, letter: OutboxRow) -> None:
    you = players.number(reader)
    seat = Seat(games.seats(session, game_number(game)).index(you))
    case = Case(desk, session, letter.intake_id, _NO_MAIL, reader)
    case.sit(Chair(game, seat, you, Proof.SURE, None))
    case.tell("unreachable")
    reply.tell_opponent(case)
