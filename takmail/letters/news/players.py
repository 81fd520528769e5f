"""How letters tell what concerns a player beyond one game, and what the operator decides."""

from collections.abc import Mapping
from datetime import datetime

from takmail.blocks import Blocks, Code, message, paragraph
from takmail.commands.grammar.zones import is_chosen, tzinfo_of
from takmail.letters.batch import LetterBatch
from takmail.letters.catalogue import ENGLISH
from takmail.letters.letter import Sending
from takmail.letters.news.row import BrokenGame, Row, says
from takmail.letters.parts.absence import days_left
from takmail.letters.parts.ending import outcome
from takmail.letters.reader import Reader
from takmail.letters.style import Style
from takmail.world import GameNumber, LetterView, Mailbox, Standing, news


def _setting_chosen(event: news.SettingChosen, reader: Reader) -> Blocks:
    match event.keyword:
        case "view":
            return paragraph(message("view_chosen", view=event.value))
        case "receipts":
            return paragraph(message("receipts_chosen", is_quiet=event.value))
        case "reminders":
            return paragraph(message("reminders_chosen", is_quiet=event.value))
        case "holiday":
            return paragraph(message("holiday_chosen", announces=event.value))
        case "language":
            return paragraph(message("language_chosen", language=event.value))
        case "zone":
            chosen = event.value
            assert isinstance(chosen, str | None)
            zone, is_known = str(tzinfo_of(chosen)), chosen is not None
            told = message("zone_told", zone=zone, is_known=is_known, is_chosen=is_chosen(chosen))
            return paragraph(message("zone_chosen"), told)
        case _:
            wording = reader.wording_of(reader.games.default)
            return paragraph(*wording.reads(event.value, is_chosen=True))


def _went_away(event: news.WentAway, _reader: Reader) -> Blocks:
    told = message("went_away", until=event.until, is_day=not isinstance(event.until, datetime))
    return paragraph(told, *days_left(event.left))


def _your_data(event: news.DataSent, _reader: Reader) -> Blocks:
    return *paragraph(message("all_that_is_held")), Code(tuple(event.data.split("\n")))


def _opponent_left(_event: news.OpponentLeft, reader: Reader) -> Blocks:
    ended = paragraph(*outcome(reader)) if reader.has_ended else ()
    return *paragraph(message("opponent_has_left")), *ended


def _opponent_unreachable(_event: news.OpponentUnreachable, reader: Reader) -> Blocks:
    is_invited = reader.game.standing is Standing.INVITED
    return paragraph(message("invitation_came_back" if is_invited else "letters_to_opponent_come_back"))


def _alarm(work: LetterBatch, event: news.OperatorNotified) -> LetterBatch:
    """Tell the operator of a corrupt game."""
    fault = event.fault
    if work.services.operator is None:
        return work
    standing = work.world.games[GameNumber(fault.game)].record.standing
    page = work.services.templates.page(
        "console/alarm.txt", fault=fault, standing=standing, shunted_mails=[event.mail]
    )
    return work.outside_games(
        message("subject_of_alarm", number=fault.game),
        lambda _: (Code(tuple(page.split("\n"))),),
        Mailbox(work.services.operator),
        Style(LetterView.TEXT, ENGLISH),
        Sending(is_urgent=True, purge_after_send=True),
    )


def _broken_over(_event: news.OpponentLeft, game: BrokenGame) -> Blocks:
    """Tell that a corrupt game is over, as the opponent has left."""
    return (*paragraph(message("broken_game_is_over")), *_without_board(game, was_ended=False))


def _broken_ruled(event: news.GameRuled, game: BrokenGame) -> Blocks:
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


def _broken_adjourned(event: news.GameAdjourned, game: BrokenGame) -> Blocks:
    """Tell that a corrupt game is adjourned. If takmail has done it, there is no reason."""
    return (
        *paragraph(message("broken_game_was_adjourned", why=event.why) if event.why else None),
        *paragraph(message("game_is_broken", operator_knows=game.operator_knows)),
        *paragraph(
            message("broken_game_stands_still", is_over=game.is_over),
            message("mails_about_it_are_kept"),
        ),
    )


ROWS: Mapping[type[news.News], Row] = {
    news.NameChosen: Row("named", lambda event, _: paragraph(message("named", name=event.name))),
    news.SettingChosen: Row("setting", _setting_chosen),
    news.WentAway: Row("setting", _went_away),
    news.CameBack: Row("setting", lambda event, _: paragraph(message("came_back"), *days_left(event.left))),
    news.MailStopped: Row("stopped", lambda event, _: paragraph(message("stopped", running=event.running))),
    news.PlayerBlocked: Row("blocked", lambda event, _: paragraph(message("blocked", name=event.name))),
    news.PlayerUnblocked: Row(
        "unblocked",
        lambda event, _: paragraph(message("unblocked", name=event.name, is_changed=event.is_changed)),
    ),
    news.DataSent: Row("mydata", _your_data),
    news.PlayerErased: Row(
        "forgotten",
        lambda event, _: paragraph(message("forgotten", games=event.games, keep_days=event.keep_days)),
    ),
    news.OpponentStoppedMail: Row(tells=says(message("opponent_wants_no_mail"))),
    news.OpponentLeft: Row(tells=_opponent_left, without_board=_broken_over),
    news.OpponentUnreachable: Row(tells=_opponent_unreachable),
    news.GameAdjourned: Row(tells=says(message("game_was_adjourned")), without_board=_broken_adjourned),
    news.GameResumed: Row(tells=lambda event, _: paragraph(message("game_was_resumed", why=event.why))),
    news.GameRuled: Row(tells=lambda _, reader: paragraph(*outcome(reader)), without_board=_broken_ruled),
    news.OperatorNotified: Row(writes=_alarm),
}
"""Rows of news about players, and about what the operator decides."""
