"""Tell turns, that one is taken back or the game given up, and what was found in turns.

That is in reviews of finished games, and in hints.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from takmail.blocks import Block, Blocks, Code, Drawing, Message, buttons, message, only_text, paragraph
from takmail.commands.view import look
from takmail.games.thinking import Finding, Reviewer
from takmail.letters.answers.game import ask_resign
from takmail.letters.batch import LetterBatch
from takmail.letters.letter import Sending
from takmail.letters.news.row import Row, says
from takmail.letters.parts.ending import outcome
from takmail.letters.parts.offers import lapsed_offers
from takmail.letters.parts.turns import board_rows, move_played, way_back
from takmail.letters.reader import Reader
from takmail.world import LetterPurpose, Standing, TaskKind, news

_EXPLAINED_TURNS = 3
"""The number of turns at the beginning of a game about which a game may explain something."""


def _you_play(event: news.TurnPlayed, reader: Reader) -> Blocks:
    view, turn = reader.game, event.turn
    is_last = view.standing is Standing.OPEN and not view.is_relay and turn.number == view.turns
    return (
        *paragraph(*move_played(reader, turn)),
        *paragraph(way_back(reader) if is_last else None),
        *paragraph(*reader.wording.opening(turn.number)),
        *lapsed_offers(reader, event.lapsed),
    )


def _opponent_plays(event: news.TurnPlayed, reader: Reader) -> Blocks:
    """Tell a turn. By the book, the line of the turn stands at the top of the text."""
    number = event.turn.number
    return (
        only_text((Code((event.turn.text,)),)),
        *(_receipt(event, reader) if reader.replaces_waiting else ()),
        *(paragraph(*outcome(reader)) if reader.has_ended else ()),
        *paragraph(*reader.wording.effect(reader.game)),
        *(paragraph(*reader.wording.opening(number)) if number <= _EXPLAINED_TURNS else ()),
        *lapsed_offers(reader, event.lapsed),
    )


def _receipt(event: news.TurnPlayed, reader: Reader) -> Blocks:
    """Say what no letter has told: that the reader's turn before this one is played, or that the game begins."""
    table = reader.world.games[event.game]
    if event.turn.number == 1:
        begins = message("joined_game_begins", number=event.game)
        return paragraph(begins, *reader.wording.sides(reader.game), message("bots_lists_others"))
    before = table.played(table.turns[event.turn.number - 2])
    return paragraph(*move_played(reader.seeing(look(table, before.seat, before.number)), before))


def _you_send(event: news.TurnForwarded, reader: Reader) -> Blocks:
    """Answer a move that is passed on. If the opponent's crossed it, the sender had not seen that yet."""
    turn, crossed = event.turn, event.crossed
    passed_on = message("turn_passed_on", turn=turn.number, text=turn.text)
    other = None if crossed is None else message("turns_crossed", turn=crossed.number, text=crossed.text)
    return (*paragraph(passed_on, other), *lapsed_offers(reader, event.lapsed))


def _opponent_sends(event: news.TurnForwarded, reader: Reader) -> Blocks:
    turn = event.turn
    told = message("opponent_sends_turn", text=turn.text, number=turn.number, written=turn.written)
    return only_text((Code((turn.text,)),)), *paragraph(told), *lapsed_offers(reader, event.lapsed)


def _you_take_back_by_right(event: news.TurnTakenBackByRight, reader: Reader) -> Blocks:
    account, turn = reader.game.account, event.turn
    assert account is not None
    taken_back = message(
        "turn_taken_back_for_coins", turn=turn.number, text=turn.text, price=account.take_back_price
    )
    return (*paragraph(taken_back), *lapsed_offers(reader, event.lapsed))


def _opponent_takes_back(event: news.TurnTakenBackByRight, reader: Reader) -> Blocks:
    account, turn = reader.game.account, event.turn
    assert account is not None
    taken_back = message(
        "opponent_takes_turn_back", turn=turn.number, text=turn.text, price=account.take_back_price
    )
    return (*paragraph(taken_back), *lapsed_offers(reader, event.lapsed))


def _is_turn_meant(event: news.TurnConfirmationAsked, reader: Reader) -> Blocks:
    """Ask whether a move is meant, for the reason that the game gives."""
    is_as_typed = event.text == event.question.words.lower()
    head = message("not_done_yet") if is_as_typed else message("not_done_yet_with", text=event.text)
    return (
        *paragraph(head, *reader.wording.reason(event.reason), message("yes_plays_turn")),
        buttons((message("i_play_it"), "yes"), (message("i_play_another"), "no")),
    )


def _write_review(batch: LetterBatch, event: news.GameReviewed) -> LetterBatch:
    """Write the letter with a review. The record of a game that was reviewed as a whole has marks and comments."""
    table, review = batch.world.games[event.game], event.review
    record = ""
    if review is not None and event.turn is None and isinstance(table.rules, Reviewer):
        record = table.rules.annotated(table.game_record(event.seat), [review])
    make = partial(_review, event)
    return batch.in_game(make, table, event.seat, Sending(LetterPurpose.NEWS), record=record)


