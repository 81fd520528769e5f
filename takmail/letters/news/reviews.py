"""Write the letters with reviews of finished games, and with hints."""

from collections.abc import Iterator, Mapping
from functools import partial

from takmail.blocks import Block, Blocks, Drawing, Message, buttons, message, only_text, paragraph
from takmail.commands.view import look
from takmail.games.thinking import Finding, Reviewer
from takmail.letters.batch import LetterBatch
from takmail.letters.letter import Sending
from takmail.letters.news.row import Row
from takmail.letters.parts.board import board_rows
from takmail.letters.parts.ending import outcome
from takmail.letters.parts.turns import move_played
from takmail.letters.reader import Reader
from takmail.world import LetterPurpose, news
from takmail.world.tasks import TaskKind


def _you_asked(event: news.ThoughtAsked, _reader: Reader) -> Blocks:
    return paragraph(message("review_comes" if event.kind is TaskKind.REVIEW else "hint_comes"))


def _write_review(work: LetterBatch, event: news.GameReviewed) -> LetterBatch:
    """Write the letter with a review. The record of a game that was reviewed as a whole has marks and comments."""
    table, review = work.world.games[event.game], event.review
    record = ""
    if review is not None and event.turn is None and isinstance(table.rules, Reviewer):
        record = table.rules.annotated(table.game_record(event.seat), [review])
    make = partial(_review, event)
    return work.in_game(make, table, event.seat, Sending(LetterPurpose.NEWS), record=record)


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


def _write_hint(work: LetterBatch, event: news.HintGiven) -> LetterBatch:
    make = partial(_hint, event)
    return work.in_game(make, work.world.games[event.game], event.seat, Sending(LetterPurpose.NEWS))


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
    news.ThoughtAsked: Row("thought_asked", _you_asked),
    news.GameReviewed: Row(writes=_write_review),
    news.EndReviewed: Row(tells=_end),
    news.HintGiven: Row(writes=_write_hint),
}
"""Rows of news about reviews and hints."""
