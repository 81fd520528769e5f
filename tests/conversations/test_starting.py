"""How a game begins: invitations in every form, and the answers to them."""

import re
from datetime import timedelta
from email.headerregistry import Address

import pytest

from takmail.limits.games import MAX_INVITATIONS, MAX_INVITATIONS_IN_MAIL
from takmail.limits.words import MAX_NAME_CHARS
from takmail.world.kinds import GameNumber, LetterState, Standing
from tests.support.memory_harness import WITH_BOTS, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.width import tenth_of

OTHER = "other@example.org"


def standing(harness: MemoryHarness, number: int = 1) -> Standing | None:
    game = harness.memory.tables.get(GameNumber(number))
    return None if game is None else game.record.standing


def invite(harness: MemoryHarness, words: str = f"new 5 vs {BEN} first=me") -> Received:
    """Ada invites. Return the invitation."""
    invitation, answer = harness.send(f"Ada <{ADA}>", words)
    assert answer.to == ADA
    return invitation


@pytest.mark.parametrize(
    ("line", "expected"),
    tenth_of(
        [
            ("new 5 vs ben@example.org", "5"),
            ("New 5x5 VS Ben@Example.org.", "5"),
            ("new 6 komi=2.5 vs ben@example.org first=them", "6 komi=2.5"),
            ("new first=me vs ben@example.org 4", "4"),
            ("new 5 vs ben@example.org, first=me, komi=2", "5 komi=2"),
            ("new 5 vs Ben Miller <ben@example.org>", "5"),
            ('new 5 vs "Ben" <ben@example.org>', "5"),
            ("new 5 vs ben@example.org <mailto:ben@example.org>", "5"),
            ("new 5 vs ben@example.org<mailto:ben@example.org> first=me", "5"),
            ("challenge 5 vs ben@example.org", "5"),
            ("challenge ben@example.org 5 komi=2", "5 komi=2"),
            ("/new 5 vs ben@example.org", "5"),
            ("new 5 ben@example.org", "5"),
            ("new ben@example.org 5 komi=2", "5 komi=2"),
            ("new vs ben@example.org", "5"),
            ("new 5 vs ben@example.org please", "5"),
        ]
    ),
)
def test_an_invitation_is_read_in_every_order(harness: MemoryHarness, line: str, expected: str) -> None:
    assert invite(harness, line).to == BEN
    assert harness.table().record.setup == expected
    assert standing(harness) == Standing.INVITED


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("new 5", "I could not tell whom you want to play"),
        ("new", "I could not tell whom you want to play"),
        ("new 5 vs", "I could not tell whom you want to play"),
        ("challenge", "I could not tell whom you want to play"),
        ("challenge 5 vs ben", 'nobody called "ben" plays here'),
        ("new 5 vs ben first=me", 'nobody called "ben" plays here'),
        ("new 9x9 vs ben@example.org", 'there is no board of size "9x9"'),
        ("new 5 vs ben@example.org komi=abc", '"abc" can\'t be a komi'),
        ("new 5 vs ben@example.org quickly", 'I do not know what "quickly" means here'),
        ("new 5 vs ben@example.org first=ben", 'I can\'t read "..."'),
        ("new 5 vs ben@example.org first=me first=them", 'I can\'t read "..."'),
        ("new 5 vs ben@example.org other@example.org", "more than one address in this line"),
        ("new 5 vs ada@example.org", "that is you"),
        ("new 5 vs tak@example.test", "this is my own address"),
        ("new 5 vs Tak+12.abc@example.test", "this is my own address"),
        ("new 5 vs tak+hello@example.test", "this is my own address"),
        ("new 5 vs " + 90 * "x", 'nobody called "' + 60 * "x" + ' ..." plays here'),
    ],
)
def test_an_invitation_that_cannot_be_read_is_answered_and_invites_nobody(
    harness: MemoryHarness, line: str, answer: str
) -> None:
    (letter,) = harness.send(f"Ada <{ADA}>", line)
    assert letter.to == ADA
    assert answer in said(letter)
    assert standing(harness) is None


@pytest.mark.parametrize(
    "line",
    [
        "new to this, sorry",
        "new laptop vs old one, no contest",
        "challenge accepted",
        "show me the sights",
        "help me with the car please",
    ],
)
def test_a_sentence_that_begins_like_a_command_is_chat(harness: MemoryHarness, line: str) -> None:
    harness.begin()
    _, news = harness.send(f"Ada <{ADA}>", line, harness.last(ADA))
    assert f"  | {line}\n" in news.text


