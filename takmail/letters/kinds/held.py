"""Make the letter that asks a player whether a mail in one of their games was theirs."""

from dataclasses import dataclass

from takmail.blocks import Blocks, Quote, message, paragraph
from takmail.letters.parts.below import below
from takmail.letters.parts.board import board
from takmail.letters.parts.ending import coins
from takmail.letters.parts.mail import address_was_read, last_answer
from takmail.letters.parts.offers import offered
from takmail.letters.parts.proposals import proposed_boards
from takmail.letters.parts.touch import yes_or_no
from takmail.letters.reader import GameLetter
from takmail.world import Standing


@dataclass(frozen=True, slots=True)
class HeldWords:
    """What a player is asked about.

    * `words` are those of the mail, and `days` the time within which a `yes` counts
    * `is_again`: an earlier letter asked about them
    * `has_new_address`: the player has got a new reply address at some time
    * `is_stranger`: the player has never written, so the letter is short, as a mail that anybody can write led to it
    * `last_for` is as in `Correspondent`
    """

    words: str
    days: int
    is_again: bool
    has_new_address: bool
    is_stranger: bool
    last_for: str


def held(letter: GameLetter, asked: HeldWords) -> Blocks:
    """Ask a player whether a mail was theirs."""
    come = (
        message("unsure_answer_is_held")
        if asked.is_again
        else message("unsure_mail_is_held", has_new_address=asked.has_new_address)
    )
    return (
        *paragraph(come),
        Quote(asked.words),
        *paragraph(message("is_held_mail_yours", days=asked.days)),
        yes_or_no(),
        *address_was_read(letter.was_read),
        *(() if asked.is_stranger else _game(letter)),
        *last_answer(asked.last_for),
    )


def _game(letter: GameLetter) -> Blocks:
    reader, seen = letter.reader, letter.reader.game
    return (
        *(_boards(letter) if seen.has_begun or not seen.has_bids else ()),
        *(paragraph(*offered(reader)) if seen.standing is Standing.OPEN else ()),
        *below(reader),
    )


def _boards(letter: GameLetter) -> Blocks:
    reader = letter.reader
    return (
        *(paragraph(message("now_the_board_is")) if reader.game.proposed else ()),
        *board(reader),
        *coins(reader),
        *proposed_boards(reader),
    )
