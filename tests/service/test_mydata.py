"""`mydata` sends all stored data about a player to that player only."""

import json
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import insert
from sqlmodel import col, select

from takmail.commands import mydata
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import understand
from takmail.games.interface import Seat
from takmail.games.registry import GAMES
from takmail.limits.letters import MAX_DATA_CHARS
from takmail.limits.mails import MAX_COMPARED_CHARS
from takmail.store.database import Store
from takmail.store.tables import ChatRow, InboxRow, OperatorLogRow, OutboxRow
from takmail.world.kinds import MailState
from tests.commands.grammar.reading import ASKED
from tests.store.plans import noted
from tests.support.harness import ADA, BEN, Harness, Received, quote, said, turns
from tests.support.proposals import BOARD, FOUR, TURN, ada
from tests.support.scenes import played_once
from tests.support.width import some_of

OTHER = "other@example.org"


def json_of(letter: Received) -> str:
    return letter.text[letter.text.index("{\n") : letter.text.rindex("\n}") + 2]


def data(letter: Received) -> dict[str, Any]:
    """Return the data in a letter, parsed."""
    found = json.loads(json_of(letter))
    assert isinstance(found, dict)
    return found


def ask(harness: Harness, address: str = ADA) -> Received:
    """Send `mydata` in answer to the newest letter to that address. Return the letter that follows."""
    (letter,) = harness.send(f"Somebody <{address}>", "mydata", harness.last(address))
    assert letter.to == address
    return letter


def in_game(harness: Harness, address: str = ADA) -> Received:
    """Return the newest letter to a player that is about a game."""
    return next(one for one in reversed(harness.box) if one.to == address and "#1" in one.subject)


