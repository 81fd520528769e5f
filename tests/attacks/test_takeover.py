"""Attacks on an account with a token that has leaked: Ada answered with Ben in Cc, or forwarded a letter."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from takmail.letters.services import Services
from takmail.mail.tokens import NO_REMINDERS
from takmail.world.kinds import LetterView
from takmail.world.letters import Budget
from takmail.world.players import NO_TEXT, Player
from tests.attacks.scene import OURS
from tests.support.memory_harness import PLAIN, WITHOUT_PLUS, MemoryHarness, turns
from tests.support.players import ADA, BEN, TAK, Received, said
from tests.support.scenes import played_once
from tests.support.width import combined, some_of

AS_ADA = f"Ada <{ADA}>"
AS_BEN = f"Ben <{BEN}>"
AWAY = "I am away until Monday, sorry."
EVIL = "evil@example.net"
ADA_AT_WORK = "work.ada@example.org"

STRICT = f"{OURS}; dmarc=fail (p=REJECT sp=REJECT dis=NONE) header.from=example.org"
LAX = f"{OURS}; dmarc=fail (p=NONE sp=NONE dis=NONE) header.from=example.org"
PASS = f"{OURS}; dmarc=pass header.from=example.org"


@pytest.fixture
def game() -> MemoryHarness:
    """Return a game of Ada and Ben with one turn each. Ada has a second address."""
    harness = MemoryHarness()
    _played(harness)
    harness.confirms = False
    return harness


@played_once
def _played(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a1", "ps e5")
    harness.send(AS_ADA, f"address add {ADA_AT_WORK}", harness.last(ADA))
    harness.send(f"Ada <{ADA_AT_WORK}>", "yes", harness.last(ADA_AT_WORK))
    harness.send(AS_ADA, "rs", letter(harness, ADA))
    harness.send(AS_BEN, "rs", letter(harness, BEN))


def letter(harness: MemoryHarness, who: str) -> Received:
    """Return the newest letter of the game to somebody that asks nothing."""
    asks = harness.services.key.asks
    tagged = (one for one in reversed(harness.box) if one.to == who and one.subject.startswith("[tak #1"))
    return next(one for one in tagged if not asks(one.id))


def account(harness: MemoryHarness) -> Player:
    """Return Ada as she is stored, without what any mail of hers changes."""
    (ada,) = (one for one in harness.memory.players.values() if ADA in one.addresses)
    boxes = tuple(replace(one, verified_at=None, last_text=NO_TEXT, budget=Budget()) for one in ada.mailboxes)
    return replace(ada, mailboxes=boxes)


def in_to(harness: MemoryHarness) -> dict[str, object]:
    return {"to": str(letter(harness, ADA).mail["Reply-To"]), "subject": "Hello"}


def in_reply_to(harness: MemoryHarness) -> dict[str, object]:
    return {"In_Reply_To": letter(harness, ADA).id}


def in_references(harness: MemoryHarness) -> dict[str, object]:
    return {"References": letter(harness, ADA).id}


def in_a_letter(harness: MemoryHarness) -> dict[str, object]:
    """The attacker has a whole forwarded letter."""
    return {"answers": letter(harness, ADA)}


LEAKS = (in_to, in_reply_to, in_references, in_a_letter)
Leak = Callable[[MemoryHarness], dict[str, object]]


def forge(harness: MemoryHarness, words: str, leak: Leak = in_to, **more: object) -> list[Received]:
    """Ben sends these words in Ada's name with a token of hers."""
    return harness.send(AS_ADA, words, **{**leak(harness), **more})  # type: ignore[arg-type]


ORDERS = (
    f"address add {EVIL}",
    f"address remove {ADA_AT_WORK}",
    f"address remove {ADA}",
    "name Queen of nothing",
    "block Ben",
    "stop",
    "mydata",
    "forget me",
)


