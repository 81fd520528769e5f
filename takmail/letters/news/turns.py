"""Tell turns, that one is taken back or the game given up, and what was found in turns.

That is in reviews of finished games, and in hints.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from takmail.blocks import Block, Blocks, Code, Drawing, Message, buttons, message, only_text, paragraph
from takmail.commands.series_games import GIVE_UP
from takmail.commands.view import look
from takmail.games.thinking import Finding, Hint, Reviewer
from takmail.letters.answers.game import ask_resign
from takmail.letters.batch import LetterBatch
from takmail.letters.letter import Sending
from takmail.letters.news.row import Row, is_yours, question_of
from takmail.letters.passages.ending import outcome
from takmail.letters.passages.turns import board_in_text, board_rows, hint_missed, move_played, way_back
from takmail.letters.reader import Reader
from takmail.world import LetterPurpose, TaskKind, events


def _played(event: events.TurnPlayed, reader: Reader) -> Blocks:
    return _you_play(event, reader) if is_yours(event, reader) else _opponent_plays(event, reader)


def _you_play(event: events.TurnPlayed, reader: Reader) -> Blocks:
    view, turn = reader.game, event.turn
    is_last = view.is_open and not view.is_relay and turn.number == view.turns
    return (
        *paragraph(*move_played(reader, turn)),
        *paragraph(hint_missed(reader)),
        *paragraph(way_back(reader) if is_last and reader.needs_explanations else None),
        *paragraph(*(reader.wording.opening(turn.number) if reader.needs_explanations else ())),
    )


def _opponent_plays(event: events.TurnPlayed, reader: Reader) -> Blocks:
    """Tell a turn. By the book, the line of the turn stands at the top of the text."""
    number = event.turn.number
    lead = () if reader.game.names_turn else (message("your_turn_leads"),)
    return (
        only_text((Code((event.turn.text,)),)),
        *(_receipt(event, reader) if reader.replaces_waiting else ()),
        *(paragraph(*outcome(reader)) if reader.has_ended else ()),
        *paragraph(*lead, *reader.wording.effect(reader.game)),
        *(paragraph(*reader.wording.opening(number)) if reader.needs_explanations else ()),
    )


def _receipt(event: events.TurnPlayed, reader: Reader) -> Blocks:
    """Say what no letter has told: that the reader's turn before this one is played, or that the game begins."""
    game = reader.world.game(event.game)
    if event.turn.number == 1:
        begins = message("joined_game_begins", number=event.game)
        return paragraph(begins, *reader.wording.sides(reader.game), message("bots_lists_others"))
    before = game.played(game.turns[event.turn.number - 2])
    return paragraph(*move_played(reader.seeing(look(game, before.seat, before.number)), before))


def _forwarded(event: events.TurnForwarded, reader: Reader) -> Blocks:
    """Tell a move that is passed on. If the opponent's crossed it, its sender had not seen that yet."""
    turn, crossed = event.turn, event.crossed
    if not is_yours(event, reader):
        sent = message("opponent_sends_turn", text=turn.text, number=turn.number, written=turn.written)
        return only_text((Code((turn.text,)),)), *paragraph(sent)
    passed_on = message("turn_passed_on", turn=turn.number, text=turn.text)
    other = None if crossed is None else message("turns_crossed", turn=crossed.number, text=crossed.text)
    return paragraph(passed_on, other)


def _taken_back_by_right(event: events.TurnTakenBackByRight, reader: Reader) -> Blocks:
    account, turn = reader.game.shown.account, event.turn
    assert account is not None
    return paragraph(
        message(
            "turn_taken_back_for_coins" if is_yours(event, reader) else "opponent_takes_turn_back",
            turn=turn.number,
            text=turn.text,
            price=account.take_back_price,
        )
    )


def _resigned(event: events.Resigned, reader: Reader) -> Blocks:
    if not is_yours(event, reader):
        return paragraph(*outcome(reader))
    # An answer that tells the end begins with it.
    return () if reader.has_ended else paragraph(message("resigned"))


def _is_turn_meant(event: events.TurnConfirmationAsked, reader: Reader) -> Blocks:
    """Ask whether a move is meant, for the reason that the game gives."""
    is_as_typed = event.text == event.question.words.lower()
    head = message("not_done_yet") if is_as_typed else message("not_done_yet_with", text=event.text)
    return (
        *paragraph(head, *reader.wording.reason(event.reason), message("yes_plays_turn")),
        buttons((message("i_play_it"), "yes"), (message("i_play_another"), "no")),
    )


