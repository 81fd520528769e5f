"""Playing a turn, and every reason why it cannot be played now."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.commands.answers import SHOWN_ABOVE, Refusal, Reported, refused, told
from takmail.commands.command import Arguments, LineFault, Order, Unclear
from takmail.commands.context import Context, Progress
from takmail.commands.grammar.arguments import Moves, Play
from takmail.commands.play import same_turn, two_turns, without_list_end
from takmail.games.interface import Reason, Seat
from takmail.games.tak.state import TakState
from takmail.world import events
from takmail.world.consequences import OfferedChange
from takmail.world.game import Game, NamedTurn
from takmail.world.kinds import PendingEnd, PendingId, Ruling, Standing
from takmail.world.pending import Pending
from takmail.world.records import Turn
from takmail.world.waiting import PendingKind
from tests.commands.build import (
    AS_ADA,
    AS_BEN,
    BEGUN_BY,
    MAIL,
    NOW,
    after,
    context,
    done,
    game,
    kinds,
    news_of,
)
from tests.commands.offering import GAME, THREE, TWO, ends, offered, reason, taken_back
from tests.support.happening import agreed, turn_played
from tests.support.orders import do, order, ordered
from tests.support.tables import each_row

ROAD = ("ps a1", "ps e5", "ps e1", "ps a2", "ps e2", "ps a3", "ps e3", "ps a4", "ps e4")
"""e5 is White's, as Black's first stone is. e1 to e5 become a road."""


def test_a_turn_is_played() -> None:
    table = game(*TWO)
    before = context(table)
    answer = do(before, Play("ps c3", None), line="ps C3")
    then = table.state.play("ps c3")
    turn = NamedTurn(3, Seat.FIRST, "Ada", "ps c3")
    assert news_of(answer) == (turn_played(turn, written="ps C3", after=then, mail=MAIL),)
    checksum = then.checksum
    stored = Turn(3, Seat.FIRST, "ps c3", "ps C3", BEGUN_BY + 3, NOW, False, checksum, MAIL)
    assert after(before, answer).game.turns[-1] == stored


def test_the_next_command_sees_the_game_after_it() -> None:
    then = after(context(game(*TWO)), do(context(game(*TWO)), Play("ps c3", None), line="ps c3"))
    assert then.game.texts() == [*TWO, "ps c3"]
    assert then.game.record.version == BEGUN_BY + 3


def test_a_turn_that_ends_the_game() -> None:
    answer = do(context(game(*ROAD[:-1])), Play(ROAD[-1], None), line=ROAD[-1])
    assert kinds(answer) == ["TurnPlayed"]
    over = after(context(game(*ROAD[:-1])), answer).game
    assert (over.record.standing, over.record.end.resigned, over.record.end.ruling) == (
        Standing.OVER,
        None,
        None,
    )
    assert over.result is not None
    assert over.result.winner == Seat.FIRST


def test_what_was_offered_lapses_but_for_a_draw_that_the_player_offers() -> None:
    offers = [
        offered(PendingKind.DRAW, Seat.FIRST, 20, turn=2),
        offered(PendingKind.DRAW, Seat.SECOND, 21, turn=2),
        offered(PendingKind.UNDO, Seat.SECOND, 22, turn=2),
        offered(PendingKind.BACK, Seat.FIRST, 23, turn=2, target=1),
    ]
    before = context(game(*TWO, offers=offers))
    answer = do(before, Play("ps c3", None), line="ps c3")
    (lapsed,) = done(after(before, answer), events.OffersLapsed)
    assert [one.version for one in lapsed.offers] == [21, 22, 23]
    then = after(before, answer).game
    assert ends(then) == {20: None, 21: PendingEnd.LAPSED, 22: PendingEnd.LAPSED, 23: PendingEnd.LAPSED}
    assert [one.version for one in then.offers] == [20]


def played(before: Context, text: str) -> Game:
    """Return the game after a line that plays a turn."""
    return after(before, do(before, Play(text, None), line=text)).game


def asked(number: int, seat: Seat, kind: PendingKind, days: int = 0, **facts: object) -> Pending:
    question = Pending(PendingId(number), kind, NOW - timedelta(days=days), game=GAME, seat=seat)
    return replace(question, **facts)  # type: ignore[arg-type]


def test_a_turn_closes_what_its_player_was_asked_and_whether_the_other_one_gives_up() -> None:
    questions = (
        asked(1, Seat.FIRST, PendingKind.RESIGN, letter="<1@example.org>"),
        asked(2, Seat.FIRST, PendingKind.HELD),
        asked(3, Seat.SECOND, PendingKind.RESIGN),
        asked(4, Seat.SECOND, PendingKind.HELD),
    )
    before = context(replace(game(*TWO), pending=questions))
    assert [one.id for one in played(before, "ps c3").questions] == [4]


def test_what_its_own_mail_asks_about_giving_up_stays_and_is_about_the_board_after_the_turn() -> None:
    before = context(replace(game(*TWO), pending=(asked(1, Seat.FIRST, PendingKind.RESIGN, turn=2),)))
    assert [(one.id, one.turn) for one in played(before, "ps c3").questions] == [(1, 3)]


TAKEN_BACK = taken_back(game(*THREE), 2)
"""Turn 3 has version 6, and version 7 takes it back."""


@each_row(
    ("table", "who", "command", "version", "turn", "why"),
    [
        (game(standing=Standing.INVITED), AS_ADA, Play("ps a1", None), None, None, "not_begun"),
        (game(standing=Standing.DECLINED), AS_ADA, Play("ps a1", None), None, None, "was_declined"),
        (game(standing=Standing.ADJOURNED), AS_ADA, Play("ps a1", None), None, None, "adjourned"),
        (game(*ROAD, standing=Standing.OVER), AS_BEN, Play("ps d4", None), None, None, "over"),
        # A different turn instead of one that was played before the end.
        (game(*ROAD, standing=Standing.OVER), AS_ADA, Play("ps d4", 9), None, None, "over"),
        (game(*TWO), AS_BEN, Play("ps c3", None), None, None, "not_your_turn"),
        (game(*TWO), AS_ADA, Play("ps c3", 5), None, None, "too_early"),
        (game(*TWO), AS_BEN, Play("ps c3", None), 4, 1, "played_otherwise"),
        (game(*TWO), AS_BEN, Play("ps c3", 2), None, None, "played_otherwise"),
        (game(*TWO, "ps c3"), AS_BEN, Play("ps d4", 3), None, None, "stale"),
        (game(*TWO, "ps c3"), AS_BEN, Play("ps a1", None), None, None, "refused"),
        (TAKEN_BACK, AS_BEN, Play("ps d4", None), 6, 3, "gone"),
        (TAKEN_BACK, AS_ADA, Play("ps d4", 4), None, None, "too_early"),
    ],
)
def test_a_turn_that_misses_its_place(
    table: Game, who: object, command: Play, version: int | None, turn: int | None, why: str
) -> None:
    by = AS_ADA if who is AS_ADA else AS_BEN
    assert reason(do(context(table, by, version=version, turn=turn), command, line=command.text)) == why


def test_a_refusal_tells_the_numbers_that_were_meant_and_are_there() -> None:
    refusal = do(context(game(*TWO)), Play("ps c3", 5), line="ps c3")
    assert isinstance(refusal, Refusal)
    assert refusal.facts == {"meant": 5, "turns": 2}


def test_what_the_rules_do_not_allow_is_refused_with_the_rule() -> None:
    refusal = do(context(game(*TWO)), Play("ps a1", None), line="ps a1")
    assert isinstance(refusal, Refusal)
    assert refusal.facts["game"] == "tak"
    assert refusal.facts["turn"] == ""
    assert isinstance(refusal.facts["reason"], Reason)


def test_a_refusal_tells_the_turn_that_was_read_if_it_was_typed_otherwise() -> None:
    refusal = do(context(game(*TWO)), Play("ps a1", None), line="flat A1")
    assert isinstance(refusal, Refusal)
    assert refusal.facts["turn"] == "ps a1"


@pytest.mark.parametrize(
    ("table", "command", "turn"),
    [
        (game(*TWO, "ps c3"), Play("ps c3", None), 2),  # in reply to the letter before
        (game(*TWO, "ps c3"), Play("ps c3", 3), None),
        (game(*TWO, "ps c3"), Play("ps c3", None), None),
        (game(*TWO, "ps c3"), Play("ps c3", None), 3),  # in reply to the letter that reported it
        (game(*ROAD, standing=Standing.OVER), Play(ROAD[-1], None), 8),
    ],
)
def test_the_same_turn_again_is_no_fault(table: Game, command: Play, turn: int | None) -> None:
    version = None if turn is None else BEGUN_BY + turn
    answer = do(context(table, version=version, turn=turn), command, line=command.text)
    assert kinds(answer) == ["already_played"]


def test_a_board_that_both_have_agreed_on_is_nobodys_turn() -> None:
    agreed = game("ps a1", "ps e5")
    board = agreed.state.adopt("S 0 0 0 0/0 0 0 0 0/0 0 0 0 0/0 0 0 0 0/0 0 0 0 s", Seat.SECOND)
    table = game("ps a1", "ps e5", board, seats=[0, 1, 0])
    assert reason(do(context(table), Play("ps c3", None), line="ps c3")) == "not_your_turn"


WISH = OfferedChange(PendingKind.BACK, 2, 1)
BACK = offered(PendingKind.BACK, Seat.SECOND, 20, turn=2, target=1)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (agreed(WISH, offer=BACK), "move_after_agreement"),
        (
            events.ProposalMade(
                game=GAME,
                offer=replace(offered(PendingKind.BACK, Seat.FIRST, 20, turn=2, target=1), id=PendingId(-1)),
                wish=WISH,
                instead_of=None,
                is_in_place=False,
                comparison=None,
                shown_after=None,
            ),
            "move_ends_proposal",
        ),
    ],
)
def test_a_mail_that_has_just_proposed_or_agreed_plays_no_turn(event: events.Event, why: str) -> None:
    then = after(context(game(*TWO)), (event,))
    assert reason(do(then, Play("ps c3", None), line="ps c3")) == why


def test_nor_does_one_that_repeats_a_proposal() -> None:
    repeated = Reported("propose back 1", told("already_proposed", kind=PendingKind.BACK, turn=1))
    then = replace(context(game(*TWO)), so_far=Progress(reports=(repeated,)))
    assert reason(do(then, Play("ps c3", None), line="ps c3")) == "move_ends_proposal"


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [("ps c3", "ps c3", True), ("ps c3", "ps c4", False), ("ps c3", "ps a1", False)],
)
def test_what_the_same_turn_is(one: str, other: str, *, is_same: bool) -> None:
    assert same_turn(game(*TWO).state, one, other) == is_same


def orders(*texts: str, number: int | None = None) -> tuple[Order, ...]:
    return (order("log", line="log"), *(order(Play(text, number), line=text) for text in texts))


def test_two_different_turns_are_told_once() -> None:
    found = two_turns(context(game(*TWO)), orders("ps c3", "ps c4"))
    assert found == ("ps c3 / ps c4", refused("two_turns", count=2, place=""))


def test_of_a_list_the_place_is_told() -> None:
    listed = (*orders("ps c3", "pw c3", number=3), order(Moves("c3"), line="moves c3"))
    found = two_turns(context(game(*TWO)), listed)
    assert found == ("ps c3 / pw c3", refused("two_turns", count=2, place="C3"))


@pytest.mark.parametrize(("number", "reason"), [(1, "played_otherwise"), (2, "stale"), (9, "too_early")])
def test_different_turns_of_one_number_are_misplaced_as_one_would_be(number: int, reason: str) -> None:
    found = two_turns(context(game(*TWO)), orders("ps c3", "ps c4", number=number))
    assert found is not None
    line, answer = found
    assert isinstance(answer, Refusal)
    assert (line, answer.reason) == ("ps c3 / ps c4", reason)


@pytest.mark.parametrize("texts", [(), ("ps c3",), ("ps c3", "ps c3")])
def test_one_turn_is_not_two(texts: tuple[str, ...]) -> None:
    assert two_turns(context(game(*TWO)), orders(*texts)) is None


def test_without_a_game_there_are_no_two_turns() -> None:
    assert two_turns(context(), orders("ps c3", "ps c4")) is None


MISS = Unclear(LineFault.TURN, reason=Reason("ambiguous"), is_turn=True)
PLAY, LIST, LIST_ALL, LOG = Play("ps c3", 3), Moves("c3"), Moves(""), "log"


@pytest.mark.parametrize(
    ("commands", "left"),
    [
        ((LIST,), (LIST,)),
        ((LIST, PLAY), (LIST, PLAY)),
        ((PLAY, LIST), (PLAY,)),
        ((MISS, LIST), (MISS,)),
        ((PLAY, PLAY, LIST, LOG), (PLAY, PLAY, LOG)),
        ((PLAY, LIST_ALL), (PLAY, LIST_ALL)),
        ((), ()),
    ],
)
def test_the_end_of_a_list_is_left_off(
    commands: tuple[str | Arguments, ...], left: tuple[str | Arguments, ...]
) -> None:
    assert tuple(ordered(without_list_end(list(map(order, commands))))) == left


DOUBT = Reason("loses")


@pytest.fixture
def _doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return a game whose rules require confirmation before c3 is played."""
    monkeypatch.setattr(TakState, "asks_before", lambda _, text: DOUBT if text == "ps c3" else None)


