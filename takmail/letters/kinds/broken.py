"""Make the letters about a game that is corrupt, so that no board can be shown."""

from dataclasses import dataclass

from takmail.blocks import Blocks, message, paragraph


@dataclass(frozen=True, slots=True)
class BrokenGame:
    """What is told of a corrupt game.

    * `why` is the operator's reason if the operator has decided about it, otherwise ''
    * `outcome` is `won`, `lost`, `draw` or `void` for the reader, if the game `is_over`
    * `operator_knows`: the operator got a letter about it
    """

    why: str = ""
    outcome: str = ""
    is_over: bool = False
    operator_knows: bool = False


def ended(game: BrokenGame) -> Blocks:
    """Tell that a corrupt game has ended, by the operator or as the opponent has left."""
    told = message("broken_game_was_ended", why=game.why) if game.why else message("broken_game_is_over")
    return (
        *paragraph(told),
        *paragraph(message("outcome_without_board", outcome=game.outcome)),
        *paragraph(message("no_board_of_broken_game", was_ended=bool(game.why)), message("for_another_game")),
    )


def frozen(game: BrokenGame) -> Blocks:
    """Tell that a corrupt game is adjourned."""
    told = paragraph(message("broken_game_was_adjourned", why=game.why)) if game.why else ()
    return (
        *told,
        *paragraph(message("game_is_broken", operator_knows=game.operator_knows)),
        *paragraph(
            message("broken_game_stands_still", is_over=game.is_over),
            message("mails_about_it_are_kept"),
        ),
    )
