"""Tell what the operator decides about games, and the operator of games that are corrupt."""

from collections.abc import Mapping

from takmail.blocks import Blocks, Code, message, paragraph
from takmail.letters.batch import LetterBatch
from takmail.letters.catalogue import ENGLISH
from takmail.letters.letter import Sending
from takmail.letters.news.row import BrokenGame, Row, says
from takmail.letters.passages.ending import outcome
from takmail.letters.reader import Style
from takmail.world import GameNumber, LetterView, Mailbox, events


def _notify_operator(batch: LetterBatch, event: events.OperatorNotified) -> LetterBatch:
    """Tell the operator of a corrupt game."""
    fault = event.fault
    if batch.services.operator is None:
        return batch
    standing = batch.world.game(GameNumber(fault.game)).record.standing
    page = batch.services.templates.page(
        "console/operator_notified.txt", fault=fault, standing=standing, shunted_mails=[event.mail]
    )
    return batch.outside_games(
        message("subject_of_broken_game", number=fault.game),
        lambda _: (Code(tuple(page.split("\n"))),),
        Mailbox(batch.services.operator),
        Style(LetterView.TEXT, ENGLISH),
        Sending(is_urgent=True, purge_after_send=True),
    )


def without_board(game: BrokenGame, *, was_ended: bool) -> Blocks:
    """Tell how a corrupt game that is over ended, and that its board is gone."""
    return (
        *paragraph(message("outcome_without_board", outcome=game.outcome)),
        *paragraph(message("no_board_of_broken_game", was_ended=was_ended), message("for_another_game")),
    )


def _broken_adjourned(event: events.GameAdjourned, game: BrokenGame) -> Blocks:
    """Tell that a corrupt game is adjourned. If takmail has done it, there is no reason."""
    return (
        *paragraph(message("broken_game_was_adjourned", why=event.why) if event.why else None),
        *paragraph(message("game_is_broken", operator_knows=game.operator_knows)),
        *paragraph(
            message("broken_game_stands_still", is_over=game.is_over),
            message("mails_about_it_are_kept"),
        ),
    )


ROWS: Mapping[type[events.Event], Row] = {
    events.GameAdjourned: Row(tells=says(message("game_was_adjourned")), without_board=_broken_adjourned),
    events.GameResumed: Row(tells=lambda event, _: paragraph(message("game_was_resumed", why=event.why))),
    events.GameRuled: Row(
        tells=lambda _, reader: paragraph(*outcome(reader)),
        without_board=lambda event, game: (
            *paragraph(message("broken_game_was_ended", why=event.why)),
            *without_board(game, was_ended=True),
        ),
    ),
    events.ResultCorrected: Row(
        tells=lambda _, reader: paragraph(message("result_was_corrected"), *outcome(reader)),
        without_board=lambda event, game: (
            *paragraph(message("broken_game_was_corrected", why=event.why)),
            *without_board(game, was_ended=True),
        ),
    ),
    events.OperatorNotified: Row(writes=_notify_operator),
}
"""Rows of what the operator decides about games, and is told of them."""
