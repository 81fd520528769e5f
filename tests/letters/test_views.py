"""A letter, and what an answer shows of games, can reach nothing that belongs to another player than its reader."""

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path

import pytest

from takmail.commands import context as of_commands
from takmail.commands.answers import CauseResult, Said
from takmail.games.interface import Seat
from takmail.games.registry import Games
from takmail.letters.batch import LetterBatch
from takmail.letters.news import rows
from takmail.letters.reader import Reader
from takmail.world import views
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, LetterView, MessageId, PendingId, PlayerId, Standing
from takmail.world.letters import Correspondence, Thread, WaitingChat
from takmail.world.pace import DAY, TimeOff
from takmail.world.pending import Pending
from takmail.world.players import Mailbox, Player, Preferences
from takmail.world.records import Dispute, Invitation, SeatRecord, ShownBoard
from takmail.world.views import SeenWorld, seen_by
from takmail.world.waiting import PendingKind
from takmail.world.world import Cause, Snapshot
from tests.commands.build import EARLIER, NOW, SERVICES, context, game
from tests.support.orders import do

LOOKS = ("rs", "turn", "show", "show 1", "log", "ptn", "games", "match", "clock", "why 1", "moves", "seeks")
"""Lines that show something of a game, or are refused."""
NAMES = ("Adele", "Benedict")
NUMBER = GameNumber(1)
TELLERS = Path(rows.__file__).parent


BETWEEN_PLAYERS = {"text", "board", "waiting", "delivered"}
"""What goes from one player to the other, which a game that is seen has of neither."""


def secrets(seat: Seat) -> dict[str, object]:
    """Return what belongs to the player in a seat, by what it is."""
    whose = f"{NAMES[seat].lower()}s"
    return {
        "address": f"{whose}@secret.example.org",
        "zone": f"Secret/{whose}",
        "blocked": 900_001 + seat,
        "token": 900_011 + seat,
        "bid": 900_021 + seat,
        "time off": NOW.replace(hour=0) + (900 + seat) * DAY,
        "kept": f"{whose} kept words",
        "question": f"{whose} question",
        "letter": f"<{whose}-token.1@example.org>",
        "text": f"{whose} letter",
        "board": f"{whose} board",
        "waiting": f"{whose} waiting words",
        "delivered": f"{whose} delivered words",
    }


def as_player(seat: Seat) -> Player:
    own = secrets(seat)
    box = Mailbox(str(own["address"]), verified_at=EARLIER, token_number=int(str(own["token"])))
    return Player(
        PlayerId(900_031 + seat),
        NAMES[seat],
        NAMES[seat].lower(),
        EARLIER,
        preferences=Preferences(zone=str(own["zone"]), letter_view=LetterView.TEXT),
        time_off=(TimeOff(EARLIER, own["time off"]),),  # type: ignore[arg-type]
        blocked=frozenset({PlayerId(int(str(own["blocked"])))}),
        mailboxes=(box,),
    )


PLAYERS = (as_player(Seat.FIRST), as_player(Seat.SECOND))


def pending(seat: Seat, kind: PendingKind, words: object) -> Pending:
    letter = MessageId(str(secrets(seat)["letter"]))
    return Pending(PendingId(70 + seat), kind, EARLIER, str(words), NUMBER, seat, 3, 0, letter=letter)


def full(table: Game) -> Game:
    """Return a game with everything that can belong to each of its players."""
    both = tuple(map(secrets, Seat))
    first, second = (
        SeatRecord(seat, PLAYERS[seat].id, token_number=int(str(own["token"])), bid=int(str(own["bid"])))
        for seat, own in zip(Seat, both, strict=True)
    )
    threads = [Thread(own["letter"], own["letter"], texts=((own["text"], None),)) for own in both]  # type: ignore[arg-type]
    boards = [ShownBoard(seat, str(own["board"]), 0, EARLIER) for seat, own in zip(Seat, both, strict=True)]
    return replace(
        table,
        record=replace(table.record, seats=(first, second)),
        pending=tuple(
            item
            for seat, own in zip(Seat, both, strict=True)
            for item in (
                pending(seat, PendingKind.WORDS, own["kept"]),
                pending(seat, PendingKind.RESIGN, own["question"]),
            )
        ),
        correspondence=Correspondence(
            (
                WaitingChat(2, Seat.FIRST, str(both[0]["waiting"])),
                WaitingChat(2, Seat.SECOND, str(both[1]["waiting"])),
            ),
            (str(both[0]["delivered"]), str(both[1]["delivered"])),
            threads=(threads[0], threads[1]),
            shown_boards=(boards[0], boards[1]),
        ),
    )


def invited() -> Game:
    """Return a game to which the first player invited an address, calling its owner Benny."""
    table = game(players=PLAYERS, standing=Standing.INVITED)
    invitation = Invitation(PLAYERS[0].id, "Benny", EARLIER)
    record = replace(table.record, subject="Adele vs Benedict, 5x5", invitation=invitation)
    return full(replace(table, record=record))