@pytest.mark.usefixtures("_doubtful")
@pytest.mark.parametrize(
    ("version", "turn", "shown"), [(None, None, (BEGUN_BY + 2, 2)), (BEGUN_BY + 2, 2, (BEGUN_BY + 2, 2))]
)
def test_a_doubtful_turn_is_asked_about(
    version: int | None, turn: int | None, shown: tuple[int, int]
) -> None:
    table = game(*TWO)
    before = context(table, version=version, turn=turn)
    answer = do(before, Play("ps c3", None), line="Ps c3")
    question = Pending(
        PendingId(-1),
        PendingKind.DOUBT,
        NOW,
        words="Ps c3",
        game=table.number,
        seat=Seat.FIRST,
        version=shown[0],
        turn=shown[1],
    )
    doubted = events.TurnConfirmationAsked(question=question, kind="tak", text="ps c3", reason=DOUBT)
    assert news_of(answer) == (doubted,)
    assert after(before, answer).game == replace(table, pending=(question,))


@pytest.mark.usefixtures("_doubtful")
def test_a_doubtful_turn_is_played_once_its_line_is_confirmed() -> None:
    before = context(game(*TWO), doubted="Ps c3", version=BEGUN_BY + 2, turn=2)
    assert kinds(do(before, Play("ps c3", None), line="Ps c3")) == ["TurnPlayed"]
    assert kinds(do(before, Play("ps c3", None), line="ps c3")) == ["TurnConfirmationAsked"]
    assert kinds(do(context(game(*TWO)), Play("ps c4", None), line="ps c4")) == ["TurnPlayed"]