@pytest.mark.parametrize(("leak", "order"), combined(LEAKS, ORDERS))
def test_a_leaked_token_changes_no_account(game: MemoryHarness, order: str, leak: Leak) -> None:
    before = account(game)
    (asked,) = forge(game, order, leak)
    assert asked.to == ADA
    assert order in said(asked)
    # Whatever Ben says next with what he knows, it is no answer to the letter that asks.
    me = game.services.key.personal_address(ADA)
    addressed = ({}, {"to": me}, {"to": f"{me}, {in_to(game)['to']}"})
    for more, words in combined(addressed, ("yes", f"yes\n{order}", f"{order}\nyes", "ok")):
        forge(game, words, leak, **more)
    assert account(game) == before
    assert not any(one.blocked for one in game.memory.players.values())
    assert EVIL not in {one.to for one in game.box}


@pytest.mark.parametrize("order", some_of(ORDERS, 3))
def test_her_own_yes_to_the_letter_does_it(game: MemoryHarness, order: str) -> None:
    (asked,) = game.send(AS_ADA, order, letter(game, ADA))
    answers = [one for one in game.send(AS_ADA, "yes", asked) if one.to == ADA]
    assert f"You said yes to: {order}".partition("@")[0] in said(answers[-1])
    assert "Not done" not in said(answers[-1])


def test_a_no_lets_it_drop(game: MemoryHarness) -> None:
    (asked,) = forge(game, "name Nobody you know")
    game.send(AS_ADA, "no", asked)
    (late,) = game.send(AS_ADA, "yes", asked)
    assert 'nothing is waiting for a "yes"' in said(late)


def test_a_move_beside_it_is_played_and_all_the_rest_is_one_question(game: MemoryHarness) -> None:
    words = "ps c3\nreceipts off\n/block Ben\n/name Countess\n\nYour turn!"
    letters = game.send(AS_ADA, words, letter(game, ADA))
    assert turns(game)[2:] == ["ps c3"]
    assert account(game).preferences.wants_no_receipts
    (asked,) = (one for one in letters if one.asks_who)
    assert "| block Ben | name Countess" in said(asked)
    assert "Your turn!" in said(letter(game, BEN))
    game.send(AS_ADA, "yes", asked)
    assert account(game).name == "Countess"
    assert account(game).blocked


def test_a_leaked_token_sets_what_ada_undoes_by_a_line(game: MemoryHarness) -> None:
    before = account(game)
    orders = ("language ru", "view text", "receipts off", "reads ptn", "away 10 days")
    for leak, order in combined(LEAKS, orders):
        (told,) = forge(game, order, leak)
        assert told.to == ADA
    for undone_by in ("back", "reads mail", "receipts on", "view both", "English"):
        game.send(AS_ADA, undone_by, letter(game, ADA))
    after, chosen = account(game), {"language": "en", "letter_view": LetterView.BOTH}
    assert after.preferences == replace(before.preferences, **chosen)  # type: ignore[arg-type]
    assert after.time_off == ()


def test_what_can_not_be_done_is_refused_at_once(game: MemoryHarness) -> None:
    (answer,) = game.send(AS_ADA, "name www.example.org", letter(game, ADA))
    assert not answer.asks_who
    assert "a name may not" in said(answer)


def test_where_the_mail_server_vouches_for_her_nothing_is_asked(game: MemoryHarness) -> None:
    game.change(authserv_id=OURS)
    (answer,) = game.send(AS_ADA, "name Countess", letter(game, ADA), Authentication_Results=PASS)
    assert "you are called Countess" in said(answer)


@pytest.mark.parametrize(
    ("leak", "words"), combined(LEAKS, ["yes", "yes\n\nBye", "ok", "resign\nyes", "yes\nresign"])
)
def test_a_leaked_token_resigns_no_game(game: MemoryHarness, words: str, leak: Leak) -> None:
    (asked,) = forge(game, "resign", leak)
    assert "Do you want to give this game up?" in said(asked)
    old = next(one for one in game.box if one.to == ADA and one.subject.startswith("[tak #1"))
    for more in ({}, {"In_Reply_To": old.id}, {"References": old.id}):
        forge(game, words, in_to, **more)
    assert game.table().result is None
    game.send(AS_ADA, "yes", next(one for one in reversed(game.box) if "Do you want to give" in said(one)))
    assert game.table().result is not None


