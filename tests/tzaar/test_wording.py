"""The wording of TZAAR: every reason, rule and effect is worded."""

import ast
import inspect
import re
from types import SimpleNamespace

import pytest

from takmail.blocks import Text, message
from takmail.games.interface import Effect, NearMiss, Reason, Refused, Seat
from takmail.games.tzaar.compare import explanation
from takmail.games.tzaar.game import TzaarGame
from takmail.games.tzaar.notation.record import replay_records
from takmail.games.tzaar.wording import reasons as wording_of_reasons
from takmail.games.tzaar.wording import records as wording_of_records
from takmail.games.tzaar.wording.rules import rule_behind
from takmail.letters.templates import Templates, folder
from tests.tzaar.test_reading import FIRST, NOW, PLACING, SEEN_NOWHERE, WINS, state
from tests.tzaar.vectors import vectors

TEMPLATES = Templates(folder())
ENGLISH = TEMPLATES.words("en")
GAME = TzaarGame()
WORDING = GAME.wording
OVER = state("tTx3/x6/Zx6/x8/x8/x8/x7/x6/x3rz w")
COVERING = state("tTzx2/x6/Zx5R/x7T/x8/x8/x7/x6/x2trx w")
FIXED_START = vectors()["fixed"].split()[0]
FULL_OF_TZAARS = state("zTzTz/TzTzTz/Tx6/x8/x8/x8/x7/x6/x5 w place")


def words(*texts: Text, opponent: str = "Ben") -> str:
    """Return sentences as a letter to Ada has them."""
    common = {"opponent": opponent, "service": "Tak by Mail", "address": "tak@example.org"}
    return ENGLISH.sentences(texts, common)


def test_nothing_of_tzaar_speaks_of_tak() -> None:
    for path in folder().glob("*/tzaar*.jinja"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(Tak|PTN|TPS|komi|flats?|walls?|capstones?|roads?|crush)\b|tak_", text), path


def refusal(ask) -> Reason:
    with pytest.raises(Refused) as caught:
        ask()
    return caught.value.reason


def reasons() -> list[Reason]:
    found = []
    for where, line in (
        *((NOW, line) for line in ("c a1 a2", "c a1 a2 c c1 c3", "s a1 a2", "a1-a3", "c a1 e9", "c a1 j1")),
        *(
            (NOW, line)
            for line in ("c a1 a2 c a2 a4 pass", "ca1 a2 pass", '"c a1 a2 pass"', "c a1 a2 pass now")
        ),
        *((NOW, line) for line in ("pz a1 c a1 a2", "pz a1 pz a2")),
        (FIRST, "c a5 a4 pass"),
        (state(WINS), "c a1 a2 pass"),
        (SEEN_NOWHERE, "a1-a2"),
    ):
        miss = where.read(line)
        assert isinstance(miss, NearMiss), line
        found.append(miss.reason)
    for where, turn in (
        *(
            (NOW, turn)
            for turn in ("c a2 a1 pass", "c a3 a4 pass", "c a1 a3 pass", "c a1 b3 pass", "c a1 a4 pass")
        ),
        *(
            (NOW, turn)
            for turn in (
                "c c1 c2 pass",
                "c a1 a1 pass",
                "c a1 a2 c a1 b1",
                "c c1 d8 pass",
                "s c1 c3 pass",
                "pass",
                "pz a3",
                "nonsense",
            )
        ),
        (OVER, "c a1 a2 pass"),
        (PLACING, "c a1 a2"),
        (PLACING.play("pz a1"), "pz a1"),
        (FULL_OF_TZAARS, "pz i5"),
        (state("x5/x6/Zx5R/x8/x3tTx3/x3Tx4/x7/x6/x3rz w"), "c e4 e5 pass"),
        (state("tT2x3/x6/Zx5R/x8/x8/x7T/x7/x6/xTxrz w"), "c a1 a2 pass"),
    ):
        found.append(refusal(lambda where=where, turn=turn: where.play(turn)))
    found.append(refusal(lambda: NOW.choices_at("a3")))
    asked = COVERING.asks_before("c a1 a2 s a2 a3")
    assert asked is not None
    unclear = NOW.read("c a1 a2 c a4")
    assert isinstance(unclear, NearMiss)
    found.append(unclear.reason)
    found.append(asked)
    for text in ("a tott", "my tzaar on a1 takes a2"):
        meant = NOW.meant(text)
        assert meant is not None
        assert meant.reason is not None
        found.append(meant.reason)
    rows = "/".join(" ".join(row.split()) for row in NOW.board())
    for board in ("A t", rows.replace("0", "Z"), rows.replace("R3", "T3").replace("R", "T")):
        found.append(refusal(lambda board=board: NOW.adopt(board, Seat.FIRST)))
    for words in (["enormous"], ["fixed", "fixed"]):
        found.append(refusal(lambda words=words: GAME.set_up(words, None)))  # type: ignore[arg-type]
    found.append(refusal(lambda: GAME.start("random start=z")))
    found.append(refusal(lambda: GAME.position("TTTTt/tRRRrt w")))
    for text in (
        f"{FIXED_START} w place",
        "z2x4/x6/x7/x8/x8/x8/x7/x6/x5 w place",
        "zzzzz/zrrrrr/rrrrttt/tttttttt/ttttx4/x8/x7/x6/x5 w place",
    ):
        found.append(refusal(lambda text=text: GAME.position(text)))
    for text in (
        '[Game "TZAAR"]',
        '[Setup "fixed"] {',
        '[Setup "fixed"] x',
        '[Setup "fixed"][Result "1-0"] 0-1',
        '[Setup "fixed"] a5xa4 1-0 a3xa4,-',
        '[Setup "fixed"][Ended "stuck"]',
        f'[Setup "tournament"][Start "{FIXED_START} w"]',
        f'[Start "{OVER.position}"] 0-1',
    ):
        (one,) = replay_records(text)
        assert one.error is not None
        found.append(one.error)
    (long,) = replay_records("x" * 5_000_000)
    assert long.error is not None
    return [*found, long.error]


def named_in_reasons() -> set[str]:
    """Return the names of the reasons that have words, by the source of the modules that word them."""
    modules = (wording_of_reasons, wording_of_records)
    cases = [
        node.pattern.value
        for module in modules
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.match_case) and isinstance(node.pattern, ast.MatchValue)
    ]
    return {one.value for one in cases if isinstance(one, ast.Constant)} | {"impossible-board"}


