"""Decide which parts of its game a letter shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.commands.answers import Reported, Shows
from takmail.letters.news.rows import shows
from takmail.world import Standing, Table, news


@dataclass(frozen=True, slots=True)
class ShownParts:
    """The parts of a game that a letter shows.

    * `game`: how the game stands. `next`: what the reader can do now.
    * `step`: by what the reader can compare boards
    * `names_board`: a line above the board says that it is the current one
    * `is_asked`: the mail asks for the board, so that it is shown even if the game has not begun
    * `has_shown_record`: an answer to a command has the record already
    * `move_lists` is how many answers to commands list moves
    """

    game: bool = False
    next: bool = False
    step: bool = False
    names_board: bool = False
    is_asked: bool = False
    has_shown_record: bool = False
    move_lists: int = 0


def parts_of_answer(
    reports: Sequence[Reported], game: Table | None = None, *, has_ended: bool = False
) -> ShownParts:
    """Return what the answer to a mail shows. `has_ended`: the end of the game is reported only now."""
    all_shown = [shows(reported.answer) for reported in reports]
    shown = set(all_shown)
    shows_game = not _is_past(game, has_ended=has_ended) or bool(
        shown - {Shows.NOTHING, Shows.AGAIN, Shows.NEW_GAME}
    )
    return ShownParts(
        game=shows_game,
        next=shows_game or Shows.NEW_GAME not in shown,
        step=bool(shown & {Shows.BOARD, Shows.COMPARISON}),
        names_board=_names_board(shown),
        is_asked=Shows.BOARD in shown,
        has_shown_record=Shows.RECORD in shown,
        move_lists=all_shown.count(Shows.MOVES),
    )


def parts_of_news(told: Sequence[news.GameNews], game: Table, *, has_ended: bool) -> ShownParts:
    """Return what a letter with news shows. Chat after the end does not show the end again."""
    is_chat = all(event.is_words for event in told)
    return ShownParts(
        game=not _is_past(game, has_ended=has_ended) or not is_chat,
        next=True,
        names_board=_names_board({shows(event) for event in told}),
    )


def _names_board(shown: set[Shows]) -> bool:
    return bool(shown & {Shows.OTHER_BOARD, Shows.COMPARISON})


def _is_past(game: Table | None, *, has_ended: bool) -> bool:
    """Return whether the game is over or declined, and this letter does not report its end."""
    return game is not None and game.record.standing in (Standing.OVER, Standing.DECLINED) and not has_ended