def test_a_yes_to_another_letter_asks_again_whether_she_resigns(game: MemoryHarness) -> None:
    game.send(AS_ADA, "resign", letter(game, ADA))
    game.send(AS_BEN, "Shall we play again?", letter(game, BEN))
    (again,) = game.send(AS_ADA, "yes", letter(game, ADA))
    assert "Do you want to give this game up?" in said(again)
    game.send(AS_ADA, "yes", again)
    assert game.table().result is not None


def test_no_letter_shows_the_message_id_of_one_that_asks(game: MemoryHarness) -> None:
    """Ada answers the next letter with Ben in Cc. He reads what is in References, and forges a yes to it."""
    asked = [*forge(game, f"address add {EVIL}"), *forge(game, "resign")]
    asked += game.send(AS_ADA, "ps b1", subject="[tak #1]")
    ids = [one.id for one in asked]
    game.send(AS_BEN, "Hello?", letter(game, BEN))
    game.send(AS_ADA, "What is that?", letter(game, ADA))
    game.send(AS_BEN, "Nothing.", letter(game, BEN))
    for one in game.box:
        others = f"{one.mail['References']} {one.mail['In-Reply-To']}"
        assert not [known for known in ids if known in others]


def test_an_address_that_only_looks_like_the_letter_s_answers_nothing(game: MemoryHarness) -> None:
    (asked,) = forge(game, "stop")
    real = str(asked.mail["Reply-To"])
    forged = real.replace(real[real.index(".q") + 2], "0" if real[real.index(".q") + 2] != "0" else "1", 1)
    game.send(AS_ADA, "yes", to=forged)
    assert not account(game).wants_no_mail


def test_the_token_of_the_subject_takes_no_account_either() -> None:
    """Without plus addresses the Subject carries the token, and any answer shows it."""
    game = MemoryHarness(services=WITHOUT_PLUS)
    game.begin()
    game.confirms = False
    before = account(game)
    subject = game.last(ADA).subject
    for order in (f"address add {EVIL}", "stop", "block Ben", "name Queen of nothing"):
        (asked,) = game.send(AS_ADA, order, subject=f"Re: {subject}")
        game.send(AS_ADA, "yes", subject=f"Re: {subject}")
        game.send(AS_ADA, "yes", subject=f"Re: {asked.subject}")
    assert account(game) == before
    game.send(AS_ADA, "yes", asked)
    assert account(game).name == "Queen of nothing"


@pytest.mark.parametrize("words", ["What is that? I did not ask for it.", "rs", "#1 ps c3", "help", "no"])
def test_an_answer_without_a_yes_that_others_see_leaves_nothing_to_say_yes_to(
    game: MemoryHarness, words: str
) -> None:
    """Ada answers the letter that asks, with Ben in Cc. He reads all its headers."""
    (asked,) = forge(game, f"address add {EVIL}")
    game.send(AS_ADA, words, asked, Cc=BEN)
    game.send(AS_ADA, "yes", asked)
    game.send(AS_ADA, "yes", to=str(asked.mail["Reply-To"]))
    assert EVIL not in {one.to for one in game.box}


def test_a_held_mail_that_others_see_is_no_account_either(game: MemoryHarness) -> None:
    """Ben forges a mail without a token. Ada answers the letter about it, with him in Cc."""
    (held,) = game.send(AS_ADA, f"#1 address add {EVIL}\n#1 ps c3")
    game.send(AS_ADA, "What is that?", held, Cc=BEN)
    assert game.send(AS_ADA, "yes", held) == []
    assert turns(game)[2:] == []
    assert EVIL not in {one.to for one in game.box}