def test_every_reason_is_worded_and_no_wording_is_left_over() -> None:
    found = reasons()
    assert {one.name for one in found} == named_in_reasons()
    for reason in found:
        assert len(words(*WORDING.reason(reason)).split()) > 4, reason


def test_every_rule_is_worded_and_has_a_source() -> None:
    for case in vectors()["cases"]:
        if case.get("fault") == "no-such-spot":
            continue
        before = state(case["position"])
        for check in before.verdict(case["turn"]):
            assert check.reason is not None or words(WORDING.check(check))
            assert words(rule_behind(check)).startswith("TZAAR")
        for touched in before.touched(case["turn"]):
            assert words(*WORDING.touched(touched)).endswith(".")
        assert bool([one for one in before.touched(case["turn"]) if one.reason]) == (not case["legal"]), case[
            "what"
        ]


def test_every_effect_of_a_recorded_game_is_worded() -> None:
    for game in vectors()["games"][::8]:
        now = state(game["start"])
        for turn in game["turns"]:
            effect = now.effect(turn)
            assert isinstance(effect, Effect)
            shown = SimpleNamespace(effect=effect, result=None)
            seen = SimpleNamespace(seat=Seat.FIRST, names=("Ada", "Ben"), shown=shown)
            text = words(*WORDING.effect(seen))
            assert text.endswith(".")
            spots = re.findall(r"\b[a-i][1-8]\b", turn)
            assert all(spot.upper() in text for spot in spots), (turn, text)
            now = now.play(turn)


def test_all_choices_of_a_place_are_worded_and_can_be_played() -> None:
    for where, place in ((NOW, "a1"), (NOW, "c1"), (FIRST, "a5"), (PLACING, "e4")):
        groups = where.choices_at(place)
        assert groups
        for group in groups:
            assert words(WORDING.choices(group)).endswith(":")
            assert words(WORDING.spelt(group)).startswith("Typed, ")
            for one in group.turns:
                where.play(one.typed)


@pytest.mark.parametrize("board", ["first", "second", "each", "yours", "opponents"])
def test_each_way_in_which_a_board_may_be_written_is_worded(board: str) -> None:
    for way in explanation._WAYS:
        text = words(message("tzaar_one_is_turned", board=board, turn=3, way=way))
        assert "the board after turn 3, only written another way: " in text
        assert (" White and Black are exchanged." in text) == (way == "colors-swapped")