def test_an_invitation_may_stand_in_the_subject_of_an_empty_mail(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", "", subject=f"new 5 vs {BEN}")
    assert standing(harness) == Standing.INVITED


@pytest.mark.parametrize("subject", [f"Re: new 5 vs {BEN}", f"AW: new 5 vs {BEN}", f"Fwd: new 5 vs {BEN}"])
def test_the_subject_of_a_reply_is_never_read(harness: MemoryHarness, subject: str) -> None:
    harness.send(f"Ada <{ADA}>", "", subject=subject)
    harness.send(f"Ada <{ADA}>", "", subject=f"new 5 vs {BEN}", In_Reply_To="<other@example.org>")
    harness.send(f"Ada <{ADA}>", "Hello", subject=f"new 5 vs {BEN}")
    assert standing(harness) is None


def test_a_subject_without_a_command_is_no_chat(harness: MemoryHarness) -> None:
    harness.begin()
    to = str(harness.last(ADA).mail["Reply-To"])
    (answer,) = harness.send(f"Ada <{ADA}>", "", to=to, subject=harness.last(ADA).subject)
    assert "I found no words of yours in the text of this mail" in answer.text


def test_a_move_may_stand_in_the_subject_of_an_empty_mail(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "", to=str(harness.last(ADA).mail["Reply-To"]), subject="PS B4")
    assert turns(harness) == ["ps b4"]


def test_several_invitations_in_one_mail_are_all_sent(harness: MemoryHarness) -> None:
    letters = harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}\nnew 6 vs {OTHER}")
    assert [letter.to for letter in letters] == [BEN, OTHER, ADA]
    assert "it is game #1" in said(letters[-1])
    assert "it is game #2" in said(letters[-1])


def test_an_invitation_says_all_that_there_is_to_agree_to(harness: MemoryHarness) -> None:
    text = said(invite(harness, f"new 6 vs {BEN} first=them komi=2.5"))
    assert "Ada asks you to a game of Tak by mail (6x6)" in text
    assert "Komi is 2.5" in text
    assert "The first turn would be yours." in text
    assert '"decline"' in text


def test_an_accepted_game_begins_for_both(harness: MemoryHarness) -> None:
    invitation = invite(harness)
    answer, news = harness.send(f"Ben <{BEN}>", "accept", invitation)
    assert "Done: the game with Ada begins" in answer.text
    assert "Ben has accepted, and the game begins. You play White" in said(news)
    assert "Answer this mail with your move on a line of its own." in said(news)


def test_accepting_twice_is_no_fault(harness: MemoryHarness) -> None:
    invitation = invite(harness, f"new 5 vs {BEN} first=them")
    harness.send(f"Ben <{BEN}>", "accept", invitation)
    answer, _ = harness.send(f"Ben <{BEN}>", "accept\nps b4", invitation)
    assert "the game has begun already" in answer.text
    assert turns(harness) == ["ps b4"]


def test_a_game_can_be_accepted_and_begun_in_one_mail(harness: MemoryHarness) -> None:
    invitation = invite(harness, f"new 5 vs {BEN} first=them")
    _, news = harness.send(f"Ben <{BEN}>", "accept\nps b4", invitation)
    assert news.lines[0] == "ps b4"
    assert "Ben has accepted" in news.text


def test_what_was_declined_cannot_be_accepted(harness: MemoryHarness) -> None:
    invitation = invite(harness)
    answer, news = harness.send(f"Ben <{BEN}>", "decline\n\nNo time, sorry", invitation)
    assert "Ada has been told" in answer.text
    assert "Ben does not want to play this game." in news.text
    assert "  | No time, sorry" in news.text
    (answer,) = harness.send(f"Ben <{BEN}>", "accept", invitation)
    assert "this game was declined and never began" in answer.text
    assert standing(harness) == Standing.DECLINED