GAMES = {
    "invited": invited(),
    "bidding": full(game(players=PLAYERS, standing=Standing.BIDDING, setup="5 rules=university")),
    "open": full(game("ps a1", "ps e5", players=PLAYERS, pace="days=3")),
    "over": full(game("ps a1", players=PLAYERS, standing=Standing.OVER, resigned=Seat.FIRST)),
    "relay": full(game("ps a1", players=PLAYERS, is_relay=True)),
}


def reached(value: object) -> Iterator[object]:
    """Yield what a value has, what that has, and so on, without what all games of a kind have."""
    match value:
        case Games() | Enum():
            return
        case SeenWorld():
            yield from reached(value.game(NUMBER))
            for player in PLAYERS:
                yield from reached(value.player(player.id))
        case Mapping():
            for key, item in value.items():
                yield from reached(key)
                yield from reached(item)
        case tuple() | list() | Set():
            for item in value:
                yield from reached(item)
        case _ if is_dataclass(value):
            for field in fields(value):
                if not field.name.startswith("_"):
                    yield from reached(getattr(value, field.name))
        case _:
            yield value


def told(shown: object, hidden: Mapping[str, object]) -> set[str]:
    """Return which of the hidden values can be reached."""
    values = [value for value in reached(shown) if not isinstance(value, bool)]
    texts = "\n".join(value for value in values if isinstance(value, str))
    return {
        name
        for name, secret in hidden.items()
        if (secret in texts if isinstance(secret, str) else secret in values)
    }


def reader_of(table: Game, seat: Seat) -> Reader:
    """Return the reader of a letter about a game."""
    readers: list[Reader] = []
    before = context(table, PLAYERS[seat])
    batch = LetterBatch(
        SERVICES, Snapshot(Cause("mail 1", 1), NOW, b"", before.world), CauseResult(before.world), None
    )

    def make(reader: Reader) -> tuple[()]:
        readers.append(reader)
        return ()

    batch.in_game(make, before.game, seat, has_ended=table.record.standing is Standing.OVER)
    (reader,) = readers
    return reader


def answers_to(table: Game, seat: Seat) -> list[object]:
    """Return the facts of what lines show to a player."""
    before = context(table, PLAYERS[seat])
    answers = [do(before, line) for line in LOOKS]
    return [answer.facts for answer in answers if isinstance(answer, Said)]


@pytest.mark.parametrize("table", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("seat", Seat)
def test_nothing_of_the_other_player_can_be_reached(table: Game, seat: Seat) -> None:
    hidden = secrets(seat.other)
    assert told(reader_of(table, seat), hidden) == set()
    assert told(answers_to(table, seat), hidden) == set()


def test_a_host_does_not_learn_which_player_the_guest_is() -> None:
    hidden = {"name": NAMES[1], "number": PLAYERS[1].id}
    assert told(seen_by(GAMES["invited"], PLAYERS[0].id), hidden) == set()
    assert told(answers_to(GAMES["invited"], Seat.FIRST), hidden) == set()


@pytest.mark.parametrize("seat", Seat)
def test_a_reader_s_own_data_is_there(seat: Seat) -> None:
    own = secrets(seat)
    assert told(seen_by(GAMES["open"], PLAYERS[seat].id), own) == set(own) - BETWEEN_PLAYERS
    assert told(seen_by(GAMES["open"], None), {**own, **secrets(seat.other)}) == set()


def test_who_has_no_seat_sees_no_disputes_no_offers_and_no_guest() -> None:
    table = replace(
        GAMES["open"],
        every_dispute=(Dispute(9, Seat.SECOND, 1, "odd", NOW),),
        pending=(pending(Seat.FIRST, PendingKind.DRAW, ""),),
    )
    for reader in (None, PlayerId(1)):
        seen = seen_by(table, reader)
        assert (seen.disputes, seen.offers, seen.names) == ((), (), table.names)
        invited = seen_by(GAMES["invited"], reader)
        assert told(invited, dict(enumerate((*NAMES, "Benny", *(one.id for one in PLAYERS))))) <= {3}


def test_nobody_sees_what_is_kept_of_who_has_no_seat() -> None:
    kept = replace(pending(Seat.FIRST, PendingKind.WORDS, "a word"), seat=None, player=PlayerId(99))
    table = replace(GAMES["open"], pending=(kept,))
    for player in PLAYERS:
        assert told(seen_by(table, player.id), {"words": "a word", "number": PlayerId(99)}) == set()


def test_tellers_show_a_game_of_an_event_to_their_reader_as_any_other() -> None:
    seen = re.compile(r"reader\.world\.(head|opponent)\(event\.new_game\.record\)")
    sources = {path.name: seen.sub("", path.read_text("utf-8")) for path in TELLERS.glob("*.py")}
    assert [name for name, source in sources.items() if "event.new_game" in source] == []


def test_without_the_view_all_of_it_could_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (views, of_commands):
        monkeypatch.setattr(module, "seen_by", lambda table, _reader: table)
    for name, table in GAMES.items():
        hidden = secrets(Seat.SECOND)
        assert told(reader_of(table, Seat.FIRST), hidden) == set(hidden), name
        assert told(answers_to(table, Seat.FIRST), hidden) >= {"bid", "token"}, name
