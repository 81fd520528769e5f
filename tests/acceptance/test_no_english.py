"""Letters in Russian and Chinese have no English in them, but what can be typed, names, and notation.

Each mail is written in some scenes of a game, by both players.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from takmail.commands.command_list import COMMANDS
from takmail.letters.catalogue import ENGLISH
from takmail.world.kinds import LetterView
from tests.support.every_kind import every_kind
from tests.support.harness import TEMPLATES, Harness
from tests.support.latin import english_in, english_in_page, english_in_subject
from tests.support.memory_harness import WITH_BOTS, MemoryHarness
from tests.support.players import ADA, BEN, TAK, Received
from tests.support.tables import each_row
from tests.support.width import IS_WIDE, SEED, each_language, some_of

OTHER = "other@example.org"
AS = {ADA: f"Ada <{ADA}>", BEN: f"Ben <{BEN}>", OTHER: f"Oli <{OTHER}>"}
LANGUAGES = [language for language in each_language(TEMPLATES.languages) if language != ENGLISH]
EVERY = 29 if IS_WIDE else 300
"""One of so many mails is tried in each scene; all of them in the long run. `make test` plays two of the scenes."""
BOARD = "S 0 0 0 0\n0 0 0 0 0\n0 0 s W 0\n0 0 0 0 0\n0 0 0 0 s"
LOOKS = """hint|review|review 1|review 99
rs|show 1|show 2|show 99|show x|turn|log|ptn|games|match|match Ben|match Oli|why|why 1|why 2|why 99|why ps a1
why ps b2|im|im 1|im #9|moves|moves c3|moves a1|moves z9|moves b2|moves e5|rules|rules tak|rules tzaar
bots|rules university|rules femr|rules xx|seeks|reads|view|receipts|name|language|zone|address|block|mydata
reminders|holiday|away|clock|learn|learn 2|learn 2 ps a1|learn 3 pw c2|learn 8 ps c2|learn 4 b9|learn 9"""
CHANGES = """say 你好|draw|undo|resign|rematch|propose back 1|propose back 2|propose back 99|propose back x
propose restart|propose board|agree|refuse|withdraw|agree draw|withdraw draw|refuse back 3|agree board|view text
view html|view both|view x|receipts off|receipts on|reads ptn|reads x|name 王|name Countess|name x@y|language zh
language klingon|zone Berlin|zone auto|zone Berlim|zone Xanadu
address add ada2@example.org|address remove ada@example.org|address add x
address remove nobody@example.org|block Oli|block Nobody|block Ben|unblock|unblock Oli|stop|forget me|quit|bid|bid 3
bid x|accept|decline|accept bid=3|unseek|unseek 1|unseek 99|seek|seek 5|seek 6 first=me days=3|seek tzaar|seek 9
join|join 1|join 99|away 10 days|away 40 days|away until 3/4|away until 31 February|away until 2026-01-01
clock on|gift 2d|gift x|claim|wait|propose days=5|propose time=7d+1d|propose time=none|refuse time
away until x|back|reminders off|reminders on|reminders x|holiday manual|holiday auto|holiday x"""
INVITATIONS = f"""new|new 5|new 5 vs {OTHER}|new 9 vs {OTHER}|new 5 komi=abc vs {OTHER}|new 5 score=best vs {OTHER}
new 5 caps=1 vs {OTHER}|new 7 caps=3 vs {OTHER}|new 5 rules=femr bid=3 vs {OTHER}|new tzaar vs {OTHER}
new tzaar placed vs {OTHER}|new 5 relay vs {OTHER}|new 5 relay rules=femr vs {OTHER}|new chess vs {BEN}
new 5 days=3 strict vs {OTHER}|new 5 time=14d+1d vs {OTHER}|new 5 strict vs {OTHER}
new 5 vs bot|new 5 vs bot fair|new 5 vs bot giant|new 5 relay vs bot
new 5 vs nobody|new 5 vs {TAK}|new 6 komi=2.5 first=them days=3 caps=2 score=tarway vs {OTHER}"""
TURNS = """ps|ps z9|ps a1|pw b2|pc b2|ps b4 now|p s b4|ms a1|ms a1 p1 1|ms c3 p1 1|ms c3 p2 2|ms c3 p3 1 1 1|ms b2 p12
mn a1 p1 1|me e5 p1 1|ms b2 p1 1|b4|a flat on b4|b4 wall|c3>|3c3>12|Sb4|ptn 1. a1|ps b4 t|ps b4 ps b5|ps b4?|psb4
ps 4b|m b4|mx b4|ms b2 p3 2|ms b2 p0|#5 ps b4|ps b4 #5|3 ps b4|/ps b4|c e1 f1 pass|c a1 a2 pass|c g1 f1 pass|pass"""
DOUBTS = """resing|hlep|drwa|undo it|i resign|ok|yes|no|yes please|hint|is it my turn?|whose turn is it|how do i play
what are the rules|take back my move please|i want to give up|lets draw|show the board|stop it|unsubscribe|#7 rs
#2 rs"""
LINES = [
    *(
        line
        for lines in (LOOKS, CHANGES, INVITATIONS, TURNS, DOUBTS)
        for line in lines.replace("\n", "|").split("|")
    ),
    *(f"name {'x' * 60}", f"propose board me\n{BOARD}", BOARD, "S 0 0\n0 0 0\n0 0 x", "ps b4\nps b5"),
    *("ps b4\ndraw\nundo", "#1 resign\nps b4"),
]
LINES.remove("mydata")  # which needs a database
TOPICS = (
    "",
    *COMMANDS.words,
    "board",
    "coins",
    "tinue",
    "tak",
    "tzaar",
    "university",
    "femr",
    "nonsense",
    "relay",
)
PAGES = [f"help {topic}" for topic in (*TOPICS, *(f"tzaar {one}" for one in ("moves", "new", "board")))]