def _review(event: news.GameReviewed, reader: Reader) -> Blocks:
    review = event.review
    if review is None:
        return paragraph(message("review_failed"))
    # In the order of play, each can be followed from those before it.
    in_order = sorted(review.findings, key=lambda finding: finding.turn)
    findings = tuple(block for finding in in_order for block in _finding(reader, event, finding))
    orientation = paragraph(*reader.wording.orientation) if findings else ()
    return (
        *paragraph(_heading(event, len(review.findings))),
        *findings,
        only_text(orientation),
        *paragraph(
            message("review_looked", within=review.within, is_complete=review.is_complete),
            message("review_is_in_record") if findings and reader.record_file is not None else None,
        ),
    )


def _heading(event: news.GameReviewed, count: int) -> Message:
    if event.turn is not None:
        return message("review_of_turn" if count else "nothing_proven_about_turn", turn=event.turn)
    return message("review_begins", count=count) if count else message("review_has_nothing")


def _finding(reader: Reader, event: news.GameReviewed, finding: Finding) -> Iterator[Block]:
    """Yield what was possible, the board before the turn, and then the answer."""
    table, you = reader.world.games[event.game], event.seat
    is_yours = finding.seat == you
    before = reader.seeing(look(table, you, finding.turn - 1))
    yield from paragraph(message("finding_of_turn", turn=finding.turn))
    yield from paragraph(*reader.wording.finding(finding, you))
    yield from paragraph(message("finding_board", turn=finding.turn, is_yours=is_yours))
    yield Drawing("board", before.game)
    yield only_text((board_rows(before),))
    better = message("finding_better", turns=finding.better) if finding.better else None
    line = message("finding_line", turns=finding.line) if len(finding.line) > 1 else None
    # The line goes on either from what was played, or from what was better.
    following = (line, better) if finding.played in finding.line[:1] else (better, line)
    yield from paragraph(message("finding_played", text=finding.played, is_yours=is_yours), *following)


def _end(event: news.EndReviewed, reader: Reader) -> Blocks:
    """Tell the end of the game, by the turn that led to it if one did, and what was worth most."""
    table, seen, finding = reader.world.games[event.game], reader.game, event.finding
    last = table.played(table.turns[-1])
    told = move_played(reader, last) if last.seat == seen.you else reader.wording.effect(seen)
    by_turn = paragraph(*told) if table.state.result is not None else ()
    if finding is None:
        return (*paragraph(*outcome(reader)), *by_turn)
    missed = reader.wording.finding(finding, seen.you)[:1]
    return (
        *paragraph(*outcome(reader)),
        *by_turn,
        *paragraph(message("turn_worth_most", turn=finding.turn), *missed),
    )


def _write_hint(batch: LetterBatch, event: news.HintGiven) -> LetterBatch:
    make = partial(_hint, event)
    return batch.in_game(make, batch.world.games[event.game], event.seat, Sending(LetterPurpose.NEWS))


def _hint(event: news.HintGiven, reader: Reader) -> Blocks:
    """Say where to look, or which turn to play."""
    if event.hint is None:
        return paragraph(message("hint_failed"))
    where, turn = reader.wording.hint(event.hint), event.hint.turn
    if event.is_whole:
        return (*paragraph(where[0], message("hint_turn", text=turn)), buttons((turn, turn)))
    return (
        *paragraph(*where),
        *paragraph(message("hint_can_be_whole"), message("hints_left", count=event.left)),
        buttons((message("label_hint"), "hint")),
    )


ROWS: Mapping[type[news.News], Row] = {
    news.TurnPlayed: Row("turn", _you_play, _opponent_plays),
    news.TurnForwarded: Row("relay_turn", _you_send, _opponent_sends),
    news.TurnRepeated: Row(
        "already_played",
        lambda event, _: paragraph(
            message("move_already_played", turn=event.turn.number, text=event.turn.text)
        ),
    ),
    news.LastTurnTakenBack: Row(
        "taken_back",
        lambda event, _: paragraph(
            message("turn_taken_back_unsent", turn=event.turn.number, text=event.turn.text)
        ),
    ),
    news.TurnTakenBackByRight: Row("taken_back_by_right", _you_take_back_by_right, _opponent_takes_back),
    news.TurnConfirmationAsked: Row("ask_turn", _is_turn_meant, is_asked_in_answer=True),
    news.ResignationAsked: Row("ask_resign", lambda _, reader: ask_resign(reader), is_asked_in_answer=True),
    news.Resigned: Row("resigned", says(message("resigned")), lambda _, reader: paragraph(*outcome(reader))),
    news.ThoughtAsked: Row(
        "thought_asked",
        lambda event, _: paragraph(
            message("review_comes" if event.kind is TaskKind.REVIEW else "hint_comes")
        ),
    ),
    news.GameReviewed: Row(writes=_write_review),
    news.EndReviewed: Row(tells=_end),
    news.HintGiven: Row(writes=_write_hint),
}
"""Rows of news about turns, reviews and hints."""
