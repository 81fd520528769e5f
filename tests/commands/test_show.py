"""The commands that only show something."""

import pytest

from takmail.commands import show
from takmail.commands.answers import Answer, Shows, told
from takmail.commands.grammar.arguments import FreeName, Help, Moves, Play, Show
from takmail.commands.view import look as seen_from
from takmail.games.interface import Seat
from takmail.games.tak.game import TakGame
from takmail.world.events import GameEnded
from takmail.world.game import Game
from takmail.world.kinds import Ruling, Standing, TakenBackBy
from takmail.world.match import Match
from takmail.world.players import Player
from tests.commands.build import (
    AS_ADA,
    AS_BEN,
    Stored,
    after,
    context,
    facts_of,
    game,
    player,
)
from tests.commands.offering import GAME, THREE, TWO, reason, taken_back
from tests.support.corrupt import corrupt
from tests.support.orders import do
from tests.support.tables import each_row

FAY = player(3, "Fay", "fay@example.org")


def test_the_board_by_the_book() -> None:
    assert show.resync(context(game())) == told("resync", Shows.BOARD)
    assert do(context(), "rules") == told("rules", kind="")
    assert do(context(), "rules tak") == told("rules", kind="tak")


# Earlier boards.

GIVEN_UP = taken_back(game(*THREE), 1, TakenBackBy.BACK)
"""Turns 2 and 3 were taken back."""
ON = after(context(GIVEN_UP, AS_BEN), do(context(GIVEN_UP, AS_BEN), Play("ps d4", None), line="ps d4")).game
"""A different turn 2 was played instead."""


@pytest.mark.parametrize(("turn", "shown"), [(None, 3), (0, 0), (2, 2), (3, 3)])
def test_a_board_of_the_game_is_shown(turn: int | None, shown: int) -> None:
    found = facts_of(do(context(game(*THREE)), Show(turn)), "show")
    assert (found.then.shown.turn, found.runs) == (shown, ())


def test_a_board_is_shown_with_the_runs_that_have_its_turn() -> None:
    found = facts_of(do(context(ON), Show(2)), "show")
    assert [one.number for one in found.runs] == [1]
    now = facts_of(do(context(ON), Show(None)), "show")
    assert now.runs == ()


@pytest.mark.parametrize(
    ("table", "command", "is_played"),
    [(GIVEN_UP, Show(3), False), (ON, Show(2, 0), True), (ON, Show(2, 1), True), (ON, Show(3, 0), False)],
)
def test_a_board_that_was_given_up_is_shown(table: Game, command: Show, *, is_played: bool) -> None:
    found = facts_of(do(context(table), command), "show_given_up")
    assert (found.then.shown.turn, found.run.number, found.others, found.is_played) == (
        command.turn,
        1,
        (),
        is_played,
    )


@pytest.mark.parametrize(
    ("table", "command", "name"),
    [
        (game(*THREE), Show(4), "show_beyond"),
        (game(*THREE), Show(2, 0), "show_never"),
        (ON, Show(2, 2), "show_never"),
        (ON, Show(4), "show_beyond"),
    ],
)
def test_boards_that_there_are_not(table: Game, command: Show, name: str) -> None:
    assert reason(do(context(table), command)) == name


def test_the_log_and_the_record() -> None:
    shown = facts_of(show.log(context(ON)), "log")
    assert [one.text for one in shown.log.turns] == ["ps a1", "ps d4"]
    assert [(run.number, [one.text for one in turns]) for run, turns in shown.log.runs] == [
        (1, ["ps e5", "ps c3"])
    ]
    record = facts_of(show.record(context(game(*TWO))), "record")
    assert "[Size" in record.record
    assert record.viewer_url is not None


# Games and matches.


def test_the_games_and_below_them_those_that_are_over() -> None:
    stored = Stored().put(
        game(*TWO, number=1),
        game(*TWO, number=2, standing=Standing.OVER),
        game(number=3, standing=Standing.INVITED, guest_label="Benny"),
        game(number=4, standing=Standing.INVITED, players=(FAY, AS_ADA)),
        # Only the host sees an invitation that was not sent yet.
        game(number=5, standing=Standing.INVITED, players=(FAY, AS_ADA), asked_at=None),
        game(number=6, standing=Standing.INVITED, players=(AS_ADA, FAY), asked_at=None),
        game("ps a1", number=7, is_relay=True),
        corrupt(game(number=8)),
        game(number=9, standing=Standing.DECLINED),
        game(number=10, players=(AS_BEN, FAY)),
    )
    found = facts_of(do(context(stored=stored), "games"), "games")
    assert [
        (
            one.record.number,
            one.opponent,
            one.your_turn,
            one.is_guest,
            one.game.is_corrupt,
            one.record.is_relay,
        )
        for one in found.games
    ] == [
        (1, "Ben", True, False, False, False),
        (3, "Benny", False, False, False, False),
        (4, "Fay", False, True, False, False),
        (6, "Fay", False, False, False, False),
        (7, "Ben", False, False, False, True),
        (8, "Ben", False, False, True, False),
    ]
    assert {(one.record.kind, one.record.setup) for one in found.games} == {("tak", "5")}
    assert [one.record.number for one in found.over] == [2]


def test_a_game_is_listed_as_the_mail_has_left_it() -> None:
    before = context(game(*TWO))
    then = after(before, (GameEnded(game=GAME, resigned=Seat.FIRST),))
    assert show.running(before, AS_ADA)[0].record.number == GAME
    assert show.running(then, AS_ADA) == ()


