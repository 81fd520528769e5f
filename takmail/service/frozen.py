"""A game whose stored turns no longer agree with their replay: it stands still until the operator has mended it.

The mail that found it out is kept. Freezing, the letters about it and the mark on that mail are one transaction.
"""

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.service.desk import Desk
from takmail.service.game.table import load
from takmail.service.letters.post import write_to_operator, write_without_board
from takmail.service.letters.unasked import case_of
from takmail.service.soundness.fault import BrokenGame, Fault
from takmail.service.soundness.finding import finding, is_frozen, note_of, sentence
from takmail.service.trust.identify import game_number
from takmail.store import games, intake, log, questions
from takmail.store.log import Deed
from takmail.store.tables import BEGUN, GameRow, LogRow, QuestionKind, Standing


def freeze(desk: Desk, session: Session, number: int, intake_id: int) -> str | None:
    """Keep a mail about a broken game, which stands still from then on; gives what is wrong with the game.

    None: it has been mended meanwhile, or the mail is dealt with. Once, its players get a letter each, and so does
    the operator where their address is known.
    """
    game = games.get(session, number, lock=True)
    assert game is not None
    try:
        load(session, game)
    except BrokenGame as broken:
        fault = broken.fault
        wrong = sentence(desk, fault)
        if not intake.shunt(session, intake_id, f"{note_of(fault)}{wrong}"):
            return None
        if not _is_told(session, game, wrong):
            _freeze(desk, session, game, fault, intake_id)
        return wrong
    return None


def _is_told(session: Session, game: GameRow, wrong: str) -> bool:
    """Whether everybody knows: a game that doesn't run is not frozen, and told of again if it breaks otherwise."""
    if is_frozen(session, game):
        return True
    last = log.last_of_game(session, game_number(game), Deed.FROZEN, Deed.RESUMED)
    is_noted = last is not None and last.what == Deed.FROZEN and last.why == wrong
    return is_noted and game.standing != Standing.OPEN


def _freeze(desk: Desk, session: Session, game: GameRow, fault: Fault, intake_id: int) -> None:
    number = game_number(game)
    for seat in Seat:  # a `yes` to it would still give the game up
        questions.close_all(session, number, seat, QuestionKind.RESIGN)
    if game.standing == Standing.OPEN:
        game.standing = Standing.ADJOURNED
        session.add(game)
    row = LogRow(game_id=number, at=desk.clock(), who=desk.name, what=Deed.FROZEN, why=sentence(desk, fault))
    log.add(session, row)
    # Of one that has not begun its players know too little of each other to be told.
    for seat in Seat if game.standing in BEGUN else ():
        case = case_of(desk, session, game, seat.other, intake_id)
        facts = {"is_over": game.standing == Standing.OVER, "operator_knows": desk.operator is not None}
        write_without_board(case, "frozen", seat, **facts)
    if desk.operator is not None:
        case = case_of(desk, session, game, Seat.FIRST, intake_id)
        write_to_operator(case, "alarm", found=finding(session, game, fault))
