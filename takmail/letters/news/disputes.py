"""Tell disputes, and the words and boards that the players send each other."""

from collections.abc import Mapping

from takmail.blocks import Blocks, Code, Quote, message, only_html, only_text, paragraph
from takmail.commands.answers import Shows
from takmail.games.wording import Boards, Sentences
from takmail.letters.news.row import Row, is_yours, says
from takmail.letters.passages.turns import not_changed, proof, verdict
from takmail.letters.passages.words import gets_words, said_later
from takmail.letters.reader import Reader
from takmail.world import Verdict, events


def _dispute(event: events.DisputeOpened, reader: Reader) -> Blocks:
    return _you_dispute(event, reader) if is_yours(event, reader) else _opponent_disputes(event, reader)


def _you_dispute(event: events.DisputeOpened, reader: Reader) -> Blocks:
    """Give the verdict on a disputed turn. Where moves are only passed on, there is none."""
    judged = event.verdict
    if judged is None:
        return paragraph(message("dispute_passed_on"))
    told = message("opponent_told_of_dispute", turn=judged.number, is_told=bool(event.readers))
    slip = _slip(reader, judged) if event.turn.seat == reader.game.you else ()
    return (
        *verdict(reader, judged),
        *paragraph(told, not_changed(reader), *slip),
        *proof(reader, judged, is_short=True),
    )


def _slip(reader: Reader, judged: Verdict) -> Sentences:
    """Say that the disputed turn is the reader's own, and how it can be taken back."""
    view, own = reader.game, message("disputed_turn_is_yours", turn=judged.number)
    if not view.is_open:
        return (own,)
    rights = None if view.shown.account is None else view.shown.account.may_take_back
    if judged.number != view.turns or (rights is not None and not rights[view.you]):
        return own, message("go_back_after_slip")
    if view.shown.account is None or rights is None:
        return own, message("undo_slip_if_permitted")
    return own, message("undo_slip_for_coins", price=view.shown.account.take_back_price)


def _opponent_disputes(event: events.DisputeOpened, reader: Reader) -> Blocks:
    """Tell that the opponent thinks a turn invalid, and whether it is. By the book, `im` is the first line, or none."""
    turn, judged = event.turn, event.verdict
    line = _at_the_top(reader, f"im {event.shown_reason}".rstrip())
    if judged is None:
        told = message(
            "opponent_disputes_unjudged_turn",
            number=turn.number,
            text=turn.text,
            name=turn.name,
            is_named=event.is_named,
        )
        return *line, *paragraph(told), *_reason(reader, event.shown_reason)
    is_own = turn.seat != reader.game.you
    return (
        *line,
        *verdict(reader, judged),
        *paragraph(
            message("opponent_disputes_turn", number=judged.number, is_own=is_own), not_changed(reader)
        ),
        *_reason(reader, event.reason),
        *proof(reader, judged, is_short=True),
    )


def _reason(reader: Reader, words: str) -> Blocks:
    """Return the reason of a dispute, which the text has in its first line if the dispute leads the letter."""
    if not words:
        return ()
    return (only_html((Quote(words),)),) if reader.is_at_top else (Quote(words),)


def _board_asked(event: events.BoardAsked, reader: Reader) -> Blocks:
    """Tell who asks for a board. By the book, the opponent's `rs` is the first line of the text, or none."""
    if is_yours(event, reader):
        return paragraph(message("board_asked"))
    asked = paragraph(message("opponent_asks_for_board"), *reader.wording.shape)
    return (*_at_the_top(reader, "rs"), *asked)


def _at_the_top(reader: Reader, line: str) -> Blocks:
    """Return a line by the book, which nobody would read as a message further down in the text."""
    return (only_text((Code((line,)),)),) if reader.is_at_top else ()


def _board_sent(event: events.BoardForwarded, reader: Reader) -> Blocks:
    """Tell which board is passed on. By the book, the opponent's is in the first lines, or none."""
    if is_yours(event, reader):
        told = paragraph(message("relay_board_passed_on", turn=event.turn))
        return (*told, *_two_boards(reader, event, is_received=False))
    told = paragraph(message("opponent_sends_board", turn=event.turn, is_above=reader.is_at_top))
    rows = reader.world.game(event.game).rules.rows(event.board)
    sent = (Code(rows), *told) if reader.is_at_top else (*told, Quote("\n".join(rows)))
    return (*sent, *_two_boards(reader, event, is_received=True))


def _two_boards(reader: Reader, event: events.BoardForwarded, *, is_received: bool) -> Blocks:
    """Say how a board compares with the one that the other player has sent before, if they have sent one.

    `is_received`: the opponent sends the board, and not the reader.
    """
    if event.comparison is None:
        return paragraph(message("send_your_board" if is_received else "boards_compared_later"))
    turn = event.opponents_turn
    assert turn is not None
    sent = message("older_board_sent", turn=turn, is_yours=is_received)
    return (
        *paragraph(sent if turn != event.turn else None),
        *reader.wording.compared(event.comparison, Boards.RECEIVED if is_received else Boards.SENT),
        *paragraph(
            message("replaced_turns_left_out") if event.has_replaced else None,
            message("two_boards_change_nothing"),
        ),
    )


def _said(event: events.ChatSent, reader: Reader) -> Blocks:
    """Quote the reader's words that the opponent gets. The opponent's stand below all that a letter tells."""
    if not is_yours(event, reader):
        return paragraph(message("opponent_has_something_to_say"))
    return (*paragraph(gets_words(reader)), Quote(event.words), *_cut(event))


def _said_later(event: events.ChatQueued, reader: Reader) -> Blocks:
    return (*said_later(reader, event.words), *_cut(event))


def _cut(event: events.Chat) -> Blocks:
    return paragraph(message("words_cut")) if event.is_cut else ()


ROWS: Mapping[type[events.Event], Row] = {
    events.DisputeOpened: Row(
        "dispute",
        _dispute,
        shows=lambda event: Shows.OTHER_BOARD if event.verdict else Shows.NOTHING,
    ),
    events.ChatQueued: Row("said_later", _said_later),
    events.ChatSent: Row("said", _said, is_words=True),
    events.TextRepeated: Row(tells=says(message("opponents_words_repeat"))),
    events.BoardAsked: Row("relay_rs", _board_asked),
    events.BoardForwarded: Row("relay_board", _board_sent, place=2),
}
"""Rows of what the players say and show to each other."""
