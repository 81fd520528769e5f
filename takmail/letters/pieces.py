"""Tell what became of one part of a mail about several games: a piece of the letter that answers all of it."""

from dataclasses import replace

from takmail.blocks import Blocks, Small, buttons, message, paragraph
from takmail.commands.answers import Shows
from takmail.letters.batch import LetterBatch
from takmail.letters.contents import MailAnswer, answers_told, is_receipt
from takmail.letters.letter import Sending
from takmail.letters.news.rows import shows
from takmail.letters.passages.terms import heading
from takmail.letters.passages.turns import board, hint_missed, move_played
from takmail.letters.passages.words import address_was_read, opponents_words
from takmail.letters.reader import Correspondent, Reader
from takmail.world import LetterPurpose


def with_piece(batch: LetterBatch, writer: Correspondent, told: MailAnswer, *, asks: bool) -> LetterBatch:
    """Add what the answer to all parts of a mail tells of this one, as a letter that is never sent by itself."""
    sending, claim = Sending(LetterPurpose.PIECE, writer, asks, is_piece=True), batch.claim
    if claim is None:
        subject = message("subject_of_answer")
        return batch.to_sender(subject, lambda reader: _piece(told.heard_by(reader), told), sending)
    make = _piece_of_turn if is_receipt(batch.result, writer) else _piece
    game = batch.world.game(claim.game)
    return batch.with_waiting_chat(
        lambda reader: make(told.heard_by(reader), told), game, claim.seat, sending, has_ended=False
    )


def _piece(reader: Reader, told: MailAnswer) -> Blocks:
    """Tell what became of a part. Where something was not done, the board shows what can be done now."""
    if reader.view is None:
        return answers_told(reader, told)
    assert reader.answering is not None
    has_erred, game = reader.answering.has_erred, reader.game.game.record
    reader = replace(reader, answering=replace(reader.answering, is_part=True))
    shown = {shows(reported.answer) for reported in told.reports}
    has_board = reader.game.has_begun and (has_erred or bool(shown & {Shows.BOARD, Shows.COMPARISON}))
    can_play = has_erred and reader.game.your_turn and reader.game.is_open
    return (
        Small(heading(reader, game)),
        *answers_told(reader, told),
        *address_was_read(reader),
        *opponents_words(reader),
        *(board(reader) if has_board else ()),
        *paragraph(message("play_below_heading", number=game.number) if can_play else None),
        *((buttons((message("label_board"), "rs")),) if has_erred else ()),
    )


def _piece_of_turn(reader: Reader, _told: MailAnswer) -> Blocks:
    """Tell that a turn was played by a part that has nothing else."""
    turn = reader.game.last_turns[-1]
    played = (message("turn_passed_on", turn=turn.number, text=turn.text),)
    sentences = played if reader.game.is_relay else move_played(reader, turn)
    return (
        Small(heading(reader, reader.game.game.record)),
        *paragraph(*sentences, hint_missed(reader)),
    )
