"""Make the letters about a game that is corrupt, so that no board can be shown."""

from dataclasses import dataclass

from takmail.blocks import Blocks, message, paragraph
from takmail.world import news


@dataclass(frozen=True, slots=True)
class BrokenGame:
    """What is told of a corrupt game.

    * `outcome` is `won`, `lost`, `draw` or `void` for the reader, if the game `is_over`
    * `operator_knows`: the operator got a letter about it
    """

    outcome: str = ""
    is_over: bool = False
    operator_knows: bool = False


def over(_event: news.OpponentLeft, game: BrokenGame) -> Blocks:
    """Tell that a corrupt game is over, as the opponent has left."""
    return (*paragraph(message("broken_game_is_over")), *_without_board(game, was_ended=False))


def ruled(event: news.GameRuled, game: BrokenGame) -> Blocks:
    """Tell that the operator has ended a corrupt game."""
    return (
        *paragraph(message("broken_game_was_ended", why=event.why)),
        *_without_board(game, was_ended=True),
    )


def _without_board(game: BrokenGame, *, was_ended: bool) -> Blocks:
    return (
        *paragraph(message("outcome_without_board", outcome=game.outcome)),
        *paragraph(message("no_board_of_broken_game", was_ended=was_ended), message("for_another_game")),
    )


def adjourned(event: news.GameAdjourned, game: BrokenGame) -> Blocks:
    """Tell that a corrupt game is adjourned. If takmail has done it, there is no reason."""
    return (
        *paragraph(message("broken_game_was_adjourned", why=event.why) if event.why else None),
        *paragraph(message("game_is_broken", operator_knows=game.operator_knows)),
        *paragraph(
            message("broken_game_stands_still", is_over=game.is_over),
            message("mails_about_it_are_kept"),
        ),
    )
