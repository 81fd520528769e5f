"""Make the letter that tells a player the news of a game."""

from collections.abc import Sequence

from takmail.blocks import Blocks
from takmail.letters.kinds.answers import game_score, now
from takmail.letters.news_blocks import NEWS
from takmail.letters.parts.below import below
from takmail.letters.parts.ending import coins, play_again, record
from takmail.letters.parts.mail import address_was_read, opponents_words
from takmail.letters.parts.next_steps import next_steps
from takmail.letters.parts.proposals import proposed_boards
from takmail.letters.reader import GameLetter
from takmail.letters.shown_parts import ShownParts
from takmail.world import Standing, news

_EXPLAINED_TURNS = 4
"""The number of turns at the beginning of a player's first game after which the letters of the board are explained."""


def news_letter(letter: GameLetter, told: Sequence[news.GameNews], shown: ShownParts) -> Blocks:
    """Tell news of a game, and how it stands now."""
    reader, seen = letter.reader, letter.reader.game
    blocks: Blocks = ()
    for event in told:
        blocks += NEWS[type(event)](event, reader, event is told[0])
    return (
        *blocks,
        *address_was_read(letter.was_read),
        *opponents_words(letter.heard),
        *(now(reader, shown) if shown.game and seen.has_begun else ()),
        *(coins(reader) if shown.game or seen.standing is not Standing.OVER else ()),
        *proposed_boards(reader),
        *next_steps(reader),
        *play_again(reader),
        *(game_score(letter) if shown.game else ()),
        *(below(reader, explains_board=seen.turn <= _EXPLAINED_TURNS) if shown.game else ()),
        *(record(reader, letter.attached) if shown.game else ()),
    )
