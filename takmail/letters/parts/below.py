"""Say what the reader can do next, and what stands below the board."""

from takmail.blocks import Blocks, Indented, Message, Rule, Text, message, only_html, only_text, paragraph
from takmail.games.interface import Seat
from takmail.letters.parts.absence import opponent_is_away
from takmail.letters.parts.clocks import clock_told
from takmail.letters.parts.ending import outcome
from takmail.letters.parts.offers import offered
from takmail.letters.parts.terms import title_of
from takmail.letters.parts.touch import can_always_be_touched, touch
from takmail.letters.parts.turns import played
from takmail.letters.reader import Reader
from takmail.world import Standing


def next_steps(reader: Reader) -> Blocks:
    """Say what the reader can do now, with what can be touched for it."""
    waits = paragraph(*offered(reader), *_disputes(reader)) if reader.game.standing is Standing.OPEN else ()
    return (*waits, *_turn(reader), *opponent_is_away(reader), *touch(reader))


def _turn(reader: Reader) -> Blocks:
    seen, clock = reader.game, clock_told(reader)
    match seen.standing:
        case Standing.OPEN if seen.is_relay:
            turn = message("your_turn_in_relay" if seen.your_turn else "opponents_turn_in_relay")
            return paragraph(turn, *clock)
        case Standing.OPEN if seen.your_turn:
            typed = paragraph(message("your_turn_answer_with_move"), *reader.wording.how(seen))
            return only_text(typed), only_html(paragraph(*reader.wording.touch(seen))), *paragraph(*clock)
        case Standing.OPEN:
            return paragraph(message("opponents_turn"), *clock)
        case Standing.INVITED:
            return paragraph(
                message("opponent_waits_for_your_answer" if seen.is_guest else "opponent_has_not_answered")
            )
        case Standing.BIDDING if seen.bid is None:
            return paragraph(*reader.wording.bid(seen))
        case Standing.BIDDING:
            return paragraph(message("bid_is_hidden", bid=seen.bid))
        case Standing.DECLINED:
            return paragraph(message("game_was_declined"))
        case Standing.ADJOURNED if not seen.why:
            return paragraph(message("game_waits_to_be_mended"))
        case Standing.ADJOURNED:
            return paragraph(message("game_is_adjourned", why=seen.why))
        case Standing.OVER:
            return paragraph(*_is_over(reader))


def _is_over(reader: Reader) -> tuple[Text, ...]:
    """Say that the game is over, and how to play another one like it."""
    seen = reader.game
    ended = () if reader.has_ended else outcome(reader)
    review = (message("review_is_possible"),) if reader.has_reviews and seen.turn else ()
    if reader.opponent_left or seen.has_rematch:
        return (message("game_is_over"), *ended, *review)
    begins = "lot" if seen.has_bids else "you" if seen.you is Seat.SECOND else "opponent"
    return (message("game_is_over"), *ended, message("rematch_is_possible", begins=begins), *review)


def _disputes(reader: Reader) -> tuple[Message, ...]:
    """Say which turns are disputed, and how the game goes on. Where no board is kept, nobody is held up by it."""
    seen = reader.game
    if not seen.disputed or seen.is_relay:
        return ()
    thought = tuple(
        message(
            "you_think_turns_invalid" if seat == seen.you else "opponent_thinks_turns_invalid",
            count=len(turns),
            turns=turns,
        )
        for seat, turns in seen.disputed
    )
    first = min(turns[0] for _, turns in seen.disputed)
    line = f"propose back {first - 1}" if first > 1 else "propose restart"
    return (*thought, message("disputed_game_goes_on", line=line), message("write_or_show_your_board"))


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
    """Say where other words go. A bot reads none: say what can be asked for instead."""
    if reader.plays_bot:
        return message("hint_tells_where") if reader.game.your_turn and reader.has_reviews else None
    return None if reader.opponent_left else message("other_words_go_to_opponent")
