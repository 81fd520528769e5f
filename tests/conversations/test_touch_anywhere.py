"""In every position, links lead to all legal moves, and the letter stays small."""

import re
from dataclasses import replace
from functools import cache

import pytest

from takmail.commands.game.view import View, look
from takmail.games.interface import Seat
from takmail.games.tak.game import TakGame, TakState
from takmail.games.tak.moves import Place, legal_moves
from takmail.games.tak.notation import mail
from takmail.games.tak.position import Position
from takmail.letters.mailto_links import mailto_links
from tests.support.examples import examples
from tests.support.links import links, links_in
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, said
from tests.support.tak import state, vectors, wander

MOST_BYTES = 60_000
ADDRESS = "tak+123456.abcdefghijklmnop@mail.a-club-of-players.example.org"
GENERAL = {"rs", "log", "draw", "resign"}


@pytest.fixture
@cache
def view() -> View:
    """Return a game as Ada sees it, who is to move. Tests replace the position."""
    harness = MemoryHarness()
    harness.begin("8")
    harness.send(ADA, "say " + "and so on " * 350, harness.last(ADA))
    return look(harness.table(), Seat.FIRST)


def page(view: View, position: Position) -> str:
    """Return the HTML side of the letter that asks a player to move in a position."""
    game = TakState(position)
    facts = game.facts()
    shown = replace(view, state=game, facts=facts, board=game.board(), to_move=game.to_move, you=game.to_move)
    return BOTH_SIDES.templates.page_of(
        "resync",
        cid="x@example.org",
        view=shown,
        touch=mailto_links(ADDRESS, "[tak #123456]", 87),
        heard=(),
        words="none",
        words_cut=False,
        last_for="",
        opponent_left=False,
        service="Tak by Mail",
        subject="[tak #123456] Ada - Ben, 8x8",
        match=None,
        game="tak",
    ).html


def firsts(position: Position) -> dict[str, set[str]]:
    """Return the legal first steps, such as `ps b4` and `mn b4`, with the squares of each."""
    found: dict[str, set[str]] = {}
    for move in legal_moves(position):
        text = mail.write(position.board, move)
        found.setdefault(mail.square_name(position.board, move.square), set()).add(text[:5])
    return found


@pytest.mark.many
@pytest.mark.parametrize("size", range(3, 9))
def test_every_first_step_is_in_the_letter_and_every_link_is_legal(view: View, size: int) -> None:
    for seed in range(examples(5, 100)):
        position = wander(size, seed, plies=seed * 6 % 25 * size)
        if position.outcome is not None:
            continue
        html = page(view, position)
        written = {one.words for one in links_in(html)} - GENERAL
        legal = {mail.write(position.board, move) for move in legal_moves(position)}
        asked = {words for words in written if words.startswith("moves ")}
        played = {words.removesuffix(" #87") for words in written - asked}
        assert played <= legal
        assert {text[:5] for text in played} == {
            text for found in firsts(position).values() for text in found
        }
        squares = {text[3:5] for text in legal - played}
        assert {words.removeprefix("moves ") for words in asked} == squares
        assert len(html) < MOST_BYTES


@pytest.mark.many
def test_the_letters_of_recorded_games_stay_small(view: View) -> None:
    games, longest = vectors("games.json"), 0
    for game in games[:: max(1, len(games) // examples(20, 1_000))]:
        now = TakGame().start(str(game["size"]))
        for number, move in enumerate(game["mail"]):
            if number % 16 == 2 or number == len(game["mail"]) - 1:
                longest = max(longest, len(page(view, now.position)))
            now = now.play(move)
    assert 20_000 < longest < MOST_BYTES


def test_the_letter_with_the_most_links_stays_small(view: View) -> None:
    empty = state("x8/x,2,1,x5/x8/x8/x8/x8/x8/x8 1 3").position
    assert len(links_in(page(view, empty))) > 180
    assert 40_000 < len(page(view, empty)) < MOST_BYTES
    checks = "/".join(["1,x,1,x,1,x,1,x", "x,21,x,21,x,21,x,21"] * 4)
    crowded = state(f"{checks} 1 40").position
    assert len([one for one in links_in(page(view, crowded)) if one.words.startswith("moves ")]) == 32
    assert len(page(view, crowded)) < MOST_BYTES


def test_links_are_not_taken_for_shorter_than_they_are(view: View) -> None:
    game = state("x8/x,2,1,x5/x8/x8/x8/x8/x8/x8 1 3")
    cells = re.findall(r'<td bgcolor="#e3ecf6"><a [^>]*%20%2387%0D.*?</td>\n', page(view, game.position))
    links_to = mailto_links(ADDRESS, "[tak #123456]", 87)
    whole = links_to.likely(game.choices())
    assert len(cells) == sum(len(one.turns) for one in whole) > 180
    assert replace(links_to, room=sum(map(len, cells)) - 1).likely(game.choices()) != whole


def test_all_moves_of_the_tallest_stack_are_told_in_a_small_letter() -> None:
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.begin("8")
    harness.play("ps a1", "ps h8")
    position = state("x8/x8/x8/x3,121212121212121,x4/x8/x8/x8/x8 1 30").position
    board = "\n".join(TakState(position).board())
    harness.send(ADA, f"propose board white\n{board}", harness.last(ADA))
    harness.send("ben@example.org", "agree", harness.last("ben@example.org"))
    (answer,) = harness.send(ADA, "moves d4", harness.last(ADA))
    legal = {
        mail.write(position.board, move) for move in legal_moves(position) if not isinstance(move, Place)
    }
    listed = {cell for line in answer.lines for cell in re.split(" {2,}", line.strip())}
    assert len(legal) == 508
    assert legal <= listed
    touched = {one.words.partition(" #")[0] for one in links(answer)} - GENERAL
    assert touched < legal
    assert {text[:5] for text in touched} == {text[:5] for text in legal}
    assert "you type them" in " ".join(answer.html.split())
    assert 40_000 < len(answer.html) < MOST_BYTES
    assert "All that you can play from D4" in said(answer)