@pytest.mark.parametrize(
    ("words", "order", "is_to_all"),
    combined(
        ["👎", "What is that? I did not ask for it.", AWAY],
        [f"address add {EVIL}", "seek 6", "#1 draw"],
        [True, False],
    ),
)
def test_whatever_answers_a_question_before_others_leaves_nothing_to_say_yes_to(
    game: MemoryHarness, words: str, order: str, *, is_to_all: bool
) -> None:
    """A mere reaction, talk between the players, and an automatic reply show the letter's Message-ID, too."""
    for _ in range(3 * (words == AWAY)):
        game.send(AS_ADA, AWAY, letter(game, ADA))
    (asked,) = game.send(AS_ADA, order)
    own = letter(game, BEN).mail["Reply-To"]
    game.send(AS_ADA, words, asked, Cc=f"{BEN}, {own}" if is_to_all else BEN)
    letters = game.send(AS_ADA, "yes", to=TAK, In_Reply_To=asked.id)
    assert not [one for one in letters if "You said yes to" in said(one)]
    assert {one.to for one in letters} <= {ADA}


# A mail that the mail server refutes.


def test_a_refuted_mail_is_asked_about_whatever_token_it_has(game: MemoryHarness) -> None:
    game.change(authserv_id=OURS)
    (asked,) = forge(game, "ps c3", Authentication_Results=STRICT)
    assert asked.to == ADA
    assert "I can't be sure that it was yours" in said(asked)
    assert turns(game) == ["ps a1", "ps e5"]
    forge(game, "yes", Authentication_Results=STRICT)
    forge(game, "yes", in_a_letter, Authentication_Results=STRICT)
    assert turns(game) == ["ps a1", "ps e5"]
    assert not any(one.is_unsigned for one in account(game).mailboxes)


def test_a_forwarder_is_asked_once_and_never_again(game: MemoryHarness) -> None:
    game.change(authserv_id=OURS)
    board = letter(game, ADA)
    (asked,) = game.send(AS_ADA, "ps c3\n\nHi Ben", board, Authentication_Results=STRICT)
    letters = game.send(AS_ADA, "yes", asked, Authentication_Results=STRICT)
    assert turns(game)[2:] == ["ps c3"]
    assert "Hi Ben" in said(letter(game, BEN))
    assert BEN in {one.to for one in letters}
    for number, (his, hers) in enumerate(
        [("ps b5", "ps b3"), ("ps c5", "ps d3"), ("draw", "refuse"), ("Hi", "Hi")]
    ):
        game.send(AS_BEN, his, letter(game, BEN))
        answers = game.send(AS_ADA, hers, letter(game, ADA), Authentication_Results=STRICT)
        assert not any("can't be sure" in said(one) for one in answers), number
    assert turns(game)[2:] == ["ps c3", "ps b5", "ps b3", "ps c5", "ps d3"]


def test_a_no_leaves_the_address_as_it_is(game: MemoryHarness) -> None:
    game.change(authserv_id=OURS)
    (asked,) = forge(game, "ps c3", Authentication_Results=STRICT)
    game.send(AS_ADA, "no", asked, Authentication_Results=STRICT)
    assert turns(game) == ["ps a1", "ps e5"]
    assert not any(one.is_unsigned for one in account(game).mailboxes)
    (again,) = forge(game, "ps c3", Authentication_Results=STRICT)
    assert "can't be sure" in said(again)


def test_a_personal_token_does_not_beat_it_either(game: MemoryHarness) -> None:
    game.change(authserv_id=OURS)
    me = game.services.key.personal_address(ADA)
    (asked,) = game.send(AS_ADA, "seek 5", to=me, Authentication_Results=STRICT)
    assert asked.asks_who
    game.send(AS_ADA, "yes", to=me, Authentication_Results=STRICT)
    assert not game.memory.open_seeks
    game.send(AS_ADA, "yes", asked, Authentication_Results=STRICT)
    assert game.memory.open_seeks
    assert [one.address for one in account(game).mailboxes if one.is_unsigned] == [ADA]


def test_who_forwards_where_a_fail_means_little_is_asked_nothing(game: MemoryHarness) -> None:
    game.change(authserv_id=OURS)
    game.send(AS_ADA, "ps c3\n\nHi Ben", letter(game, ADA), Authentication_Results=LAX)
    assert turns(game)[2:] == ["ps c3"]
    assert "Hi Ben" in said(letter(game, BEN))


