"""Make the letter that asks a player whether a mail in one of their games was theirs."""

from takmail.blocks import Blocks, Quote, message, paragraph
from takmail.letters.parts.below import below
from takmail.letters.parts.board import board
from takmail.letters.parts.ending import coins
from takmail.letters.parts.mail import address_was_read, last_answer
from takmail.letters.parts.offers import offered
from takmail.letters.parts.proposals import proposed_boards
from takmail.letters.parts.touch import yes_or_no
from takmail.letters.reader import GameLetter
from takmail.mail.tokens import FIRST_RENEWED
from takmail.world import LIFETIME, Standing, Table, news


def held(letter: GameLetter, event: news.CommandsHeld, table: Table) -> Blocks:
    """Ask a player whether a mail was theirs.

    Who has never written gets a short letter, as a mail that anybody can write led to it.
    """
    seat = letter.reader.game.you
    has_new_address = table.record.token_numbers[seat] >= FIRST_RENEWED
    come = (
        message("unsure_answer_is_held")
        if event.is_again
        else message("unsure_mail_is_held", has_new_address=has_new_address)
    )
    return (
        *paragraph(come),
        Quote(event.lines_text),
        *paragraph(message("is_held_mail_yours", days=LIFETIME.days)),
        yes_or_no(),
        *address_was_read(letter.was_read),
        *(_game(letter) if table.players[seat].has_written else ()),
        *last_answer(event.last_for),
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
