"""No word of the command grammar hides a move of a game."""

from itertools import cycle

import pytest

from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.line_reader import in_game
from takmail.commands.grammar.normalize import STOPS
from takmail.commands.grammar.understand import understand
from takmail.games.interface import NearMiss, ReadTurn
from takmail.games.registry import GAMES
from takmail.games.tak.game import TakGame
from takmail.games.tak.moves import legal_moves
from takmail.games.tak.notation import mail
from takmail.games.tak.state import TakState
from takmail.limits.words import MAX_LINE_CHARS, MAX_LINES
from tests.commands.grammar.reading import ASKED
from tests.support.tables import each_row
from tests.support.tak import wander
from tests.support.width import IS_WIDE, combined

TAK = TakGame()


FORMS = [f"{above}{line}" for above in ("", "Hello,\n") for line in ("{}", "{} t", "/{}")]
"""How a move may be written, in small letters and in capitals."""


@pytest.mark.parametrize(("size", "plies"), combined(range(3, 9), [0, 1, 2, 12, 40]))
def test_every_legal_move_is_read_as_that_move(size: int, plies: int) -> None:
    """Each move is tried in all forms in `make test-all`, and in one of them in `make test`."""
    position = wander(size, seed=plies, plies=plies)
    reader = in_game(GAMES, COMMANDS, TAK, TakState(position))
    forms = cycle(FORMS)
    for number, move in enumerate(legal_moves(position)):
        text = mail.write(position.board, move)
        for form in FORMS if IS_WIDE else [next(forms)]:
            for line in (text, text.upper()) if IS_WIDE else [(text, text.upper())[number % 2]]:
                [order] = understand(form.format(line), reader, expected=ASKED).orders
                assert isinstance(order.arguments, Play), line
                assert order.arguments.text.removesuffix(" t") == text


@each_row(
    "word",
    [
        *COMMANDS.words,
        "yes",
        "no",
        "ok",
        *STOPS,
    ],
)
def test_no_word_of_the_service_is_meant_as_a_move(word: str) -> None:
    for size in range(3, 9):
        reading = TakState(wander(size, seed=1, plies=20)).read(word)
        assert not isinstance(reading, ReadTurn | NearMiss)


def test_what_stands_below_thousands_of_lines_is_words() -> None:
    state = TakState(wander(5, seed=1, plies=0))
    below = understand("Hello\n" * (MAX_LINES - 1) + "ps a1\nps b2", in_game(GAMES, COMMANDS, TAK, state))
    assert [order.line for order in below.orders] == ["ps a1"]
    assert below.chat.endswith("\nps b2")


def test_a_line_of_a_whole_book_is_no_command() -> None:
    state = TakState(wander(5, seed=1, plies=0))
    book = "im " + "x" * MAX_LINE_CHARS
    assert (
        understand(f"{book}\nps a1\nyes", in_game(GAMES, COMMANDS, TAK, state), expected=ASKED).chat
        == f"{book}\nyes"
    )
