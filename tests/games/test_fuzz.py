"""For any input, reading raises nothing, and the codecs raise only their own error."""

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from takmail.games.interface import NearMiss, ReadTurn, Refused
from takmail.games.tak.notation import mail, ptn, rs, tps
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.ptn_game import PtnGame, parse_games, read_games
from takmail.games.tak.replay import replay
from takmail.games.tak.state import TakState
from tests.support.examples import examples
from tests.support.tak import start, state, wander

PARTS = 4  # so that the parts are spread over the cores
LINES_OF_AN_EXAMPLE = 50
EXAMPLES = examples(15, 500)  # this makes 100,000 lines in `make fuzz`
WORD_TEXT = """
    ps pw pc pz p mn ms me mw mx m ptn move psb4 msb2 b4 a1 e5 z9 b44 a b 4 4b b2p3
    0 1 2 3 9 21 111 00 p1 p2 p3 p0 g2 p13 p99 p321 t (t) tak tak! #1 #99 #0
    3b4-21 Cc3 c3> too see you ok? . , ! — ² ٣ ſ İ рs а4 ' " * [ ] { }
"""
WORDS = WORD_TEXT.split()

STATES = (
    start(3),
    start(5),
    state("x5/x,21211,x3/x5/x3,1,x/12,x3,2S 1 12"),
    state("1,1,1/x3/2,2,x 2 4"),
    TakState(wander(8, 1, 90)),
)


def codecs(line, board):
    """Return every codec, as a call without arguments."""
    return (
        lambda: mail.parse(board, line),
        lambda: ptn.parse_ply(board, line),
        lambda: tps.parse(line),
        lambda: rs.parse(line.split("/"), 7),
        lambda: parse_games(line),
        lambda: parse_games(f'[Size "5"] {line}'),
    )


def raises_only_its_own(call):
    with suppress(NotationError):
        call()


def is_a_reading(game, line):
    reading = game.read(line)
    match reading:
        case None:
            pass
        case ReadTurn(text, number):
            mail.parse(game.position.board, text)
            assert game.read(text) == ReadTurn(text)
            assert number is None or number >= 0
        case NearMiss(reason, fixes):
            assert reason.name
            for fix in fixes:
                assert isinstance(game.read(fix), ReadTurn), (line, fix)
        case _:
            raise AssertionError(f"{line!r} gave {reading!r}")
    return reading


words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8)
moves = st.builds("p{} {}{}".format, *map(st.sampled_from, ("swc", "abc", "123")))
near_misses = st.sampled_from(("ps a9", "pz a1", "ms a1 p2 1"))
"""The possible lines of both are so few that every run draws some of them, so each kind of reading occurs."""
texts_like_a_line = st.one_of(
    moves,
    near_misses,
    words.map(" ".join),
    words.map("".join),
    st.text("psmnwetcg 12345abcde#.,-:()", max_size=24),
    st.text("12xSC,/ 1345678", max_size=30),
    st.text("swcSWC0 /", max_size=24),
    st.text(max_size=24),
)


@pytest.mark.many
@pytest.mark.parametrize("part", range(PARTS))
def test_of_many_lines_none_raises_more_than_the_notations_own_error(part):  # noqa: ARG001
    kinds = Counter()

    # Each run draws different lines. A failure prints the line and the @reproduce_failure that repeats it.
    @settings(
        max_examples=EXAMPLES,
        derandomize=False,
        database=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(st.lists(texts_like_a_line, min_size=LINES_OF_AN_EXAMPLE, max_size=LINES_OF_AN_EXAMPLE))
    def none_raises(lines):
        for number, line in enumerate(lines):
            game = STATES[number % len(STATES)]
            kinds[type(is_a_reading(game, line))] += 1
            for call in codecs(line, game.position.board):
                raises_only_its_own(call)

    none_raises()
    assert kinds.total() >= EXAMPLES * LINES_OF_AN_EXAMPLE
    assert set(kinds) == {type(None), ReadTurn, NearMiss}


@given(st.text(max_size=60), st.sampled_from(STATES))
def test_any_text_is_read_without_an_exception(line, game):
    is_a_reading(game, line)
    for call in codecs(line, game.position.board):
        raises_only_its_own(call)


@given(st.text("12xSC,/ 1345678", max_size=60))
def test_any_text_like_tps_is_read_or_refused(text):
    raises_only_its_own(lambda: tps.parse(text))


@given(st.lists(st.text("swcSWC0 x", max_size=12), max_size=9))
def test_any_lines_like_a_board_are_read_or_refused(lines):
    raises_only_its_own(lambda: rs.parse(lines, 9))


@given(st.text('[]{}"\\ 1.ab-+*\nSize5R0', max_size=80))
def test_any_text_like_a_game_is_read_or_refused(text):
    raises_only_its_own(lambda: parse_games(text))
    raises_only_its_own(lambda: parse_games(f'[Size "5"]\n{text}'))


@given(st.text(max_size=30) | st.text("psmnwetc 12345abcde", max_size=20), st.sampled_from(STATES))
def test_any_text_is_played_or_refused(text, game):
    with suppress(Refused):
        assert game.play(text).turns == game.turns + 1


def test_very_long_lines_are_chat():
    for line in ("ps " * 100_000, "9" * 100_000, "p" * 100_000, "ms b2 " + "9" * 100_000):
        assert start(5).read(line) is None


@given(st.text('[]{}"\\ 1.ab-+*\nSize3R0', max_size=80))
def test_any_text_like_games_is_read_and_played_without_an_error(text):
    for game in read_games(f'[Size "3"]\n1. a1 {text}'):
        if isinstance(game, PtnGame):
            assert replay(game).plies <= len(game.plies)
