"""A game whose stored turns no longer agree with their replay: it stands still until the operator has mended it.

The mail that found it out is kept. Freezing, the letters about it and the mark on that mail are one transaction.
"""

from dataclasses import dataclass

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.games.registry import GAMES
from takmail.service.desk import Desk
from takmail.service.letters.post import write_to_operator, write_without_board
from takmail.service.letters.unasked import case_of
from takmail.service.replay import BrokenGame, Fault, Flaw
from takmail.service.table import load
from takmail.service.trust.identify import game_number
from takmail.store import games, intake, log, outbox
from takmail.store.log import Deed
from takmail.store.tables import BEGUN, GameRow, LogRow, QuestionKind, Standing

_LOOKED_THROUGH = 200
"""Letters of the game, the newest, among which the one is sought that showed the board."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the operator needs to see why a game is broken, and to mend it.

    `rows` are the boards of the replay and of the newest letter that showed one after that turn, side by side; only
    the replay's where there is no such letter. `mail` is the one that played the turn, `kept` are those that wait.
    """

    fault: Fault
    standing: Standing
    is_frozen: bool
    rows: tuple[tuple[str, str], ...]
    has_letter: bool
    mail: int | None
    kept: tuple[int, ...]


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
        if not intake.shunt(session, intake_id, f"{note_of(fault)}{fault}"):
            return None
        if not _is_told(session, game, fault):
            _freeze(desk, session, game, fault, intake_id)
        return str(fault)
    return None


def finding(desk: Desk, session: Session, game: GameRow, fault: Fault) -> Finding:
    """All that there is to see of a broken game."""
    number = game_number(game)
    replay = fault.after or fault.before
    letter = _board_in_a_letter(desk, session, game, fault)
    width = max((len(row) for row in replay), default=0)
    height = max(len(replay), len(letter))
    filled = [(*one, *[""] * (height - len(one))) for one in (replay, letter)]
    turn = next((one for one in games.turns(session, number) if one.number == fault.turn), None)
    return Finding(
        fault=fault,
        standing=Standing(game.standing),
        is_frozen=is_frozen(session, game),
        rows=tuple((left.ljust(width), right) for left, right in zip(*filled, strict=True)),
        has_letter=bool(letter),
        mail=None if turn is None else turn.intake_id,
        kept=tuple(intake.kept_for(session, note_of(fault))),
    )


def note_of(fault: Fault) -> str:
    """How the reason begins for which a mail about a frozen game is kept."""
    return f"game {fault.game} is frozen: "


def is_frozen(session: Session, game: GameRow) -> bool:
    """Whether a game stands still as it was found broken, be it mended since or not."""
    if game.standing != Standing.ADJOURNED:
        return False
    deed = log.last_of_game(session, game_number(game), Deed.ADJOURNED, Deed.FROZEN)
    return deed is not None and deed.what == Deed.FROZEN


def _is_told(session: Session, game: GameRow, fault: Fault) -> bool:
    """Whether everybody knows: a game that doesn't run is not frozen, and told of again if it breaks otherwise."""
    if is_frozen(session, game):
        return True
    last = log.last_of_game(session, game_number(game), Deed.FROZEN, Deed.RESUMED)
    is_noted = last is not None and last.what == Deed.FROZEN and last.why == str(fault)
    return is_noted and game.standing != Standing.OPEN


def _freeze(desk: Desk, session: Session, game: GameRow, fault: Fault, intake_id: int) -> None:
    number = game_number(game)
    for seat in Seat:  # a `yes` to it would still give the game up
        games.drop_questions(session, number, seat, QuestionKind.RESIGN)
    if game.standing == Standing.OPEN:
        game.standing = Standing.ADJOURNED
        session.add(game)
    row = LogRow(game_id=number, at=desk.clock(), who=desk.name, what=Deed.FROZEN, why=str(fault))
    log.add(session, row)
    # Of one that has not begun its players know too little of each other to be told.
    for seat in Seat if game.standing in BEGUN else ():
        case = case_of(desk, session, game, seat.other, intake_id)
        write_without_board(case, "frozen", seat, is_over=game.standing == Standing.OVER)
    if desk.operator is not None:
        case = case_of(desk, session, game, Seat.FIRST, intake_id)
        write_to_operator(case, "alarm", found=finding(desk, session, game, fault))


def _board_in_a_letter(desk: Desk, session: Session, game: GameRow, fault: Fault) -> tuple[str, ...]:
    """The board after the turn as the players were shown it, as far as a letter is kept that tells."""
    rules = GAMES[game.kind]
    for letter in outbox.newest_of_game(session, game_number(game), _LOOKED_THROUGH):
        ref = desk.key.in_message_id(letter.message_id)
        is_of_turn = ref is not None and (fault.flaw == Flaw.SETUP or ref.shown == fault.turn)
        boards = rules.boards_in(letter.text.splitlines()) if is_of_turn else ()
        if len(boards) == 1:  # of several it isn't sure which one is the game's
            return tuple(boards[0].text.split("/"))
    return ()
