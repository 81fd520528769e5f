"""Forged and stale answers, in every combination: they end no offer, close no question, and do nothing else."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.limits.questions import MAX_KEPT_QUESTIONS
from takmail.world.kinds import Ruling, Standing
from tests.attacks.scene import ADA_AT_WORK, BEN, EVERYBODY, OTHER, SOMEONE, Scene
from tests.support.harness import ADA, Received
from tests.support.kept import asked as kept_questions
from tests.support.kept import kept
from tests.support.memory_harness import MemoryHarness
from tests.support.players import said

ANSWERS = (
    "yes",
    "no",
    "ok",
    "Yes, please",
    "\U0001f44d",
    "agree",
    "agree draw",
    "agree back 1",
    "refuse",
    "refuse draw",
    "withdraw",
    "accept",
    "decline",
    "resign",
    "yes\nresign",
    "yes\nps d4",
    "#1 yes",
    "#1 agree",
    "#1 no",
    "#3 yes",
    "#4 accept",
    "draw",
    "undo",
    "propose back 1",
    "stop",
    "forget me\nyes",
)
SUBJECTS = (None, "[tak #1]", "Re: [tak #3] Ada vs Other", "[tak #4]")


@pytest.fixture(scope="module")
def asked() -> Scene:
    """Return the scene of all attacks, in which Ben and Other offer Ada something, too."""
    scene = Scene(MemoryHarness())
    harness = scene.harness
    harness.send(f"Ben <{BEN}>", "draw\npropose back 1", scene.letter(BEN, 1))
    harness.send(f"Other <{OTHER}>", "draw", scene.letter(OTHER, 3))
    assert len(harness.table(1).offers) == 2
    assert len(harness.table(3).offers) == 1
    return scene


def copy_of(scene: Scene) -> Scene:
    """Return a copy of a scene, which an attack can't change for the next one."""
    copied = object.__new__(Scene)
    copied.harness = scene.harness.scene()
    copied.harness.confirms = False
    return copied


@dataclass(frozen=True)
class Forged:
    """A mail with a forged From. Its author has no letter of the sender's, and may answer one of their own."""

    sender: str
    text: str
    subject: str | None
    answers_own: bool


FORGED = st.builds(
    Forged,
    st.sampled_from((ADA, ADA_AT_WORK, BEN, OTHER)),
    st.sampled_from(ANSWERS),
    st.sampled_from(SUBJECTS),
    st.booleans(),
)


@given(st.lists(FORGED, min_size=1, max_size=6))
def test_forged_answers_change_nothing(asked: Scene, forged: list[Forged]) -> None:
    scene = copy_of(asked)
    own = scene.harness.deliver(scene.mail(SOMEONE, "help").as_bytes())[-1]
    mails = [
        scene.mail(
            one.sender,
            one.text,
            **({} if one.subject is None else {"subject": one.subject}),
            **({"In_Reply_To": own.id} if one.answers_own else {}),
        )
        for one in forged
    ]
    store = scene.harness.store
    before, questions = kept(store), kept_questions(store)
    letters = [letter for mail in mails for letter in scene.harness.deliver(mail.as_bytes())]
    assert kept(store) == before
    assert kept_questions(store) >= questions
    # An invitation names its host.
    scene.check_letters(letters, EVERYBODY, host=BEN)


@pytest.mark.parametrize("sender", [ADA, BEN])
def test_many_forged_mails_push_out_no_offer(asked: Scene, sender: str) -> None:
    scene = copy_of(asked)
    offers = [scene.harness.table(game).every_offer for game in (1, 3)]
    mails = [scene.mail(sender, f"#1 say {number}\n#1 draw") for number in range(MAX_KEPT_QUESTIONS + 1)]
    scene.attempt(*mails, hears=EVERYBODY, too_many=True)
    assert [scene.harness.table(game).every_offer for game in (1, 3)] == offers


def letters_to_ada(scene: Scene) -> list[Received]:
    return [letter for letter in scene.harness.box if letter.to in (ADA, ADA_AT_WORK)]


@given(st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(ANSWERS[:5])), min_size=1, max_size=5))
def test_a_bare_answer_does_only_what_its_letter_asks(asked: Scene, answers: list[tuple[int, str]]) -> None:
    """Ada answers any of her letters, also old ones, and proves herself by it.

    The letter about the end of a game is answered with a word about the opponent's invitation to the next one, too.
    """
    scene = copy_of(asked)
    for choice, text in answers:
        letters = letters_to_ada(scene)
        letter = letters[choice % len(letters)]
        before = {number: scene.harness.table(number) for number in (1, 3, 4)}
        scene.harness.deliver(scene.mail(letter.to, text, letter).as_bytes())
        for number, known in before.items():
            now = scene.harness.table(number)
            if now.record.standing is not known.record.standing:
                is_next = (number, "[Result" in letter.text) == (4, True)
                assert f"[tak #{number}" in letter.subject or is_next, "another game than that of the letter"
            if now.record.end.resigned is not known.record.end.resigned:
                assert "resign" in said(letter) or "give this game up" in said(letter)
            if now.record.end.ruling is Ruling.AGREED and known.record.end.ruling is None:
                assert "offers a draw" in said(letter)
            if now.turns != known.turns:
                assert "wants to" in said(letter) or "ps d4" in said(letter), said(letter)
            if known.record.standing is Standing.INVITED and now.record.standing is Standing.OPEN:
                assert "accept" in said(letter)
