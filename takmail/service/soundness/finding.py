"""What the operator needs to see why a game is broken, and to mend it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from takmail.games.registry import GAMES
from takmail.service.desk import Desk
from takmail.service.soundness.fault import Fault, Flaw
from takmail.service.soundness.repair import Repair, repair_of
from takmail.service.trust.identify import game_number
from takmail.service.trust.tokens import shown_in
from takmail.store import games, log, mails, outbox
from takmail.store.log import Deed
from takmail.store.tables import GameRow, Standing

_LOOKED_THROUGH = 200
"""Letters of the game, the newest, among which the one is sought that showed the board."""


@dataclass(frozen=True, slots=True)
class Finding:
    """All that there is to see of a broken game.

    `rows` are the boards of the replay and of the newest letter that showed one after that turn, side by side; '' on
    the side where there is none, and no rows at all where no board is in doubt. `mail` is the one that played the
    turn, `kept` are those that wait. `repair` is the statement that puts the row right, None where it takes a person
    to find out.
    """

    fault: Fault
    standing: Standing
    is_frozen: bool
    rows: tuple[tuple[str, str], ...]
    has_letter: bool
    mail: int | None
    kept: tuple[int, ...]
    repair: Repair | None


def finding(session: Session, game: GameRow, fault: Fault) -> Finding:
    """See what is wrong with a game, and what is known of how it was."""
    is_of_turns = fault.place.table in ("turn", "game")
    letter = _board_in_a_letter(session, game, fault) if is_of_turns else ()
    state = fault.after or fault.before
    is_about_the_board = fault.flaw not in (Flaw.SEAT, Flaw.AGREED)
    replay = state.board() if state is not None else ()
    return Finding(
        fault=fault,
        standing=Standing(game.standing),
        is_frozen=is_frozen(session, game),
        rows=_side_by_side(replay, letter) if is_about_the_board else (),
        has_letter=bool(letter),
        mail=_mail(session, fault) if is_of_turns else None,
        kept=tuple(mails.kept_for(session, note_of(fault))),
        repair=repair_of(session, game, fault, letter),
    )


def sentence(desk: Desk, fault: Fault) -> str:
    """What is wrong, in one line for the operator, with no words of the players' but the turn."""
    return desk.templates.line("console/stored.txt", fault=fault)


def note_of(fault: Fault) -> str:
    """How the reason begins for which a mail about a frozen game is kept."""
    return f"game {fault.game} is frozen: "


def is_frozen(session: Session, game: GameRow) -> bool:
    """Whether a game stands still as it was found broken, be it mended since or not."""
    if game.standing != Standing.ADJOURNED:
        return False
    deed = log.last_of_game(session, game_number(game), Deed.ADJOURNED, Deed.FROZEN)
    return deed is not None and deed.what == Deed.FROZEN


def _mail(session: Session, fault: Fault) -> int | None:
    """The mail that played the turn, be the turn itself lost."""
    turn = next((one for one in games.turns(session, fault.game) if one.number == fault.turn), None)
    if turn is not None:
        return turn.intake_id
    return mails.that_played(session, fault.game, fault.turn)


def _board_in_a_letter(session: Session, game: GameRow, fault: Fault) -> tuple[str, ...]:
    """The board after the turn as the players were shown it, as far as a letter is kept that tells."""
    rules = GAMES[game.kind]
    for letter in outbox.newest_of_game(session, fault.game, _LOOKED_THROUGH):
        is_of_turn = fault.flaw == Flaw.SETUP or shown_in(letter.message_id) == fault.turn
        boards = rules.boards_in(letter.text.splitlines()) if is_of_turn else ()
        if len(boards) == 1:  # of several it isn't sure which one is the game's
            return rules.rows(boards[0].text)
    return ()


def _side_by_side(ours: Sequence[str], theirs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    width = max((len(row) for row in ours), default=0)
    height = max(len(ours), len(theirs))
    filled = [(*one, *[""] * (height - len(one))) for one in (ours, theirs)]
    return tuple((left.ljust(width), right) for left, right in zip(*filled, strict=True))
