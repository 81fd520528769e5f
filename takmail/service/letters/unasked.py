"""Letters about a game that follow from no mail of a player's."""

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.mail.envelope import Envelope
from takmail.service.case import Case
from takmail.service.desk import Desk
from takmail.service.trust.identify import Chair, Proof, game_number
from takmail.store import games, players
from takmail.store.tables import GameRow

_NO_MAIL = Envelope(None, "", "", (), "", (), (), "")


def case_of(desk: Desk, session: Session, game: GameRow, seat: Seat, intake_id: int | None = None) -> Case:
    """A case that speaks for a seat whose player has written nothing; what it tells goes to the other one.

    `intake_id` is the mail, such as a delivery report, that has set it off.
    """
    owner = games.seats(session, game_number(game))[seat]
    case = Case(desk, session, intake_id, _NO_MAIL, players.get(session, owner))
    case.sit(Chair(game, seat, owner, Proof.SURE, None))
    return case