def begun(harness: MemoryHarness, words: str = "5", *turns: str) -> None:
    harness.begin_and_play(*turns, words=words)


def offered(harness: MemoryHarness) -> None:
    begun(harness, "5", "ps a1", "ps e5", "ps c3")
    harness.send(AS[BEN], "draw", harness.last(BEN))
    harness.send(AS[ADA], "propose back 1", harness.last(ADA))


def ended(harness: MemoryHarness) -> None:
    begun(harness, "3", "ps a1", "ps c3", "ps b3", "ps a2", "ps c2", "resign")
    harness.send(AS[BEN], "yes", harness.last(BEN))


def with_bids(harness: MemoryHarness) -> None:
    harness.send(AS[ADA], f"new 5 vs {BEN} rules=university bid=6")
    harness.send(AS[BEN], "accept bid=3", harness.last(BEN))


SCENES: dict[str, Callable[[MemoryHarness], None]] = {
    "begun": lambda harness: begun(harness, "5", "ps a1", "ps e5", "ps c3"),
    "first-turn": begun,
    "on-3x3": lambda harness: begun(harness, "3", "ps a1", "ps c3", "ps b2", "pw b1", "ps a2"),
    "offered": offered,
    "ended": ended,
    "relay": lambda harness: begun(harness, "5 relay", "ps b4 t", "ps c3"),
    "femr": lambda harness: begun(harness, "5 rules=femr", "ps a1", "ps e5", "ps c3"),
    "university": with_bids,
    "tzaar": lambda harness: begun(harness, "tzaar fixed", "c e1 f1 pass"),
    "tzaar-random": lambda harness: begun(harness, "tzaar"),
    "tzaar-placing": lambda harness: begun(harness, "tzaar tournament", "pt b4"),
}


def faults(letter: Received, typed: str) -> Iterator[str]:
    """Yield the English words of a letter, in its Subject, its text and its HTML part."""
    found = {
        "subject": english_in_subject(letter.subject),
        "text": english_in(letter.text, typed),
        "page": english_in_page(letter.html, letter.text, typed),
    }
    for part, words in found.items():
        if words:
            yield f"{typed!r} is answered to {letter.to} in the {part} with: {' '.join(words)}"


@each_row(
    ("text", "english"),
    [
        ("Ben кладёт плоский камень на A1 (ps a1).\n\nsS 0 W\nA  B C", []),
        ("Ben предлагает draw.", ["draw"]),
        ("Ben предлагает ничью: «agree», «refuse draw».", []),
        ("«draw offered»", ["offered"]),
        ("白方的flat。“ps b1”就行。", ["flat"]),
        ("你写了：draw\n5x5，White先走。", ["White"]),
        ("  draw     提议和棋。\n  draw     Offers a draw.", ["Offers"]),
        ("Not done: C3 is not empty.", ["Not", "done", "is", "not", "empty"]),
    ],
)
def test_english_is_found(text: str, english: list[str]) -> None:
    assert english_in(text) == english


@pytest.mark.parametrize("every", [EVERY, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_has_no_english(language: str, every: int) -> None:
    found: list[str] = []
    chance = Random(SEED)
    mails = list(product((*LINES, *PAGES), (ADA, BEN)))
    for name in SCENES if IS_WIDE else chance.sample(list(SCENES), 2):
        scene = MemoryHarness(services=replace(WITH_BOTS, language=language))
        SCENES[name](scene)
        for letter in scene.box:
            found += (f"{name}: {one}" for one in faults(letter, "new vs accept resign draw back me"))
        for line, who in chance.sample(mails, len(mails) // every):
            harness = scene.scene()
            before = len(harness.box)
            harness.send(AS[who], line, harness.last(who))
            for letter in harness.box[before:]:
                found += (f"{name}: {one}" for one in faults(letter, line))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", some_of(LANGUAGES, 1))
def test_a_letter_about_the_account_or_a_broken_game_has_no_english(harness: Harness, language: str) -> None:
    harness = Harness(harness.store, letter_view=LetterView.BOTH, language=language)
    every_kind(harness)
    typed = "Hello what is this A nice game other turn nobody knows what was played no turn at all"
    to_players = (
        letter for letter in harness.box if letter.to != OTHER or letter.subject != "Game 2 is broken"
    )
    found = [one for letter in to_players for one in faults(letter, typed)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", some_of(LANGUAGES, 1))
def test_a_letter_with_all_data_has_no_english(harness: Harness, language: str) -> None:
    harness = Harness(harness.store, letter_view=LetterView.BOTH, language=language)
    harness.begin()
    harness.send(AS[BEN], "mydata", harness.last(BEN))
    words, brace, data = harness.last(BEN).text.partition("\n{")
    assert brace
    assert english_in(words + data.rpartition("}")[2]) == []
