"""The tests that every game must pass: the test class of a game inherits from `GameContract`."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from takmail.blocks import message
from takmail.games.game_rules import GameRules
from takmail.games.interface import (
    MAX_MEANT,
    NearMiss,
    ReadTurn,
    Reason,
    RecordedRun,
    Refused,
    Result,
    Seat,
    State,
)
from takmail.games.picture import Circle, Line, Polygon, Rectangle, Scene, Text
from takmail.games.relay import Relay
from takmail.games.wording import Wording
from takmail.letters.catalogue import Words
from takmail.letters.pictures.painter import Painter
from tests.support.width import tenth_of
from tests.support.wording import WORDS as MESSAGES
from tests.support.wording import english

TAGS = {"Player1": "Ada", "Player2": 'Ben "B"', "Date": "2026.11.21"}
PIECES = (
    *("take", "from", "stones", "1", "2", "3", "9", "99", "#4", ",", "?", "-", "board", "ooo"),
    *("ps", "pw", "ms", "a1", "b2", "z9", "p3", "ptn", "1/2", "s", "0"),
)
"""The characters and words of which turns and boards are made."""
WORDS = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join))


def turns_of(state: State) -> list[str]:
    """Return all legal turns, as they are typed."""
    groups = state.choices()
    every = [one for group in groups for one in (state.choices_at(group.place) if group.place else (group,))]
    return [one.typed for group in every for one in group.turns]


def some_turn(state: State, rng: Random) -> str:
    """Return a random legal turn, as it is typed: one of a random place, as to list those of all places takes long."""
    group = rng.choice(state.choices())
    groups = state.choices_at(group.place) if group.place else (group,)
    return rng.choice([choice.typed for one in groups for choice in one.turns])


def canonical(state: State, line: str) -> str:
    reading = state.read(line)
    assert isinstance(reading, ReadTurn), line
    return reading.text


@cache
def walk(
    game: GameRules, words: Sequence[str], seed: int, most: int = 60
) -> tuple[tuple[State, str | None], ...]:
    """Return the states of a random game, each with the turn that led to it. Most tests walk the same ways."""
    rng = Random(seed)
    setup = game.complete(game.set_up(words, rng), rng)
    steps: list[tuple[State, str | None]] = [(game.start(setup), None)]
    while len(steps) <= most and steps[-1][0].result is None:
        state = steps[-1][0]
        turn = canonical(state, some_turn(state, rng))
        steps.append((state.play(turn), turn))
    return tuple(steps)


class GameContract:
    """The tests of one game.

    `set_ups` are words after the command `new`. `few` are the words for a short game, and `no_set_up` are invalid
    words. `messages` are those of the game, in English.
    """

    game: GameRules
    set_ups: Sequence[Sequence[str]]
    few: Sequence[str]
    messages: Words = MESSAGES
    no_set_up: Sequence[str]

    @property
    def wording(self) -> Wording:
        """The words of the game."""
        return self.game.referee.wording  # type: ignore[attr-defined]

    def whole(self, words: Sequence[str]) -> str:
        return self.game.complete(self.game.set_up(words, Random(1)), Random(2))

    def states(self) -> Iterator[State]:
        """Yield states of several games, from their beginning, middle and end."""
        for words in self.set_ups:
            yield from (state for state, _ in walk(self.game, words, seed=3, most=12))
        yield from (state for state, _ in walk(self.game, self.few, seed=4))

    def played(self) -> tuple[str, list[str], State]:
        """Return a short game: its set-up, its turns and its last state."""
        steps = walk(self.game, self.few, seed=5, most=5)
        setup = self.game.complete(self.game.set_up(self.few, rng := Random(5)), rng)
        return setup, [turn for _, turn in steps if turn is not None], steps[-1][0]

    # Set-ups

    def test_a_game_has_all_words_that_letters_ask_for(self) -> None:
        asked = {*Wording.__annotations__, *(name for name in vars(Wording) if not name.startswith("_"))}
        assert [name for name in sorted(asked) if not hasattr(self.wording, name)] == []

    def test_a_set_up_reads_itself(self) -> None:
        for words in self.set_ups:
            setup = self.game.set_up(words, Random(1))
            assert self.game.set_up(setup.split(), Random(9)) == setup

    def test_what_is_drawn_at_the_acceptance_comes_from_the_rng_alone(self) -> None:
        for words in self.set_ups:
            setup = self.game.set_up(words, Random(1))
            whole = self.game.complete(setup, Random(7))
            assert self.game.complete(setup, Random(7)) == whole
            assert self.game.complete(whole, Random(8)) == whole
            assert self.game.rematch_setup(whole) == setup

    def test_words_that_are_no_set_up_are_refused(self) -> None:
        with pytest.raises(Refused):
            self.game.set_up(self.no_set_up, Random(1))

    def test_a_game_can_be_shown_before_it_is_accepted(self) -> None:
        for words in self.set_ups:
            setup = self.game.set_up(words, Random(1))
            for one in (setup, self.whole(words)):
                state = self.game.start(one)
                assert (state.turns, state.result) == (0, None)
                state.board(), state.facts(), state.picture(), state.choices()

    def test_letters_name_a_set_up_as_its_title_does(self) -> None:
        set_ups = [self.game.set_up(words, Random(1)) for words in self.set_ups]
        for one in (*set_ups, *map(self.whole, self.set_ups)):
            for is_relay, game in ((False, self.game), (True, Relay(self.game))):
                title = game.title(one)
                assert title.isprintable()
                labels = self.wording.title(one, is_relay=is_relay)
                assert english(message("title", labels=labels), self.messages) == title
                labels = self.wording.set_up(one, is_relay=is_relay)
                set_up = english(message("title", labels=labels), self.messages)
                assert (set_up != title) == self.wording.title_names_game
                assert title.endswith(set_up)
        with pytest.raises((Refused, ValueError)):
            self.wording.title("nothing=", is_relay=False)

    # Turns

    def test_what_can_be_chosen_is_read_and_keeps_every_rule(self) -> None:
        for state in self.states():
            for line in tenth_of(turns_of(state)):
                text = canonical(state, line)
                assert state.read(text) == ReadTurn(text)
                assert state.read_lines([text]) == (ReadTurn(text), 1)
                assert state.read_lines([text, "Hello"]) == (ReadTurn(text), 1)
                assert self.game.anywhere.read(text) is not None
                assert not self.game.is_agreement(text)
                assert isinstance(state.asks_before(text), Reason | None)
                assert [check for check in state.verdict(text) if check.reason] == []
                assert state.touched(text)
                assert state.play(text).turns == state.turns + 1

    def test_a_turn_may_name_its_number(self) -> None:
        state = self.game.start(self.whole(self.few))
        text = canonical(state, turns_of(state)[0])
        assert state.read(f"{text} #7") == ReadTurn(text, 7)

    def test_the_board_and_its_checksum_change_with_each_turn(self) -> None:
        for seed in (4, 6):
            states = [state for state, _ in walk(self.game, self.few, seed)]
            assert all(one.checksum != other.checksum for one, other in pairwise(states))

    def test_a_game_comes_to_an_end_behind_which_nothing_is_played(self) -> None:
        *_, (before, _), (end, last) = walk(self.game, self.few, seed=6)
        assert last is not None
        assert end.result is not None
        assert end.choices() == ()
        with pytest.raises(Refused):
            end.play(last)
        assert end.asks_before(last) is None
        assert before.asks_before("no turn at all") is None
        assert [check for check in end.verdict(last) if check.reason]
        points = end.score(end.result).points
        assert all(one >= 0 for one in points)
        for place in ("", "no place", *(group.place for group in before.choices())):
            with pytest.raises(Refused):
                end.choices_at(place or "nowhere")

    def test_no_turn_at_all_is_refused(self) -> None:
        for state in self.states():
            for ask in (state.play, state.verdict, state.touched):
                with pytest.raises(Refused):
                    ask("no turn at all")

    @settings(suppress_health_check=[HealthCheck.differing_executors])  # one test for each game
    @given(st.lists(WORDS, min_size=1, max_size=3))
    def test_whatever_is_typed_is_read_without_a_fault(self, lines: list[str]) -> None:
        setup, _, state = self.played()
        for line in lines:
            reading = state.read(line)
            if isinstance(reading, NearMiss):
                assert all(state.read(fix) == ReadTurn(fix) for fix in reading.fixes)
            elif reading is not None:
                assert state.read(reading.text) == ReadTurn(reading.text)
            self.check_meant(state, line)
            self.game.anywhere.read(line)
            self.game.seat_named(line.lower())
            self.game.is_place(line.lower())
            self.game.is_agreement(line)
            self.game.rows(line)
            self.game.compare(setup, [line], line)
            self.game.compare_two(setup, [line], line, "/".join(lines), [4])
        bare = [line for line in lines if line.strip()]
        if bare:
            reading, taken = state.read_lines(bare)
            assert 1 <= taken <= len(bare)
            assert taken == 1 or state.read(bare[0]) is not None
            assert state.read(" ".join(bare[:taken])) == reading
        for board in self.game.boards_in(lines, range(len(lines))):
            assert 0 <= board.first < board.after <= len(lines)

    @settings(suppress_health_check=[HealthCheck.differing_executors])  # one test for each game
    @given(st.data())
    def test_what_is_meant_by_places_and_parts_of_turns_can_be_played(self, data: st.DataObject) -> None:
        _, turns, state = self.played()
        typed = [word for turn in (*turns, *turns_of(state)[:20]) for word in turn.split()]
        places = list(state.touches())
        parts = data.draw(st.lists(st.sampled_from([*typed, *places, *places]), min_size=1, max_size=6))
        self.check_meant(state, " ".join(parts))

    def check_meant(self, state: State, text: str) -> None:
        """Assert that what a text means is legal, or that there is a reason, and that its turns can be judged."""
        found = state.meant(text)
        for line in () if found is None else found.lines:
            assert state.read(line) == ReadTurn(line)
            state.play(line)
        assert found is None or (
            len(found.lines) <= MAX_MEANT and (found.reason is None) == bool(found.lines)
        )
        for turn in state.turns_in(text):
            state.verdict(turn)

    # Boards

    def test_the_board_of_a_letter_is_read_back_and_is_the_same(self) -> None:
        setup, turns, state = self.played()
        lines = ["Hello,", "", *state.board(), "", "Ada"]
        (found,) = self.game.boards_in(lines)
        assert (found.first, found.after) == (2, 2 + len(state.board()))
        assert not found.lacks_spaces
        assert self.game.compare(setup, turns, found.text).how == "same"
        assert self.game.compare(setup, turns[:-1], found.text).how != "same"
        assert self.game.compare_two(setup, turns, found.text, found.text).how
        shown = "".join("".join(self.game.rows(found.text)).split())
        assert (
            shown == found.text.replace("/", "").replace(" ", "") == "".join("".join(state.board()).split())
        )

    def test_a_board_can_be_agreed_on_and_is_no_line_of_a_mail(self) -> None:
        for state in self.states():
            if state.result is not None or not state.board():
                continue
            (found,) = self.game.boards_in(state.board())
            for seat in Seat:
                turn = state.adopt(found.text, seat)
                after = state.play(turn)
                assert self.game.is_agreement(turn)
                assert (after.board(), after.to_move, after.turns) == (state.board(), seat, state.turns + 1)
                assert (state.verdict(turn), state.touched(turn)) == ((), ())
                assert (after.checksum == state.checksum) == (after.to_move == state.to_move)
                assert state.read(turn) is None
                after.picture(turn)

    def test_what_is_no_board_is_not_agreed_on(self) -> None:
        for state in self.states():
            with pytest.raises(Refused):
                state.adopt("no board", Seat.FIRST)

    # Letters

    def test_a_picture_is_of_things_that_its_kit_has(self) -> None:
        painter = Painter()
        for words in self.set_ups:
            steps = walk(self.game, words, seed=7, most=6)
            scenes = [state.picture(turn) for state, turn in steps]
            scenes.append(steps[-1][0].picture(None, self.game.resign(Seat.FIRST)))
            assert len({id(scene.kit) for scene in scenes}) == 1
            for scene in scenes:
                is_sound(scene)
        assert painter.png(scenes[-1]).startswith(b"\x89PNG")
        with pytest.raises(Refused):
            self.game.start(self.whole(self.few)).picture("no turn at all")

    def test_a_grid_shows_the_board_and_names_pictures_that_can_be_drawn(self) -> None:
        painter, drawn = Painter(), dict[str, bytes]()
        for words in self.set_ups:
            for state, turn in walk(self.game, words, seed=7, most=6):
                grid = state.grid(turn)
                for row, line in zip(grid.rows, state.board(), strict=True):
                    for cell in row.places:
                        assert not cell.content or cell.content in line.split()
                for row in grid.rows:
                    assert not row.shift if grid.columns else row.shift >= 0
                    assert len(row.cells) == len(grid.columns) or not grid.columns
                for name in (*grid.sides, *(cell.picture for row in grid.rows for cell in row.places)):
                    assert re.fullmatch(r"[a-z0-9-]+", name)
                    if name not in drawn:
                        scene = self.game.cell(name)
                        is_sound(scene)
                        drawn[name] = painter.png(scene)
        assert len(set(drawn.values())) == len(drawn)
        with pytest.raises(ValueError, match="is called"):
            self.game.cell("no such picture")
        with pytest.raises(Refused):
            self.game.start(self.whole(self.few)).grid("no turn at all")

    def test_what_can_be_touched_can_be_played(self) -> None:
        for state in self.states():
            places = {cell.place for row in state.grid().rows for cell in row.places}
            touches = state.touches()
            assert set(touches) <= places
            assert bool(touches) == (state.result is None)
            for touch in touches.values():
                assert 1 <= len(touch.turns) <= 6
                for turn in touch.turns:
                    assert state.read(turn) == ReadTurn(turn)
                    state.play(turn)

    def test_people_can_end_a_game(self) -> None:
        state = self.game.start(self.whole(self.few))
        for seat in Seat:
            assert self.game.resign(seat).winner is seat.other
            assert self.game.decide(seat, "ruled").winner is seat
            assert state.score(self.game.resign(seat)).points[seat] == 0
        draw = self.game.decide(None, "agreed")
        assert (draw.winner, draw.how) == (None, "agreed")
        assert len(set(state.score(draw).points)) == 1

    def test_a_record_holds_the_game_and_what_was_given_up(self) -> None:
        setup, turns, state = self.played()
        results: list[Result | None] = [None, self.game.resign(Seat.FIRST)]
        for result in results:
            record = self.game.record(setup, turns, TAGS, result)
            assert "Ada" in record
            assert (record == self.game.record(setup, turns[:-1], TAGS, result)) is False
            address = self.game.viewer_url(setup, turns, TAGS, result)
            assert address is None or address.startswith("https://")
        run = RecordedRun("Turn 7, given up as both agreed to begin anew", (turns[-1],))
        assert "Turn 7, given up as" in self.game.record(setup, turns, TAGS, state.result, [run])

    def test_a_game_that_keeps_its_board_is_its_own_referee(self) -> None:
        assert self.game.keeps_board
        assert self.game.referee is self.game
        assert self.game.name == self.game.name.lower()
        assert self.game.file_ending


def is_sound(scene: Scene) -> None:
    """Assert that the kit has every sprite of a scene, and that the coordinates are even."""
    kit = scene.kit
    assert len(kit.colors) + len(kit.junction_colors) <= 16
    assert kit.ground in kit.colors
    for placed in (*kit.scenery, *scene.placed):
        sprite = kit.sprites[placed.sprite]
        assert placed.x % 2 == placed.y % 2 == 0
        assert sprite.ground in kit.colors
        assert 0 <= placed.x <= placed.x + sprite.width <= kit.width
        assert 0 <= placed.y <= placed.y + sprite.height <= kit.height
        for shape in sprite.shapes:
            assert isinstance(shape, Rectangle | Polygon | Circle | Line | Text)
            assert shape.fill in kit.colors
