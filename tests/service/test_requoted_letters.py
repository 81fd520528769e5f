"""A mail does what is typed in it, however its program quotes the letter that it answers.

Letters of several kinds, in each language, are answered by the programs of the corpus. Each such mail is compared with
a mail of the same words that quotes nothing: it plays, asks, answers and passes on the same.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import pytest

from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import understand
from takmail.games.registry import GAMES
from takmail.letters.catalogue import ENGLISH
from takmail.mail.quotes.words import words_of
from takmail.world.events import GameEvent
from takmail.world.kinds import LetterView
from tests.commands.grammar.reading import ASKED
from tests.support import databases
from tests.support.explained import explained, outcome_of, read_of, trace_of
from tests.support.harness import ADA, BEN, TEMPLATES, Harness, Received
from tests.support.letters_of_all_kinds import KINDS
from tests.support.orders import ordered
from tests.support.requoted import PROGRAMS, Program, requoted, text_quoted, typed_in
from tests.support.width import IS_WIDE, some_of

EVERY = 36 if IS_WIDE else 144
"""The share of the pairs of a letter and a mail that is tried; all of them in the long run."""


@dataclass(frozen=True)
class Scene:
    """A letter that is answered with these words."""

    letter: Callable[[Harness], Received]
    typed: str


def begun(harness: Harness, *turns: str) -> Received:
    harness.begin_and_play("ps a1", "ps e5", "ps c3", *turns)
    return harness.last(BEN)


def first_turn(harness: Harness) -> Received:
    harness.begin()
    return harness.last(ADA)


def receipt(harness: Harness) -> Received:
    harness.begin_and_play("ps a1")
    return harness.last(ADA)


def looked(harness: Harness, words: str) -> Received:
    begun(harness)
    harness.play(words, start=1)
    return harness.last(BEN)


def offered(harness: Harness, words: str) -> Received:
    begun(harness)
    harness.play(words)
    return harness.last(BEN)


SCENES = {
    "turn": Scene(begun, "ps d4"),
    "wall": Scene(begun, "pw b4"),
    "first-turn": Scene(first_turn, "ps a1"),
    "receipt": Scene(receipt, "log"),
    "mid-game": Scene(KINDS["mid-game"], "ps b1"),
    "tall-stacks": Scene(KINDS["tall-stacks"], "ms d4 p3 1 2"),
    "late-on-8x8": Scene(KINDS["late-on-8x8"], "rs"),
    "show": Scene(partial(looked, words="rs"), "ps b4"),
    "log": Scene(partial(looked, words="log"), "ps b4"),
    "why": Scene(partial(looked, words="why 3"), "ps b4"),
    "moves": Scene(partial(looked, words="moves c3"), "ps d4"),
    "help": Scene(partial(looked, words="help"), "ps b4"),
    "offer": Scene(partial(offered, words="draw"), "refuse"),
    "back": Scene(partial(offered, words="propose back 1"), "agree"),
    "chat": Scene(partial(offered, words="A flat is worth more than a wall, isn't it?"), "ps d5"),
    "dispute": Scene(KINDS["dispute"], "log"),
    "invitation": Scene(KINDS["invitation"], "accept"),
    "university-invitation": Scene(KINDS["university-invitation"], "accept"),
    "university-win": Scene(KINDS["university-win"], "rematch"),
    "win": Scene(KINDS["win-by-road"], "rematch"),
    "draw": Scene(KINDS["draw"], "rematch"),
}


@dataclass(frozen=True)
class Done:
    """What a mail has done."""

    decision: object
    orders: object
    chat: str
    reports: object
    happened: object
    letters: list[str]


@dataclass(frozen=True)
class Played:
    """A scene that is played. `number` is its place among all of them."""

    number: int
    harness: Harness
    letter: Received
    typed: str


def scenes() -> Iterator[Any]:
    """Yield each language and scene.

    Of the scenes in other languages than English, most are for the long run. `make test` plays few of the others.
    """
    every = [*enumerate(product(TEMPLATES.languages, SCENES))]
    usual = [pair for number, pair in every if pair[0] == ENGLISH or number % 4 == 0]
    few = some_of(usual, 2) + some_of((pair for pair in usual if pair[0] != ENGLISH), 1)
    for _, pair in every:
        marks = [] if pair in few else [pytest.mark.wide if pair in usual else pytest.mark.long]
        yield pytest.param(pair, marks=marks, id="-".join(pair))


@pytest.fixture(scope="module", params=scenes())
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    language, name = request.param
    store = databases.opened(tmp_path_factory.mktemp("letters"))
    harness = Harness(store, letter_view=LetterView.BOTH, language=language)
    one = SCENES[name]
    yield Played([*SCENES].index(name), harness, one.letter(harness), one.typed)
    store.close()


def mail(harness: Harness, letter: Received, text: str | None, page: str | None) -> bytes:
    """Return a mail with one or both of these sides."""
    made = harness.mail(letter.to, "", letter, quoting=False)
    if text is not None:
        made.set_content(text)
    if page is not None and text is not None:
        made.add_alternative(page, subtype="html")
    elif page is not None:
        made.set_content(page, subtype="html")
    return made.as_bytes()


def done(harness: Harness, raw: bytes) -> Done:
    it = explained(harness, raw)
    assert it.error == ""
    # Blank lines between the words for the opponent may differ.
    letters = [" ".join(one.text.replace("  |", "").split()) for one in it.letters]
    understood = read_of(it).understood
    happened = [
        (type(event).__name__, event.version if isinstance(event, GameEvent) else None)
        for event in outcome_of(it).happened
    ]
    words = " ".join(words_of(understood.chat))
    return Done(trace_of(it).decision, ordered(understood.orders), words, it.reports, happened, letters)


def answers(program: Program, typed: str, letter: Received) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield the mails that a program may send, with what each was made of."""
    sides = requoted(program, typed, letter.text, letter.html)
    if sides.text is not None:
        yield "text", sides.text, None
        yield "text of text", text_quoted(program, typed, letter.text), None
    if sides.page is not None:
        yield "page", None, sides.page


@pytest.mark.parametrize("every", [EVERY, pytest.param(1, marks=pytest.mark.long)])
def test_a_mail_does_what_is_typed_in_it(scene: Played, every: int) -> None:
    harness, letter, typed = scene.harness, scene.letter, scene.typed
    wanted: dict[str, Done] = {}
    for number, program in enumerate(PROGRAMS):
        words = typed_in(program, typed)
        for other, (kind, text, page) in enumerate(answers(program, typed, letter)):
            if (scene.number + number + other * 5) % every:
                continue
            if words not in wanted:
                wanted[words] = done(harness, mail(harness, letter, words, None))
            assert done(harness, mail(harness, letter, text, page)) == wanted[words], (program.corpus, kind)


@pytest.mark.parametrize(
    "kind", some_of(["first-ply", "mid-game", "tall-stacks", "late-on-8x8", "draw", "on-3x3"], 1)
)
def test_no_words_of_a_square_are_a_command(harness: Harness, kind: str) -> None:
    letter = KINDS[kind](Harness(harness.store, letter_view=LetterView.BOTH))
    squares = re.findall(r'<img [^>]*alt="([^"]+)"', letter.html)
    assert len(squares) >= 9
    rows = [" ".join(squares[at : at + 3]) for at in range(0, len(squares), 3)]
    for form in ("{}", "[{}]", "[image: {}]", "> {}", "![{}](cid:one)"):
        for words in {*squares, *rows}:
            read = understand(form.format(words), anywhere(GAMES, COMMANDS), expected=ASKED)
            assert read.orders == (), words