def _write_review(batch: LetterBatch, event: events.GameReviewed) -> LetterBatch:
    """Write the letter with a review. The record of a game that was reviewed as a whole has marks and comments."""
    game, review = batch.world.game(event.game), event.review
    record = ""
    if review is not None and event.turn is None and isinstance(game.rules, Reviewer):
        record = game.rules.annotated(game.game_record(), [review])
    make = partial(_review, event)
    return batch.in_game(make, game, event.seat, Sending(LetterPurpose.NEWS), record=record)


def _review(event: events.GameReviewed, reader: Reader) -> Blocks:
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
            message("review_is_in_record") if findings and reader.attached.record is not None else None,
        ),
    )


def _heading(event: events.GameReviewed, count: int) -> Message:
    if event.turn is not None:
        return message("review_of_turn" if count else "nothing_proven_about_turn", turn=event.turn)
    return message("review_begins", count=count) if count else message("review_has_nothing")


def _finding(reader: Reader, event: events.GameReviewed, finding: Finding) -> Iterator[Block]:
    """Yield what was possible, the board before the turn, and then the answer."""
    game, you = reader.world.game(event.game), event.seat
    is_yours = finding.seat == you
    before = reader.seeing(look(game, you, finding.turn - 1))
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


def _end(event: events.EndReviewed, reader: Reader) -> Blocks:
    """Tell the end of the game, by the turn that led to it if one did, and what was worth most."""
    game, seen, finding = reader.world.game(event.game), reader.game, event.finding
    last = game.played(game.turns[-1])
    told = move_played(reader, last) if last.seat == seen.you else reader.wording.effect(seen)
    by_turn = paragraph(*told) if game.state.result is not None else ()
    if finding is None:
        return (*paragraph(*outcome(reader)), *by_turn)
    missed = reader.wording.finding(finding, seen.you)[:1]
    return (
        *paragraph(*outcome(reader)),
        *by_turn,
        *paragraph(message("turn_worth_most", turn=finding.turn), *missed),
    )


def _write_hint(batch: LetterBatch, event: events.HintGiven) -> LetterBatch:
    make, sending = partial(_hint, event), Sending(LetterPurpose.NEWS, tells_thought=True)
    return batch.in_game(make, batch.world.game(event.game), event.seat, sending)


def _hint(event: events.HintGiven, reader: Reader) -> Blocks:
    """Say where to look, or which turn to play, and mark it on the board."""
    if event.hint is None:
        return paragraph(message("hint_failed"))
    where, turn = reader.wording.hint(event.hint), event.hint.turn
    board = _marked_board(event, event.hint, reader)
    if event.is_whole:
        return (*paragraph(where[0], message("hint_turn", text=turn)), *board, buttons((turn, turn)))
    return (
        *paragraph(*where),
        *board,
        *paragraph(message("hint_can_be_whole"), message("hints_left", count=event.left)),
        buttons((message("label_hint"), "hint")),
    )


def _marked_board(event: events.HintGiven, hint: Hint, reader: Reader) -> Blocks:
    game = reader.world.game(event.game)
    assert isinstance(game.rules, Reviewer)
    grid = game.rules.hint_board(game.state, hint, is_whole=event.is_whole)
    return Drawing("marked board", (reader.game, grid)), only_text(board_in_text(reader))


def _thought_asked(event: events.ThoughtAsked, reader: Reader) -> Blocks:
    """Say that a review or a hint comes. A hint is of no use any more once the move is made."""
    if event.kind is TaskKind.REVIEW:
        return paragraph(message("review_comes"))
    return paragraph(message("hint_comes" if reader.game.your_turn else "hint_too_late"))


ROWS: Mapping[type[events.Event], Row] = {
    events.TurnPlayed: Row("turn", _played, place=0, is_plain_turn=lambda _: True, may_end_game=True),
    events.TurnForwarded: Row(
        "relay_turn",
        _forwarded,
        place=1,
        is_plain_turn=lambda event: event.crossed is None,
        may_end_game=True,
    ),
    events.LastTurnTakenBack: Row(
        "taken_back",
        lambda event, _: paragraph(
            message("turn_taken_back_unsent", turn=event.turn.number, text=event.turn.text)
        ),
    ),
    events.TurnTakenBackByRight: Row("taken_back_by_right", _taken_back_by_right),
    events.TurnConfirmationAsked: Row("ask_turn", _is_turn_meant, asks=question_of),
    events.ResignationAsked: Row(
        "ask_resign",
        lambda event, reader: ask_resign(reader, is_of_match=event.question.words == GIVE_UP),
        asks=question_of,
    ),
    events.Resigned: Row("resigned", _resigned, may_end_game=True),
    events.ThoughtAsked: Row("thought_asked", _thought_asked),
    events.GameReviewed: Row(writes=_write_review),
    events.EndReviewed: Row(may_end_game=True, tells=_end),
    events.HintGiven: Row(writes=_write_hint),
}
"""Rows of turns, reviews and hints."""
