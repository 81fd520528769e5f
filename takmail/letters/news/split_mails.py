"""Tell what became of the parts of a mail about several games, in one letter to its sender."""

from collections.abc import Mapping
from typing import NamedTuple

from takmail.blocks import Blocks, Message, RenderedPiece, message, paragraph
from takmail.letters.batch import LetterBatch
from takmail.letters.letter import Sending
from takmail.letters.news.row import Row
from takmail.letters.reader import style_of
from takmail.limits.mails import MAX_PARTS
from takmail.world import LetterPurpose, events
from takmail.world.split_mails import HandledPart


def _answer(batch: LetterBatch, event: events.PartsAnswered) -> LetterBatch:
    player = batch.world.owner(event.address)
    mailbox = None if player is None else player.mailbox(event.address)
    is_silent = not (event.waiting or event.left_out or event.has_idle_words) and all(
        map(_is_withheld, event.handled)
    )
    if mailbox is None or is_silent:
        return batch
    counted = _counted(event)
    return batch.outside_games(
        message("subject_of_parts", moves=counted.moves, failed=counted.failed),
        lambda _: _blocks(event),
        mailbox,
        style_of(batch.services, player),
        Sending(LetterPurpose.SURE),
        thread=event.thread,
    )


class _Counted(NamedTuple):
    """How many turns and other parts were done, and how many parts were not."""

    moves: int
    others: int
    failed: int


def _counted(event: events.PartsAnswered) -> _Counted:
    pieces = [part.piece for part in event.handled]
    return _Counted(
        moves=sum(piece.turns for piece in pieces if piece is not None),
        others=sum(piece is not None and not (piece.turns or piece.has_failed) for piece in pieces),
        failed=sum(piece is None or piece.has_failed for piece in pieces),
    )


def _blocks(event: events.PartsAnswered) -> Blocks:
    waiting = tuple(part.game for part in event.waiting if part.game is not None)
    told = tuple(block for part in event.handled for block in _told(part))
    return (
        *paragraph(_first_sentence(event)),
        *told,
        *paragraph(_how_to_answer(event)),
        *paragraph(message("words_for_no_game") if event.has_idle_words else None),
        *paragraph(message("parts_wait", games=waiting) if event.waiting else None),
        *paragraph(
            message("parts_left_out", games=event.left_out, most=MAX_PARTS) if event.left_out else None
        ),
    )


def _how_to_answer(event: events.PartsAnswered) -> Message | None:
    """Say how what is asked in a part is answered, as an answer to this letter names no game by itself."""
    open_parts = (part.game for part in event.handled if part.piece is not None and not part.piece.turns)
    number = next((game for game in open_parts if game is not None), None)
    return None if number is None else message("parts_are_answered", number=number)


def _first_sentence(event: events.PartsAnswered) -> Message:
    moves, others, failed = _counted(event)
    return message("parts_told", moves=moves, others=others, failed=failed, is_later=event.is_later)


def _told(part: HandledPart) -> Blocks:
    """Return what became of one part. What has a letter of its own is told there."""
    piece = part.piece
    if piece is None:
        return paragraph(message("part_has_broken", number=part.game))
    if piece.is_withheld:
        return ()
    if piece.is_rejected:
        return paragraph(message("part_not_done", number=part.game))
    if piece.text:
        return (RenderedPiece(piece.text, piece.html),)
    return () if part.game is None else paragraph(message("part_has_own_letter", number=part.game))


def _is_withheld(part: HandledPart) -> bool:
    return part.piece is not None and part.piece.is_withheld


ROWS: Mapping[type[events.Event], Row] = {events.PartsAnswered: Row(writes=_answer)}
