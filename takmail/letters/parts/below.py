"""The small print below a letter about a game: the last turns, what the board means, and what can always be written."""

from takmail.blocks import Blocks, Indented, Message, Rule, message, only_html, only_text, paragraph
from takmail.letters.parts.terms import title_of
from takmail.letters.parts.touch import can_always_be_touched
from takmail.letters.parts.turns import played
from takmail.letters.reader import Reader
from takmail.world import Standing


def below(reader: Reader, *, explains_board: bool = False, shows_step: bool = False) -> Blocks:
    """Return what stands below the line, which only a game that has begun has.

    `explains_board`: the letters or the pictures of the board are explained to whoever plays for the first time.
    `shows_step`: it says by what two people see that they have the same board.
    """
    seen = reader.game
    if not seen.has_begun:
        return ()
    explained = explains_board and seen.is_first_game and not seen.is_relay
    return (
        Rule(),
        *(in_step(reader) if shows_step else ()),
        *last_turns(reader),
        *(_explained_board(reader) if explained else ()),
        only_text(paragraph(_always(reader), _other_words(reader))),
        can_always_be_touched(reader),
        only_html(paragraph(_if_invalid(reader), _other_words(reader))),
    )


def in_step(reader: Reader) -> Blocks:
    """Say by what two people see that they have the same board."""
    seen = reader.game
    title = title_of(reader, seen)
    mover = "you" if seen.to_move == seen.you else "opponent"
    if seen.is_current:
        is_over = seen.standing is Standing.OVER
        played = message(
            "turns_played_so_far", title=title, turns=seen.turn, next="over" if is_over else mover
        )
    else:
        played = message("turns_played_then", title=title, turns=seen.turn, next=mover)
    same = message("checksum_is", checksum=seen.checksum)
    return (*paragraph(played, same), *reader.wording.position(seen))


def last_turns(reader: Reader) -> Blocks:
    """List the last turns."""
    turns = reader.game.last_turns
    if not turns:
        return ()
    return (*paragraph(message("last_turns_are")), Indented(tuple(map(played, turns))))


def _explained_board(reader: Reader) -> Blocks:
    legend = paragraph(*reader.wording.legend(reader.game.you))
    return only_text(legend), only_html(paragraph(*reader.wording.pieces))


def _always(reader: Reader) -> Message:
    seen = reader.game
    if seen.standing is not Standing.OPEN:
        return message("always_without_moves")
    if seen.is_relay:
        return message("always_in_relay")
    return message("always_in_game", can_offer_draw=seen.can_offer_draw)


def _if_invalid(reader: Reader) -> Message | None:
    seen = reader.game
    asks = seen.standing is Standing.OPEN and not seen.is_relay
    return message("if_a_move_seems_invalid") if asks else None


def _other_words(reader: Reader) -> Message | None:
    return None if reader.opponent_left else message("other_words_go_to_opponent")
