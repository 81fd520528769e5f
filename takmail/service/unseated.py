"""A mail about a broken game that asks for nothing in that game, such as `stop`: it is dealt with all the same."""

from takmail.games.registry import boards_anywhere, read_anywhere
from takmail.service.case import Case
from takmail.service.perform import needs_game
from takmail.service.reading.commands import Word
from takmail.service.reading.understand import understand
from takmail.service.soundness.fault import BrokenGame
from takmail.service.trust import confirm, held
from takmail.store.tables import OutboxRow


def leave_broken_game(case: Case, text: str, answered: OutboxRow | None) -> None:
    """Take a mail about a broken game for one about none, if all that it asks for can be done without that game.

    Raises BrokenGame if it can't.
    """
    if case.chair is None:
        return
    try:
        _ = case.table
    except BrokenGame:
        if not _can_do_without(case, text, answered):
            raise
        case.stand_up()


def _can_do_without(case: Case, text: str, answered: OutboxRow | None) -> bool:
    """Words beside a command don't count: they may be no more than a greeting, and their writer is told of them."""
    is_asked = confirm.question(case, answered) is not None
    is_open = is_asked or confirm.asks(case, answered) or held.asks(case, answered)
    orders = understand(text, read_anywhere, boards_anywhere, question_open=is_open).orders
    is_answer = any(one.command in (Word("yes"), Word("no")) for one in orders)
    return bool(orders) and not any(needs_game(one) for one in orders) and (is_asked or not is_answer)