def test_a_game_that_has_begun_cannot_be_declined(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ben <{BEN}>", "decline", harness.last(BEN))
    assert "the game has begun already" in answer.text
    assert standing(harness) == Standing.OPEN


def test_who_invites_cannot_accept(harness: MemoryHarness) -> None:
    invite(harness)
    (answer,) = harness.send(f"Ada <{ADA}>", "accept", harness.last(ADA))
    assert "it was you who asked, so it is Ben who answers" in said(answer)
    assert standing(harness) == Standing.INVITED


def test_nothing_is_played_before_the_game_is_accepted(harness: MemoryHarness) -> None:
    invitation = invite(harness)
    (answer,) = harness.send(f"Ben <{BEN}>", "ps b4", invitation)
    assert "you have not accepted this game yet" in answer.text
    (answer,) = harness.send(f"Ada <{ADA}>", "ps b4", harness.last(ADA))
    assert "Ben has not accepted yet" in said(answer)
    assert turns(harness) == []


def test_words_with_an_invitation_come_with_it_and_once(harness: MemoryHarness) -> None:
    invitation = invite(harness, f"new 5 vs {BEN}\n\nDear Ben, a game?")
    assert "Ada writes:\n\n  | Dear Ben, a game?\n" in invitation.text
    assert "Your words go with the invitation:" in harness.last(ADA).text
    for words in ("Who are you?", "accept", "rs"):
        harness.send(f"Ben <{BEN}>", words, harness.last(BEN))
        assert "Dear Ben" not in harness.last(BEN).text


def test_words_with_an_invitation_go_to_no_other_game(harness: MemoryHarness) -> None:
    harness.begin()
    _, answer = harness.send(f"Ada <{ADA}>", f"new 5 vs {OTHER}\n\nDear Other, a game?")
    assert answer.to == ADA
    harness.play("ps b4")
    assert "Dear Other" not in harness.last(BEN).text


@pytest.mark.parametrize("words", ["Are you there?", "say Are you there?"])
def test_who_is_only_invited_gets_no_words(harness: MemoryHarness, words: str) -> None:
    invite(harness)
    (answer,) = harness.send(f"Ada <{ADA}>", words, harness.last(ADA))
    assert answer.to == ADA
    assert "gets your words with the next letter" in said(answer)


def test_words_of_the_invited_one_come_with_the_answer_or_at_once_by_say(harness: MemoryHarness) -> None:
    (answer,) = harness.send(f"Ben <{BEN}>", "Who are you?", invite(harness))
    assert answer.to == BEN
    assert (
        'together with your answer; to send them sooner, write "say" in front of them: | Who are you?'
        in said(answer)
    )
    assert '"accept" begins the game' in answer.text
    _, news = harness.send(f"Ben <{BEN}>", "say I am Ben Miller", answer)
    assert news.to == ADA
    assert "  | Who are you?" in news.text
    assert "  | I am Ben Miller" in news.text


@pytest.mark.parametrize("words", ["accept", "Sure, greetings to Tom!", "No, thanks"])
def test_words_that_were_kept_come_with_the_answer(harness: MemoryHarness, words: str) -> None:
    (answer,) = harness.send(f"Ben <{BEN}>", "How are you?", invite(harness))
    _, news = harness.send(f"Ben <{BEN}>", words, answer)
    assert news.to == ADA
    assert "  | How are you?" in news.text
    assert ("greetings to Tom" in news.text) == ("Tom" in words)


def test_after_a_refusal_no_words_are_passed_on(harness: MemoryHarness) -> None:
    harness.send(f"Ben <{BEN}>", "decline", invite(harness))
    for words in ("But why?", "say But why?"):
        (answer,) = harness.send(f"Ada <{ADA}>", words, harness.last(ADA))
        assert answer.to == ADA
        assert "not passed on" in answer.text


@pytest.mark.parametrize(("words", "name"), [("accept", "Benjamin"), ("decline", "Ben"), ("rs", "Ben")])
def test_the_host_learns_the_guests_own_name_once_they_accept(
    harness: MemoryHarness, words: str, name: str
) -> None:
    invitation = invite(harness)
    harness.send(f"Benjamin <{BEN}>", words, invitation)
    harness.send(f"Ada <{ADA}>", "rs", harness.last(ADA))
    assert re.search("You .White., (?:your turn|to move): 21 stones", harness.last(ADA).text)
    assert f"{name} (Black): 21 stones" in harness.last(ADA).text
    subjects = {letter.subject for letter in harness.box if letter.to == ADA and not letter.asks_who}
    assert subjects == {"[tak #1] Ada – Ben, 5x5"}


ASKS = "[tak #1] Ada asks you to a game of Tak, 5x5"


@pytest.mark.parametrize(
    ("words", "subject"),
    [("accept", "[tak #1] Ada – Ben, 5x5"), ("decline", ASKS), ("rs", ASKS), ("help", ASKS)],
)
def test_who_is_asked_reads_who_asks_in_the_subject_until_they_accept(
    harness: MemoryHarness, words: str, subject: str
) -> None:
    invitation = invite(harness)
    assert invitation.subject == ASKS
    harness.send(f"Ben <{BEN}>", words, invitation)
    answer = harness.last(BEN)
    assert answer.subject == subject
    assert invitation.id in answer.mail["References"]


@pytest.mark.parametrize("subject", [ASKS, f"Re: {ASKS}", "AW: [tak #1] Ada – Ben, 5x5"])
def test_a_mail_under_either_subject_is_about_the_game(harness: MemoryHarness, subject: str) -> None:
    invite(harness)
    harness.send(f"Ben <{BEN}>", "accept", subject=subject)
    harness.send(f"Ben <{BEN}>", "yes", harness.last(BEN))
    assert harness.table().record.standing is Standing.OPEN


@pytest.mark.parametrize("subject", [ASKS, f"Re: {ASKS}"])
def test_the_subject_of_an_invitation_says_nothing_itself(harness: MemoryHarness, subject: str) -> None:
    invitation = invite(harness)
    harness.send(f"Ben <{BEN}>", "", invitation, subject=subject)
    harness.send(f"Ben <{BEN}>", "", subject=subject)
    assert harness.table().record.standing is Standing.INVITED
    assert not harness.memory.questions


def test_nobody_is_asked_twice_by_the_same_person_before_the_answer(harness: MemoryHarness) -> None:
    letters = harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}\nnew 6 vs {BEN}")
    assert [letter.to for letter in letters] == [BEN, ADA]
    assert "you have asked Ben to a game already (#1)" in said(letters[-1])
    harness.send(f"Ben <{BEN}>", "decline", harness.last(BEN))
    assert invite(harness).to == BEN