def test_a_guest_who_forwards_is_asked_once() -> None:
    game = MemoryHarness()
    game.change(authserv_id=OURS)
    game.send(AS_ADA, f"new 5 vs {BEN} first=me")
    (asked,) = game.send(AS_BEN, "accept", game.last(BEN), Authentication_Results=STRICT)
    game.send(AS_BEN, "yes", asked, Authentication_Results=STRICT)
    game.send(AS_ADA, "ps a1", letter(game, ADA))
    game.send(AS_BEN, "ps e5", letter(game, BEN), Authentication_Results=STRICT)
    assert turns(game) == ["ps a1", "ps e5"]


@pytest.mark.parametrize(
    ("services", "words", "headers"),
    combined(
        [PLAIN, WITHOUT_PLUS],
        ["", "This message was generated by a program."],
        [{}, {"Auto_Submitted": "auto-generated"}],
    ),
)
def test_a_refuted_way_to_stop_is_asked_about(
    services: Services, words: str, headers: dict[str, str]
) -> None:
    """Ben has read the List-Unsubscribe of a letter that Ada forwarded. Its token is never renewed."""
    game = MemoryHarness(services=services)
    _played(game)
    game.confirms = False
    game.change(authserv_id=OURS)
    to, subject = game.services.key.unsubscribe_address(ADA)
    forged = {"to": to, "subject": subject, "Authentication_Results": STRICT, **headers}
    (asked,) = game.send(AS_ADA, words, **forged)
    assert (asked.to, asked.asks_who) == (ADA, True)
    assert "  | stop\n" in asked.text
    assert not account(game).wants_no_mail
    game.send(AS_ADA, "yes", asked, Authentication_Results=STRICT)
    assert account(game).wants_no_mail
    assert game.send(AS_ADA, words, **forged) == []


def test_a_refuted_way_to_end_reminders_is_asked_about(game: MemoryHarness) -> None:
    game.confirms = False
    game.change(authserv_id=OURS)
    to, subject = game.services.key.unsubscribe_address(ADA, NO_REMINDERS)
    (asked,) = game.send(AS_ADA, "", to=to, subject=subject, Authentication_Results=STRICT)
    assert "  | reminders off\n" in asked.text
    assert not account(game).preferences.wants_no_reminders
    game.send(AS_ADA, "yes", asked, Authentication_Results=STRICT)
    assert account(game).preferences.wants_no_reminders
    assert not account(game).wants_no_mail


@pytest.mark.parametrize("results", ["", LAX, PASS])
def test_a_way_to_stop_that_nothing_refutes_works_at_once_and_is_told_when_they_write(
    game: MemoryHarness, results: str
) -> None:
    game.change(authserv_id=OURS)
    to, subject = game.services.key.unsubscribe_address(ADA)
    letters = game.send(AS_ADA, "", to=to, subject=subject, Authentication_Results=results)
    assert [one.to for one in letters] == [BEN]
    assert account(game).wants_no_mail
    for words in ("games", "Hello?", "", "view text"):
        answer = next(one for one in game.send(AS_ADA, words, letter(game, ADA)) if one.to == ADA)
        assert answer.asks_who or "have asked for no more mail" in said(answer), words
    (answer,) = (one for one in game.send(AS_ADA, "ps c3", letter(game, ADA)) if one.to == ADA)
    assert not account(game).wants_no_mail
    assert "no more mail" not in said(answer)


def test_a_guest_s_refuted_way_to_stop_is_asked_about() -> None:
    """The guest's mails are forwarded, and they have never written."""
    game = MemoryHarness()
    game.change(authserv_id=OURS)
    game.send(AS_ADA, f"new 5 vs {BEN}")
    game.confirms = False
    to, subject = game.services.key.unsubscribe_address(BEN)
    (asked,) = game.send(AS_BEN, "", to=to, subject=subject, Authentication_Results=STRICT)
    letters = game.send(AS_BEN, "yes", asked, Authentication_Results=STRICT)
    assert "Ben does not want to play" in said(next(one for one in letters if one.to == ADA))