def finished(number: int, *, resigned: Seat = Seat.SECOND, ruling: Ruling | None = None) -> Game:
    by = None if ruling else resigned
    return game(*TWO, number=number, standing=Standing.OVER, resigned=by, ruling=ruling)


def match_shown(answer: Answer) -> tuple[Match, ...]:
    matches: tuple[Match, ...] = facts_of(answer, "match").matches
    return matches


def test_how_a_match_stands() -> None:
    stored = Stored().put(
        finished(2), finished(3, resigned=Seat.FIRST), finished(4, ruling=Ruling.VOID), corrupt(finished(5))
    )
    (match,) = match_shown(do(context(game(*TWO), AS_BEN, stored=stored), "match"))
    assert (match.names, match.won, match.draws, match.broken, match.last) == (
        ("Ben", "Ada"),
        (1, 1),
        0,
        1,
        3,
    )


def test_a_game_that_the_mail_has_ended_counts() -> None:
    before = context(game(*TWO))
    then = after(before, (GameEnded(game=GAME, resigned=Seat.FIRST),))
    (match,) = match_shown(do(then, "match"))
    assert match.won == (0, 1)
    void = after(before, (GameEnded(game=GAME, ruling=Ruling.VOID),))
    assert match_shown(do(void, "match"))[0].games == 0


@pytest.mark.parametrize(
    ("by", "name", "is_known"),
    [
        (AS_ADA, "ben", True),
        (AS_ADA, "Fay", False),  # they have never played
        (AS_ADA, "Mia", False),
        (AS_ADA, "Ada", False),
        (AS_ADA, "...", False),
        (None, "Ben", False),
    ],
)
def test_a_match_by_name(by: Player | None, name: str, *, is_known: bool) -> None:
    stored = Stored().put(finished(2), FAY)
    answer = do(context(by=by, stored=stored, sender="x@example.org"), "match", FreeName(name))
    if not is_known:
        assert reason(answer) == "match_unknown"
        return
    (match,) = match_shown(answer)
    assert (match.game, match.names, match.won) == ("tak", ("Ada", "Ben"), (1, 0))


def test_a_match_that_has_just_begun_is_one() -> None:
    before = context(game(standing=Standing.INVITED), AS_BEN)
    then = after(before, do(before, "accept"))
    assert reason(do(before, "match", FreeName("Ada"))) == "match_unknown"
    assert match_shown(do(then, "match", FreeName("Ada")))[0].games == 0


def test_whose_address_was_invited_is_not_told() -> None:
    invited = game(standing=Standing.INVITED, guest_label="Benny")
    assert reason(do(context(invited), "match")) == "match_unknown"
    assert match_shown(do(context(invited, AS_BEN), "match"))


# Help and moves.


@pytest.mark.parametrize(
    ("word", "page", "summary"),
    [
        ("block", "help_block", "summary_block"),
        ("quit", "help_quit", "summary_quit"),
        ("board", "help_tak_board", ""),
        ("move", "help_tak_moves", ""),
        ("invite", "help_tak_new", ""),
    ],
)
def test_help(word: str, page: str, summary: str) -> None:
    for before in (context(), context(game())):
        found = facts_of(do(before, Help(word)), "help")
        assert (found.page, found.summary) == (page, summary)


def test_help_about_everything() -> None:
    assert do(context(), Help("")) == told("help_all", kind="", is_whole=False)
    assert do(context(), Help("all")) == told("help_all", kind="", is_whole=True)
    assert do(context(), Help("", "tak")) == told("help_all", kind="tak", is_whole=False)


def test_help_about_a_game_that_is_named() -> None:
    found = do(context(), Help("move", "tak"))
    assert found == told("help", topic="move", page="help_tak_moves", summary="", kind="tak")


@each_row("word", TakGame.topics)
def test_each_topic_of_tak_has_a_page(word: str) -> None:
    found = facts_of(do(context(), Help(word)), "help")
    assert found.page == f"help_tak_{TakGame.topics[word]}"


def test_help_about_nothing_known() -> None:
    for word in ("xyzzy", "unknown", "tak_coins", "new vs"):
        assert reason(do(context(), Help(word))) == "no_such_help"


@pytest.mark.parametrize("place", ["", "c3"])
def test_the_turns_that_can_be_played(place: str) -> None:
    found = facts_of(do(context(game(*TWO)), Moves(place)), "moves")
    assert (found.place, found.number) == (place, 3)
    assert found.groups


@pytest.mark.parametrize(
    ("table", "by", "place", "name"),
    [
        (game(*TWO, standing=Standing.OVER), AS_ADA, "", "over"),
        (game(*TWO), AS_BEN, "", "not_your_turn"),
        (game(*TWO), AS_ADA, "z9", "refused"),
        (game(*THREE, "ps c4"), AS_BEN, "", "not_your_turn"),
    ],
)
def test_no_turns_to_choose_from(table: Game, by: Player, place: str, name: str) -> None:
    assert reason(do(context(table, by), Moves(place))) == name


def test_where_nothing_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    table = game(*TWO)
    monkeypatch.setattr(type(table.state), "choices", lambda _: ())
    monkeypatch.setattr(type(table.state), "choices_at", lambda _, place: ())  # noqa: ARG005
    assert reason(do(context(table), Moves(""))) == "moves_none"
    assert reason(do(context(table), Moves("c3"))) == "moves_none"


@pytest.mark.parametrize(("is_relay", "has_one"), [(False, True), (True, False)])
def test_a_board_is_drawn_where_one_is_kept(is_relay: bool, has_one: bool) -> None:
    view = seen_from(game("ps a1", is_relay=is_relay), Seat.FIRST)
    assert (view.shown.grid is not None) is has_one