def test_who_is_asked_cannot_ask_back_before_the_answer(harness: MemoryHarness) -> None:
    invite(harness)
    (answer,) = harness.send(f"Ben <{BEN}>", "new 6 vs Ada")
    assert 'Ada has asked you to a game already. Write "#1 accept" to begin it.' in said(answer)


def test_one_mail_asks_five_people_at_most(harness: MemoryHarness) -> None:
    lines = [f"new 5 vs guest{number}@example.org" for number in range(9)]
    letters = harness.send(f"Ada <{ADA}>", "\n".join(lines))
    assert len(letters) == MAX_INVITATIONS_IN_MAIL + 1
    assert "one mail can ask 5 people to a game and no more" in said(letters[-1])


def test_of_one_host_ten_invitations_may_wait(harness: MemoryHarness) -> None:
    for number in range(MAX_INVITATIONS):
        harness.now += timedelta(hours=1)
        invite(harness, f"new 5 vs guest{number}@example.org")
    (answer,) = harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    assert "10 of your invitations wait for an answer already" in said(answer)


@pytest.mark.parametrize(
    "name",
    [
        "Buy cheap pills at evil.example",
        "See http://evil",
        "www evil",
        "evil\u3002example",
        "Call 10.0.0.1",
        "evil.\u200bexample",
        "",
    ],
)
def test_a_host_whose_name_leads_away_or_is_missing_is_a_friend(harness: MemoryHarness, name: str) -> None:
    invitation, answer = harness.send(str(Address(name, addr_spec=ADA)), f"new 5 vs {BEN} first=me")
    assert invitation.subject == "[tak #1] A friend asks you to a game of Tak, 5x5"
    assert answer.subject == "[tak #1] A friend – Ben, 5x5"
    assert said(invitation).startswith("A friend asks you to a game of Tak")
    harness.send(f"Ada <{ADA}>", "rs", answer)
    assert "You (White), to move: 21 stones" in harness.last(ADA).text


def test_a_guest_who_becomes_a_host_shows_nothing_of_the_address(harness: MemoryHarness) -> None:
    invite(harness)
    harness.send(BEN, "accept", harness.last(BEN))
    invitation, _ = harness.send(BEN, f"new 5 vs {OTHER}")
    assert invitation.to == OTHER
    assert f"A friend's address is {BEN}." in said(invitation)
    assert "ben" not in said(invitation).replace(BEN, "").lower()


@pytest.mark.parametrize("name", ["J.R. Miller", "Dr. Ada", "Ada-Maria O'Neil"])
def test_a_name_with_points_in_it_may_be_one(harness: MemoryHarness, name: str) -> None:
    invitation, _ = harness.send(f'"{name}" <{ADA}>', f"new 5 vs {BEN} first=me")
    assert said(invitation).startswith(f"{name} asks you")


def test_a_name_without_end_is_cut(harness: MemoryHarness) -> None:
    invitation, _ = harness.send(f"{'x' * 200} <{ADA}>", f"new 5 vs {BEN} first=me")
    assert said(invitation).startswith(f"{'x' * MAX_NAME_CHARS} asks you")