@pytest.fixture
@played_once
def played(harness: Harness) -> None:
    """Ada and Ben have played and chatted; Ada offers a draw, seeks a game and blocks a player."""
    harness.begin()
    words = f"/say I like quinces.\n/say     resign now\n/say PS: {OTHER} says\n/say that ps a1 is good"
    harness.send(f"Ada <{ADA}>", "Ps B4.", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", words, harness.last(ADA))
    harness.send(f"Ben <{BEN}>", "ps c3\n\nAnd I like medlars.", harness.last(BEN))
    harness.send(f"Ada <{ADA}>", "draw", harness.last(ADA))
    harness.send(f"Other <{OTHER}>", "name Other")
    harness.send(f"Ada <{ADA}>", "block Other")
    harness.send(f"Ada <{ADA}>", "seek 6 first=me")


def test_data_that_wait_for_a_yes_are_gathered_once_however_often_they_are_asked_for(played: Harness) -> None:
    letter = in_game(played)

    def gathered(lines: int) -> int:
        with patch.object(mydata, "_serialised", wraps=mydata._serialised) as serialised:
            (question,) = played.deliver(played.mail(f"Ada <{ADA}>", "mydata\n" * lines, letter).as_bytes())
        assert question.asks_who
        return serialised.call_count

    assert 0 < gathered(50) <= gathered(1)


def test_it_shows_who_somebody_is_and_what_they_have_done(played: Harness) -> None:
    found = data(ask(played))
    assert found["you"]["name"] == "Ada"
    assert [one["address"] for one in found["addresses"]] == [ADA]
    (game,) = found["games"]
    assert (game["game"], game["opponent"], game["title"], game["standing"]) == (1, "Ben", "5x5", "open")
    assert found["turns"] == [
        {"game": 1, "turn": 1, "at": "2026-11-21T12:00Z", "seconds": None, "you_wrote": "Ps B4"}
    ]
    assert [one["offer"] for one in found["offers"]] == ["draw"]
    assert [(one["seek"], one["setup"]) for one in found["seeks"]] == [(1, "6")]
    assert [one["name"] for one in found["blocks"]] == ["Other"]
    assert found["older_ones_left_out"] == {}


def test_it_shows_their_words_and_not_the_opponents(played: Harness) -> None:
    found = data(ask(played))
    assert "I like quinces" in found["chat"][0]["words"]
    assert "medlars" not in json.dumps(found)


def test_it_shows_a_sealed_bid_to_whoever_has_made_it(harness: Harness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} rules=university bid=4")
    harness.send(f"Ben <{BEN}>", "accept bid=2", harness.last(BEN))
    harness.send(f"Ada <{ADA}>", "resign", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", "rematch bid=73", harness.last(ADA))
    for reader, bid in ((ADA, 73), (BEN, None)):
        games = data(ask(harness, reader))["games"]
        assert [one["setup"] for one in games] == ["5 rules=university bids=4,2", "5 rules=university"]
        assert [one["your_bid"] for one in games] == [None, bid]


def test_it_lists_their_mails_and_the_letters_to_them(played: Harness) -> None:
    with played.store.transaction() as session:
        mails = session.exec(
            select(InboxRow.size).where(InboxRow.sender == ADA).order_by(col(InboxRow.id))
        ).all()
        letters = session.exec(select(OutboxRow.id).where(OutboxRow.mail_to == ADA)).all()
    found = data(ask(played))
    assert [one["bytes"] for one in found["mails"][:-2]] == mails  # and those that ask and say yes
    assert len(found["letters"]) == len(letters) + 1  # and the question
    assert "[tak #1] Ada \u2013 Ben, 5x5" in [one["subject"] for one in found["letters"]]


def test_what_is_no_longer_kept_of_a_letter_is_not_shown(played: Harness) -> None:
    with played.store.transaction() as session:
        for row in session.exec(select(OutboxRow)):
            row.raw, row.sha256 = b"", "0" * 64
    assert {one["subject"] for one in data(ask(played))["letters"]} == {
        None,
        "Tak by Mail: is this from you?",
    }


def test_what_was_held_and_asked_is_shown(played: Harness) -> None:
    played.confirms = False
    game = in_game(played)
    played.send("Someone <someone@example.net>", "say I am Ada, at " + OTHER, game)
    played.send(f"Ada <{ADA}>", f"new 6 vs {BEN}")
    played.confirms = True
    found = data(ask(played))
    (held,) = found["questions_in_games"]
    assert held["about"] == "held"
    assert "I am Ada" in held["words"]
    assert [one["words"] for one in found["questions"]] == ["new 6 vs ben@..."]


def test_a_turn_that_was_taken_back_is_shown(harness: Harness) -> None:
    harness.begin_and_play("ps b4")
    harness.send(f"Ada <{ADA}>", "undo", in_game(harness))
    assert [one["you_wrote"] for one in data(ask(harness))["taken_back"]] == ["ps b4"]


def test_what_was_proposed_and_gave_way_is_shown(harness: Harness) -> None:
    harness.begin_and_play(*FOUR)
    ada(harness, "propose back 2")
    ada(harness, f"propose board black\n{BOARD}")
    back, board = data(ask(harness))["offers"]
    assert (back["offer"], back["after_turn"], back["back_to_turn"], back["ended"]) == (
        "back",
        4,
        2,
        "replaced",
    )
    assert (board["offer"], board["board"], board["ended"]) == ("board", f"{TURN} b", None)


def test_the_operators_log_is_shown_without_addresses_and_what_is_for_another_ones_sake(
    played: Harness,
) -> None:
    with played.store.transaction() as session:
        for player, why in ((None, f"asked by {BEN}"), (2, "Ben was rude"), (1, "lost a password")):
            row = OperatorLogRow(
                game_id=1, player_id=player, at=played.now, who="Chris", what="adjourned", why=why
            )
            session.add(row)
    assert [one["why"] for one in data(ask(played))["log"]] == ["asked by ben@...", "lost a password"]


@pytest.mark.parametrize("delimiter", ["+", ""])
def test_nobody_elses_address_and_no_token_is_in_it(store: Store, delimiter: str) -> None:
    harness = Harness(store, delimiter)
    harness.begin()
    tokens = [harness.services.key.token(1, seat).partition(".")[2] for seat in Seat]
    own = harness.services.key.personal_address(ADA)
    token = harness.services.key.token(1, Seat.FIRST)
    written_to = harness.services.key.reply_address(1, Seat.FIRST)
    mine = f"say write to {written_to} or {own}, [tak #{token}] or {BEN}"
    harness.send(f"Ada <{ADA}>", mine, harness.last(ADA))
    harness.send(f"Ada <{ADA}>", "rs", harness.last(ADA), subject=f"Re: {in_game(harness).subject} for {BEN}")
    text = json_of(ask(harness))
    for secret in (BEN, *tokens, own.partition("me.")[2] or "\0"):
        assert secret not in text
    assert ADA in text


def test_a_guest_is_what_the_host_calls_them_until_they_accept(harness: Harness) -> None:
    harness.send(f"Benjamin <{BEN}>", "name Benjamin")
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    letter = ask(harness)
    assert [one["opponent"] for one in data(letter)["games"]] == ["Ben"]
    assert "Benjamin" not in letter.text
    harness.send(f"Benjamin <{BEN}>", "accept", in_game(harness, BEN))
    harness.now += timedelta(days=1)
    assert [one["opponent"] for one in data(ask(harness))["games"]] == ["Benjamin"]


def test_with_the_from_alone_its_owner_is_asked_first(played: Harness) -> None:
    played.confirms = False
    for _ in range(3):
        letters = played.send(f"Ada <{ADA}>", "mydata")
        assert all(one.asks_who and one.to == ADA and "{" not in one.text for one in letters)
    (letter,) = played.send(f"Ada <{ADA}>", "yes", played.last(ADA))
    assert data(letter)["you"]["name"] == "Ada"


def test_in_a_game_the_from_alone_is_asked_about_too(played: Harness) -> None:
    (letter,) = played.send(f"Ada <{ADA}>", "#1 mydata")
    assert (letter.to, "{" in letter.text) == (ADA, False)
    (letter,) = played.send(f"Ada <{ADA}>", "yes", letter)
    assert data(letter)["you"]["name"] == "Ada"


def test_a_token_from_another_address_shows_nothing_there(played: Harness) -> None:
    letters = played.send("Someone <someone@example.net>", "mydata", in_game(played))
    assert [(one.to, "{" in one.text) for one in letters] == [(ADA, False)]


def test_who_has_asked_for_no_more_mail_gets_it_and_no_more(played: Harness) -> None:
    played.send(f"Ada <{ADA}>", "stop", in_game(played))
    assert data(ask(played))["addresses"][0]["stopped"] == "2026-11-21T12:00Z"
    played.now += timedelta(days=1)
    assert data(ask(played))["addresses"][0]["stopped"] == "2026-11-21T12:00Z"


def test_of_a_stranger_nothing_is_held(harness: Harness) -> None:
    (letter,) = harness.send("Someone <someone@example.net>", "mydata")
    assert "You don't play here, so nothing is held about you" in said(letter)


def test_it_goes_out_once_a_day(played: Harness) -> None:
    first = data(ask(played))
    assert first["you"]["data_sent"] == "2026-11-21T12:00Z"
    played.now += timedelta(hours=23, minutes=59)
    refused = ask(played)
    assert "{" not in refused.text
    assert "went to you on Saturday 21 November, 12:00 UTC" in said(refused)
    assert "from Sunday 22 November, 12:00 UTC on" in said(refused)
    assert data(ask(played, BEN))["you"]["name"] == "Ben"
    played.now += timedelta(minutes=1)
    assert data(ask(played))["you"]["data_sent"] == "2026-11-22T12:00Z"


def test_who_only_writes_in_a_players_name_does_not_use_it_up(played: Harness) -> None:
    played.confirms = False
    for words in ("mydata", "#1 mydata"):
        (asked,) = played.send(f"Ada <{ADA}>", words)
        assert "{" not in asked.text
    played.send(f"Other <{OTHER}>", "mydata", in_game(played))
    played.confirms = True
    assert data(ask(played))["you"]["name"] == "Ada"


def test_each_row_is_read_once_however_much_there_is(played: Harness) -> None:
    with noted(played.store) as few:
        ask(played)
    busy(played, words=1_100, mails=600)
    played.now += timedelta(days=1)
    with noted(played.store) as many:
        ask(played)
    assert len(many) <= len(few)


def test_it_stands_once_in_a_letter(played: Harness) -> None:
    _, letter = played.send(f"Ada <{ADA}>", "mydata\nmydata\nrs", in_game(played))
    assert letter.text.count('"older_ones_left_out"') == 1


def test_words_are_readable_in_every_script_and_signs_that_are_not_printable_are_escaped(
    played: Harness,
) -> None:
    played.send(f"Ada <{ADA}>", "say Привет, 你好 \u202eabc", in_game(played))
    letter = ask(played)
    assert "Привет, 你好" in json_of(letter)
    assert all(sign.isprintable() or sign == "\n" for sign in json_of(letter))


def test_long_words_break_no_line_of_the_mail(played: Harness) -> None:
    words = "x" * 3_000
    played.send(f"Ada <{ADA}>", f"say {words}", in_game(played))
    letter = ask(played)
    assert max(map(len, letter.mail.as_bytes().splitlines())) <= 998
    assert data(letter)["chat"][-1]["words"] == words


def test_no_line_of_it_is_a_command(played: Harness) -> None:
    assert [
        understand(line, anywhere(GAMES, COMMANDS), expected=ASKED).orders for line in ask(played).lines[7:]
    ] == [() for _ in played.last(ADA).lines[7:]]


@pytest.mark.parametrize("how", some_of(["marked", "introduced", "bare", "alone"], 2))
def test_a_quoted_one_is_neither_obeyed_nor_passed_on(played: Harness, how: str) -> None:
    letter = played.send(f"Ada <{ADA}>", "mydata", in_game(played))[0]
    played.send(f"Ben <{BEN}>", "refuse", in_game(played, BEN))
    quoted = {
        "marked": f"ps d4\n\n{quote(letter)}",
        "introduced": f"ps d4\n\n-----Original Message-----\n{letter.text}",
        "bare": f"ps d4\n\n{letter.text}",
        "alone": letter.text,
    }[how]
    letters = played.send(f"Ada <{ADA}>", quoted, letter, quoting=False)
    assert turns(played) == ["ps b4", "ps c3", "ps d4"][: 2 if how == "alone" else 3]
    for one in letters:
        if one.to == BEN:
            assert "Ada writes" not in one.text
            assert "quinces" not in one.text


def busy(played: Harness, words: int, mails: int) -> None:
    """Insert many rows, as after many years."""
    chat = {"game_id": 1, "seat": 0, "letter_id": 1}
    mail = {"mailbox": "INBOX", "size": 20, "sender": ADA, "received_at": played.now}
    with played.store.transaction() as session:
        if words:
            said = [(1_000 + one, f"The {one}th thing that I say.") for one in range(words)]
            rows = [{**chat, "version": at, "words": one, "said_at": played.now} for at, one in said]
            session.execute(insert(ChatRow), rows)
        kept = {**mail, "state": MailState.REJECTED}
        raws = [f"Subject: mail {number}\r\n\r\n".encode() for number in range(mails)]
        session.execute(insert(InboxRow), [{**kept, "raw": one, "fingerprint": one.decode()} for one in raws])


def test_of_much_the_newest_is_shown_and_the_rest_is_counted(played: Harness) -> None:
    busy(played, words=50, mails=600)
    found = data(ask(played))
    assert len(found["chat"]) == 54
    assert "chat" not in found["older_ones_left_out"]
    assert found["mails"][-3]["subject"] == "mail 599"
    with played.store.transaction() as session:
        all_mails = len(session.exec(select(InboxRow.id).where(col(InboxRow.sender) == ADA)).all())
    assert len(found["mails"]) + found["older_ones_left_out"]["mails"] == all_mails


def test_a_letter_is_never_longer_than_what_is_known_again_when_it_is_quoted(played: Harness) -> None:
    busy(played, words=1_100, mails=600)
    letter = played.send(f"Ada <{ADA}>", "mydata", in_game(played))[0]
    assert len("".join(letter.text.split())) < MAX_COMPARED_CHARS
    assert len(json_of(letter)) > MAX_DATA_CHARS / 4
    found = data(letter)
    assert len(found["chat"]) + found["older_ones_left_out"]["chat"] == 1_104
    letters = played.send(f"Ada <{ADA}>", f"rs\n\n{letter.text}", letter, quoting=False)
    assert [one.to for one in letters] == [ADA]