@pytest.mark.usefixtures("_doubtful")
def test_what_can_not_be_played_is_not_asked_about() -> None:
    assert reason(do(context(game(*TWO), AS_BEN), Play("ps c3", None), line="ps c3")) == "not_your_turn"


@pytest.mark.usefixtures("_doubtful")
def test_the_same_doubtful_turn_is_asked_about_once_in_a_mail() -> None:
    before = context(game(*TWO))
    then = after(before, do(before, Play("ps c3", None), line="ps c3"))
    assert do(then, Play("ps c3", None), line="ps c3") == SHOWN_ABOVE


@pytest.mark.usefixtures("_doubtful")
def test_a_doubt_makes_room_for_a_doubt() -> None:
    doubts = [asked(n, Seat.FIRST, PendingKind.DOUBT, words=f"ps c{n}", turn=2) for n in range(11, 33)]
    others = (
        asked(90, Seat.SECOND, PendingKind.DOUBT, words="ps d1"),
        asked(91, Seat.FIRST, PendingKind.RESIGN),
        asked(92, Seat.FIRST, PendingKind.DOUBT, days=8, words="ps d2"),
        *(asked(n, Seat.FIRST, PendingKind.HELD, words=f"say {n}", turn=2) for n in range(40, 63)),
    )
    replaced = tuple(replace(one, is_replaced=one.id < 29) for one in doubts)
    before = (*others, *replaced)
    then = played(context(replace(game(*TWO), pending=before)), "ps c3").questions
    assert {one.id for one in before} - {one.id for one in then} == {11, 12, 13, 92}
    assert {one.id for one in then if one.is_replaced} == {*range(14, 31)}
    assert {one.id for one in then} - {one.id for one in before} == {-1}


def test_a_ruling_keeps_a_game_closed() -> None:
    table = game(*TWO, standing=Standing.OVER, ruling=Ruling.VOID)
    assert reason(do(context(table), Play("ps c3", None), line="ps c3")) == "over"
