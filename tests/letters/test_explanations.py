"""Every refusal of Tak's rules is explained word for word, in the terms of the rules."""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from takmail.games.interface import Check, State
from takmail.games.registry import GAMES
from takmail.games.tak.reasons import RuleReason
from takmail.games.tak.rules import MOVING_RULES, PLACING_RULES
from takmail.games.tak.wording.sources import ending_source, source
from takmail.games.wording import Sentences
from takmail.letters.passages import turns
from takmail.letters.reader import Lobby, Reader
from takmail.world.consequences import Verdict
from tests.letters.explanations import ALLOWED, REFUSED, TEXTS, verdict_of, verdict_of_case
from tests.support.tables import each_row
from tests.support.tak import any_move, wander
from tests.support.wording import english, page

RULES = json.loads((Path(__file__).parent.parent / "data" / "tak_rules.json").read_text(encoding="utf-8"))
SENTENCES = {(section, re.sub("[“”]", "'", text)) for section, text in RULES["sentences"]}
CASES = REFUSED | ALLOWED
MAX_LINES = 36
"""The maximum number of lines of a verdict with its proof: the 40 of a report without what else it tells."""


def shown(state: State, _turn: int, _last: str | None) -> SimpleNamespace:
    """Return what the text of a letter shows of a board."""
    return SimpleNamespace(shown=SimpleNamespace(board=state.board(), facts=state.facts()))


def worded(verdict: Verdict) -> str:
    """Return the verdict and its proof, in a letter whose own board is not that before the turn."""
    view: Any = SimpleNamespace(showing=shown, turns=verdict.number, opponent="Ben", game="tak")
    reader = Reader(view, "tak", Lobby(GAMES))
    return page((*turns.verdict(reader, verdict), *turns.proof(reader, verdict)))


def explained(name: str) -> str:
    return worded(verdict_of_case(CASES[name]))


def quoted(check: Check) -> set[tuple[str, str]]:
    """Return the headings and sentences of the rules, to check quotations of them."""
    return sentences(source(check))


def sentences(texts: Sentences) -> set[tuple[str, str]]:
    found = (re.fullmatch(r'Tak rules, ([^:]+): "([^"]+)"', english(text)) for text in texts)
    return {(quote[1], quote[2]) for quote in found if quote is not None}


@each_row("name", CASES)
def test_a_move_is_explained_word_for_word(name: str) -> None:
    assert explained(name) + "\n" == (TEXTS / f"{name}.txt").read_text(encoding="utf-8")


def test_no_explanation_is_without_a_case() -> None:
    assert {path.stem for path in TEXTS.iterdir()} == set(CASES)


def test_every_reason_has_a_case_in_which_it_decides() -> None:
    reasons = {re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower() for kind in get_args(RuleReason)}
    decided = set()
    for name, case in REFUSED.items():
        deciding = verdict_of_case(case).deciding
        assert deciding is not None
        assert deciding.reason is not None
        assert name.split(", ")[0] == deciding.reason.name
        decided.add(deciding.reason.name)
    assert decided == reasons


def test_a_turn_that_keeps_every_rule_is_told_to() -> None:
    for case in ALLOWED.values():
        verdict = verdict_of_case(case)
        assert verdict.is_legal
        assert verdict.after is not None
        assert " would keep every rule." in worded(verdict).splitlines()[0]


def test_every_rule_and_every_reason_quotes_the_rules_word_for_word_and_under_their_heading() -> None:
    checks = [check for case in CASES.values() for check in verdict_of_case(case).checks]
    for check in checks:
        assert quoted(check), check.rule
        assert quoted(check) <= SENTENCES, check.rule
    assert {check.rule for check in checks if check.reason is None} == {
        rule.name for rule in (*PLACING_RULES, *MOVING_RULES)
    }
    ends = [verdict_of_case(case) for case in ALLOWED.values()]
    of_ends = [sentences(ending_source(one.result)) for one in ends if one.result is not None]
    assert all(of_ends)
    assert set.union(*map(quoted, checks), *of_ends) == SENTENCES


def test_what_is_no_rule_of_the_book_is_said_to_be_the_players_own() -> None:
    assert "Komi is not in the rules" in explained("game-over, as the board is full")
    assert "Komi" not in explained("game-over")
    assert "For 7x7 the table there says nothing" in explained("none-left, on 7x7")
    assert "is not in the rules" in explained("off-the-edge")


@each_row("name", CASES)
def test_an_explanation_is_short_and_begins_with_the_verdict(name: str) -> None:
    text = explained(name)
    assert len(text.splitlines()) <= MAX_LINES
    assert text.startswith("As turn ")
    verdict, rule, *_ = text.split("\n\n")
    assert ("would keep every rule." in verdict) == (name in ALLOWED)
    assert ("would break a rule: " in verdict) == (name in REFUSED)
    assert rule.startswith("Tak rules, ")


@given(st.data(), st.integers(3, 8), st.integers(0, 10**6), st.integers(0, 150))
def test_whatever_is_tried_is_explained(data: st.DataObject, size: int, seed: int, plies: int) -> None:
    position = wander(size, seed, plies)
    verdict = verdict_of(position, data.draw(any_move(position)))
    text = worded(verdict)
    assert ("would keep every rule." in text) == verdict.is_legal
    assert text.count("Tak rules, ") == 1
    assert "None" not in text
    assert len(text.splitlines()) <= MAX_LINES