def test_who_invited_can_take_the_invitation_back(harness: MemoryHarness) -> None:
    invitation = invite(harness)
    (answer,) = harness.send(f"Ada <{ADA}>", "decline", harness.last(ADA))
    assert "your invitation to Ben is taken back" in said(answer)
    (answer,) = harness.send(f"Ben <{BEN}>", "accept", invitation)
    assert "this game was declined" in said(answer)


def test_an_invitation_that_its_guest_has_not_been_shown_is_none_of_theirs(harness: MemoryHarness) -> None:
    first = invite(harness)
    harness.send(f"Other <{OTHER}>", f"new 4 vs {BEN}")
    for words in ("#2 rs", "#2 accept"):
        letters = harness.send(f"Ben <{BEN}>", words)
        assert all("Other" not in letter.text for letter in letters)
    assert standing(harness, 2) == Standing.INVITED
    assert "4x4" in said(harness.send(f"Ben <{BEN}>", "decline", first)[-1])


def test_an_invitation_that_is_taken_back_before_it_has_left_never_does(harness: MemoryHarness) -> None:
    invite(harness)
    harness.send(f"Ada <{ADA}>", "decline", harness.last(ADA))
    (to_ben,) = (one for one in harness.memory.outbox.values() if one.mail_to == BEN)
    assert to_ben.state is LetterState.WITHDRAWN


def test_by_name_and_by_address_it_is_one_question_at_a_time(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "new 4 vs Ben", harness.last(ADA))
    letters = harness.send(f"Ada <{ADA}>", f"new 6 vs {BEN}", harness.last(ADA))
    assert [letter.to for letter in letters] == [ADA]


def test_the_word_of_a_game_may_be_part_of_a_name(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(f"Ben <{BEN}>", "name Tak Chan", harness.last(BEN))
    harness.send(f"Ben <{BEN}>", "resign", harness.last(BEN))
    harness.send(f"Ben <{BEN}>", "yes", harness.last(BEN))
    invitation, _ = harness.send(f"Ada <{ADA}>", "new tak vs Tak Chan", harness.last(ADA))
    assert invitation.to == BEN


def test_a_guest_who_accepts_with_a_move_has_begun(harness: MemoryHarness) -> None:
    invitation = invite(harness, f"new 5 vs {BEN} first=them")
    letters = harness.send(f"Ben <{BEN}>", "accept\n\nps b4", invitation)
    texts = {letter.to: said(letter) for letter in letters}
    assert "You play White, and the first turn is yours." in texts[BEN]
    assert "You play Black, and Ben has the first turn." in texts[ADA]


def test_who_waits_for_an_answer_hears_so_once(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "new 6 vs carl@example.org", harness.last(ADA))
    told = []
    for _ in range(4):
        harness.now += timedelta(days=2)
        (answer,) = harness.send(f"Ada <{ADA}>", "games", harness.last(ADA))
        told.append('Carl has not answered your invitation of 21 November yet; "withdraw 2"' in said(answer))
    assert told == [False, True, False, False]
    (answer,) = harness.send(f"Ada <{ADA}>", "withdraw 2", harness.last(ADA))
    assert "your invitation to Carl is taken back" in said(answer)
    assert harness.table(2).record.standing is Standing.DECLINED


@pytest.mark.parametrize("opponent", [BEN, "bot"])
def test_the_receipt_of_a_move_tells_so_too(opponent: str) -> None:
    harness = MemoryHarness(services=WITH_BOTS)
    harness.send(f"Ada <{ADA}>", f"new 5 vs {opponent} first=me")
    if opponent == BEN:
        harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    game = harness.last(ADA)
    harness.send(f"Ada <{ADA}>", "new 6 vs carl@example.org")
    harness.send(f"Ada <{ADA}>", "receipts off", game)
    harness.now += timedelta(days=4)
    told = [one for one in harness.send(f"Ada <{ADA}>", "ps a1", game) if one.to == ADA]
    assert "Carl has not answered your invitation" in said(told[0])


def test_the_host_is_told_so_even_if_the_guest_wants_no_invitations(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send("Carl <carl@example.org>", "stop")
    harness.send(f"Ada <{ADA}>", "new 6 vs carl@example.org", harness.last(ADA))
    harness.now += timedelta(days=4)
    (answer,) = harness.send(f"Ada <{ADA}>", "games", harness.last(ADA))
    assert "Carl has not answered your invitation" in said(answer)
