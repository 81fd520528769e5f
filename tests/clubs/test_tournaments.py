"""A tournament by mail: entering, playing, leaving, what an organiser does, and who may do what."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.cli import players
from takmail.games.interface import Seat
from takmail.pipeline import rulings
from takmail.pipeline.process import Conflict
from takmail.pipeline.rulings import OperatorNote
from takmail.store.tables import PlayerRow, RatingRow
from takmail.world.clubs.values import DecidedBy, DroppedOut, Outcome, TournamentStanding
from takmail.world.kinds import GameNumber, Ruling
from takmail.world.ratings import pool_of
from tests.clubs.club import ORGANISED, Club, address
from tests.clubs.time_over import run_clocks
from tests.support.damaged import OPERATOR
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once

FOUR = ("Ada", "Ben", "Cy", "Dot")


class Played(MemoryHarness):
    """A harness on which the season of four is begun once in this process."""

    @played_once
    def season(self) -> None:
        Club(self).begin(*FOUR)


@pytest.fixture
def club() -> Club:
    """A club of four, whose season has begun."""
    harness = Played(services=ORGANISED)
    harness.season()
    return Club(harness)


def to(letters: list[Received], name: str, subject: str) -> str:
    """Return the only letter to a member with a word in its Subject."""
    (letter,) = (one for one in letters if one.to == address(name) and subject in one.subject)
    return said(letter)


# Before the first season.


def test_a_tournament_is_announced_to_who_asked_and_begins_when_it_is_full() -> None:
    club = Club()
    assert "from now on a letter tells you of each new tournament" in club.write("Ben", "news on")
    opened = club.write("Ada", 'tournament "Autumn" 4x4 days=2 max=3')
    assert "Done: Autumn takes entries" in opened
    assert "4x4, 2 days for each turn. Who runs out of time loses." in opened
    told = to(club.work(), "Ben", "Autumn takes entries")
    assert 'To enter, write "enter Autumn". You hear of new tournaments because you asked to' in told
    assert "You are in: you have entered Autumn." in club.write("Ben", "enter Autumn")
    assert "You have already entered Autumn." in club.write("Ben", "enter Autumn")
    assert "enter Autumn enters Autumn, or its next season" in club.write("Ben", "enter")
    assert "Autumn takes entries. Its games: 4x4, 2 days for each turn." in club.write("Cy", "tournaments")
    assert "1 player has entered so far" in club.write("Cy", "table Autumn")
    assert "You said yes to: enter Autumn" in club.write("Cy", "enter autumn")
    assert "already entered Autumn" in club.write("Cy", "/enter autumn")
    assert not club.work()
    assert "All 3 places are taken, and it begins within minutes." in club.write("Ada", "enter Autumn")
    assert "All 3 places in Autumn are taken." in club.write("Dot", "enter Autumn")
    begun = to(club.work(), "Ben", "season 1 begins")
    assert "Ada: game #" in begun
    assert "Cy: game #" in begun
    assert len(club.open_games) == 6


def test_each_game_has_a_letter_to_who_begins_and_a_strict_clock(club: Club) -> None:
    letters = [one for one in club.harness.box if "[tak #" in one.subject]
    assert len(letters) == 12
    assert "A game of yours in Autumn begins. You play White" in said(letters[0])
    game = club.harness.table(1)
    assert (game.record.timing.is_strict, game.record.timing.has_clock) == (True, True)
    assert game.record.invitation.tournament == 1
    name = game.players[0].name
    assert "A game of a tournament keeps its clock." in club.write(
        name, "propose days=30", letter_of(club, 1, name)
    )


def letter_of(club: Club, number: int, name: str) -> Received:
    box = club.harness.box
    return next(one for one in reversed(box) if f"[tak #{number}]" in one.subject and one.to == address(name))


def test_a_date_begins_it_with_those_who_are_there_or_puts_it_off() -> None:
    club = Club()
    club.write("Ada", 'tournament "Autumn" 4x4 days=3 start=2026-12-01')
    for name in ("Ada", "Ben"):
        club.write(name, "enter Autumn")
    club.harness.now += timedelta(days=10)
    assert "as it has too few players" in to(club.work(), "Ben", "begins later")
    assert club.tournament.starts_at == club.harness.now + timedelta(days=7)
    club.write("Cy", "enter Autumn")
    club.harness.now += timedelta(days=7)
    assert to(club.work(), "Cy", "season 1 begins")


def test_nobody_wants_it() -> None:
    club = Club()
    club.write("Ada", 'tournament "Autumn" 4x4 days=3 start=2026-12-01')
    club.write("Ben", "enter Autumn")
    for _ in range(6):
        club.harness.now += timedelta(days=10)
        letters = club.work()
        if club.tournament.is_over:
            break
    assert "has ended for good, as too few players have entered." in to(letters, "Ben", "has ended")


def test_a_season_that_was_put_off_by_mail_begins_by_itself() -> None:
    club = Club()
    club.write("Ada", 'tournament "Autumn" 4x4 days=3 start=2026-12-01')
    for name in ("Ada", "Ben", "Cy"):
        club.write(name, "enter Autumn")
    club.write("Ada", "organise Autumn: put off 7 days, a holiday")
    assert club.tournament.starts_at is not None
    club.harness.now = club.tournament.starts_at - timedelta(hours=1)
    club.work()
    assert not club.tournament.is_running
    club.harness.now += timedelta(hours=2)
    assert to(club.work(), "Cy", "season 1 begins")


def test_a_name_that_begins_small_can_be_entered_as_its_letter_says() -> None:
    club = Club()
    assert 'write "enter Spring cup"' in club.write("Ada", 'tournament "spring cup" 4x4 max=4')
    assert "You are in" in club.write("Ben", "enter Spring cup")


def test_who_leaves_before_it_begins_gives_the_place_back() -> None:
    club = Club()
    club.write("Ada", 'tournament "Autumn" 4x4 days=3 max=3 start=2026-12-01')
    for name in ("Ada", "Ben", "Cy"):
        club.write(name, "enter Autumn")
    assert "you don't play in the next season" in club.write("Ben", "leave Autumn")
    assert "You are not in Autumn." in club.write("Ben", "leave Autumn")
    assert "You are in" in club.write("Dot", "enter Autumn")


# Results.


def test_a_result_counts_and_a_line_says_the_place(club: Club) -> None:
    loser, winner = club.harness.table(1).players
    letters = [*club.harness.deliver(resigned(club, 1)), *club.work()]
    assert "Autumn: you are sharing place 2 with 0 points" in to(letters, loser.name, "#1]")
    assert "Autumn: you are number 1 with 2 points and have 5 games to play." in to(
        letters, winner.name, "#1]"
    )
    shown = club.write(loser.name, "table Autumn")
    assert "Season 1: player points won drawn lost to play 1." in shown
    assert "Season 1: player points won" in club.write(loser.name, "table", letter_of(club, 1, loser.name))


@pytest.mark.parametrize(
    ("ruling", "outcome"),
    [
        (Ruling.FIRST, Outcome.FIRST),
        (Ruling.SECOND_ON_TIME, Outcome.SECOND),
        (Ruling.AGREED, Outcome.DRAW),
        (Ruling.VOID, Outcome.VOID),
    ],
)
def test_every_end_of_a_game_counts(club: Club, ruling: Ruling, outcome: Outcome) -> None:
    club.rule(1, ruling)
    pairing = club.tournament.pairing(club.harness.table(1).number)
    assert pairing is not None
    assert (pairing.outcome, pairing.by) == (outcome, DecidedBy.PLAY)


def test_out_of_time_is_lost() -> None:
    club = Club(MemoryHarness(services=ORGANISED, sends=True))
    club.begin("Ada", "Ben", "Cy")
    club.harness.now += timedelta(days=60)
    run_clocks(club)
    assert {pairing.outcome for pairing in club.tournament.pairings_of()} == {Outcome.SECOND}


def test_two_workers_who_store_two_last_games_do_not_both_miss_the_end(club: Club) -> None:
    *others, one, other = [pairing.number for pairing in club.open_games]
    for number in others:
        club.lose(number)
    mails = [resigned(club, number) for number in (one, other)]
    decided = [club.harness.decide(club.harness.arrive(mail)) for mail in mails]
    club.harness.keep(decided[0])
    with pytest.raises(Conflict):
        club.harness.keep(decided[1])
    assert club.tournament.is_running
    club.harness.deliver(mails[1])
    assert "season 1 is over" in " ".join(letter.subject for letter in club.work())


def resigned(club: Club, number: int) -> bytes:
    """Return the mail by which the player who begins gives a game up: the yes to the question."""
    name = club.harness.table(number).players[0].name
    club.write(name, "resign", letter_of(club, number, name))
    return club.harness.mail(f"{name} <{address(name)}>", "yes", letter_of(club, number, name)).as_bytes()


def test_two_who_enter_at_once_do_not_both_get_the_last_place() -> None:
    club = Club()
    club.write("Ada", 'tournament "Autumn" 4x4 days=3 max=3')
    for name in ("Ada", "Ben", "Cy", "Dot"):
        club.write(name, "news on")
    club.work()
    club.write("Ada", "enter Autumn")
    club.write("Ben", "enter Autumn")
    asked = {name: club.harness.last(address(name)) for name in ("Cy", "Dot")}
    mails = [
        club.harness.mail(f"{name} <{address(name)}>", "enter Autumn", asked[name]).as_bytes()
        for name in asked
    ]
    decided = [club.harness.decide(club.harness.arrive(mail)) for mail in mails]
    club.harness.keep(decided[0])
    with pytest.raises(Conflict):
        club.harness.keep(decided[1])
    (refused,) = club.harness.deliver(mails[1])
    assert "All 3 places in Autumn are taken." in said(refused)


# The end of a season.


def test_a_result_is_corrected_after_the_next_season_has_begun(club: Club) -> None:
    for pairing in club.open_games:
        club.lose(pairing.number, pairing.seat_of(max(pairing.players)))
    club.work()
    club.harness.now += timedelta(days=7)
    club.work()
    assert club.tournament.season == 2
    entries = club.tournament.entries_of(2)
    assert "Season 1: player points won drawn lost to play 1. Ada 12" in club.write("Ben", "table Autumn 1")
    lost = next(one for one in club.stored_pairings() if 1 in (one.first_id, one.second_id))
    result = "0-1" if lost.first_id == 1 else "1-0"
    club.write("Ada", f"organise Autumn: game {lost.game_id} {result}, a letter was lost")
    told = to(club.work(), "Ben", "a corrected result")
    assert "That is a game of season 1 of Autumn, which is over: its table changes, and who has moved" in told
    assert "Season 1: player points won drawn lost to play 1. Ada 10" in told
    assert "Ada 10" in club.write("Ben", "table Autumn 1")
    assert "There is no season 3 of Autumn." in club.write("Ben", "table Autumn 3")
    by, other = OperatorNote("operator", "so"), lost.game_id + 1
    ruling = Ruling.DRAW
    letters = club.harness.rule(lambda context: rulings.end(context, GameNumber(other), ruling, by))
    assert all("which is over: its table changes" in said(letter) for letter in letters)
    stored = next(one for one in club.stored_pairings() if one.game_id == other)
    assert (stored.outcome, stored.decided_by) == (Outcome.DRAW, DecidedBy.PLAY)
    assert club.tournament.entries_of(2) == entries
    assert len(club.open_games) == 12


def test_a_season_ends_with_its_winner_and_the_next_begins_by_itself(club: Club) -> None:
    assert "you play your games of season 1 of Autumn to the end" in club.write("Dot", "leave Autumn")
    assert "You leave Autumn after this season anyway." in club.write("Dot", "leave Autumn")
    for pairing in club.open_games:
        club.lose(pairing.number, pairing.seat_of(max(pairing.players)))
    letters = club.work()
    assert "You have won season 1 of Autumn. Congratulations!" in to(letters, "Ada", "season 1 is over")
    ben = to(letters, "Ben", "season 1 is over")
    assert "The winner: Ada. Autumn: you are number 2 with 8 points, and all your games are over." in ben
    assert 'write "leave Autumn"' in ben
    assert "You are in it" not in to(letters, "Dot", "season 1 is over")
    assert "You are in" in club.write("Eve", "enter Autumn")
    club.harness.now += timedelta(days=7)
    letters = club.work()
    assert to(letters, "Eve", "season 2 begins")
    assert not [one for one in letters if one.to == address("Dot")]
    assert {entry.player for entry in club.tournament.entries_of(2)} == {1, 2, 3, club.player("Eve")}


def test_two_tournaments_of_the_same_players_are_kept_apart(club: Club) -> None:
    club.write("Ada", 'tournament "Winter" 4x4 days=3 max=3')
    for name in FOUR[:3]:
        club.write(name, "enter Winter")
    club.work()
    assert len(club.open_games) == 12
    assert len(club.stored_pairings()) == 18
    assert {entry.player for entry in club.tournament.entries_of(1)} == set(map(club.player, FOUR))


def test_who_enters_while_a_season_runs_gets_the_place_of_who_leaves(club: Club) -> None:
    assert "All 4 places in Autumn are taken." in club.write("Eve", "enter Autumn")
    club.write("Dot", "leave Autumn")
    assert "You have entered the next one, season 2" in club.write("Eve", "enter Autumn")
    assert "All 4 places" in club.write("Dot", "enter Autumn")
    for pairing in club.open_games:
        club.lose(pairing.number)
    club.work()
    assert {entry.player for entry in club.tournament.coming} == {
        *map(club.player, ("Ada", "Ben", "Cy", "Eve"))
    }


# Drop-outs.


def test_who_drops_out_early_never_played(club: Club) -> None:
    club.lose(club.games_of(club.player("Cy"))[0])
    assert 'write "leave now Autumn"' in club.write("Cy", "leave Autumn")
    left = club.write("Cy", "leave now Autumn")
    assert "none of them counts in the table" in left
    letters = club.work()
    told = to(letters, "Ben", "a player less")
    assert "Cy has dropped out of Autumn. Fewer than half of their games were over" in told
    numbers = [pairing.number for pairing in club.tournament.pairings_of(player=club.player("Cy"))]
    ben = [number for number in numbers if club.player("Ben") in club.tournament.pairing(number).players]
    assert f"With that, your games number {ben[0]} and {ben[1]} are over." in told
    assert sorted(one.to for one in letters) == [ADA, BEN, address("Dot")]
    assert "Dropped out early, so that their games don't count: Cy." in club.write("Ben", "table Autumn")
    entry = club.tournament.entry(club.player("Cy"))
    assert entry is not None
    assert (entry.out, entry.stays) == (DroppedOut.UNCOUNTED, False)
    assert len(club.open_games) == 6
    assert "You have entered the next one" in club.write("Cy", "enter Autumn")


def test_who_drops_out_late_loses_the_rest_and_it_is_never_rated(club: Club) -> None:
    cy = club.player("Cy")
    for number in club.games_of(cy)[:3]:
        club.rule(number, Ruling.DRAW)
    (rest, *_) = club.games_of(cy)
    assert "the others count as lost" in club.write("Cy", "leave now Autumn")
    club.work()
    game = club.harness.table(rest)
    assert game.record.end.ruling is Ruling.VOID
    pairing = club.tournament.pairing(game.number)
    assert pairing is not None
    assert pairing.by is DecidedBy.DEFAULT
    assert pairing.outcome is (Outcome.SECOND if pairing.seat_of(cy) is Seat.FIRST else Outcome.FIRST)


def test_who_drops_out_wins_no_season(club: Club) -> None:
    cy = club.player("Cy")
    for pairing in club.open_games:
        if cy in pairing.players and len(club.games_of(cy)) > 1:
            club.lose(pairing.number, pairing.seat_of(pairing.opponent_of(cy)))
    club.write("Cy", "leave now Autumn")
    for pairing in club.open_games:
        club.lose(pairing.number, pairing.seat_of(max(pairing.players)))
    letters = club.work()
    assert "You have won season 1 of Autumn." in to(letters, "Ada", "season 1 is over")
    assert "Dropped out, and so below all others: Cy." in to(letters, "Ben", "season 1 is over")


def test_dropping_out_is_asked_first() -> None:
    club = Club(MemoryHarness(services=ORGANISED))
    club.begin("Ada", "Ben", "Cy")
    club.harness.confirms = False
    asked = club.write("Cy", "leave now Autumn", club.harness.last(address("Cy")))
    assert "This ends all your open games in the tournament at once" in asked
    assert len(club.open_games) == 6
    assert "You have dropped out" in club.write("Cy", "yes", club.harness.last(address("Cy")))
    assert len(club.open_games) == 2


def test_words_that_wait_in_a_game_that_ends_so_come_with_its_end(club: Club) -> None:
    ada, cy = club.player("Ada"), club.player("Cy")
    (number,) = (pairing.number for pairing in club.open_games if pairing.players == (ada, cy))
    club.harness.send(f"Ada <{ADA}>", "Good luck, everybody here!", letter_of(club, number, "Ada"))
    club.write("Cy", "leave now Autumn")
    club.work()
    heard = [
        one for one in club.harness.box if one.to == address("Cy") and "Good luck, everybody" in said(one)
    ]
    assert len(heard) == 1


def gone(club: Club, how: str) -> None:
    """Let Cy be gone: by a mail, or as the operator blocks them."""
    if how == "block":
        by = OperatorNote("operator", "writes nonsense")
        players.block(club.harness.store, club.harness.causes, address("Cy"), by, undo=False)
    else:
        club.write("Cy", how)


@pytest.mark.parametrize(("how", "name"), [("forget me", "a player"), ("stop", "Cy"), ("block", "Cy")])
def test_who_is_gone_has_dropped_out(club: Club, how: str, name: str) -> None:
    before = len(club.harness.box)
    gone(club, how)
    club.work()
    letters = club.harness.box[before:]
    assert f"{name} has dropped out of Autumn" in to(letters, "Ben", "a player less")
    assert f"{name} has dropped out of Autumn" in to(letters, "Ada", "a player less")
    assert sum(one.to == BEN for one in letters) == 1
    assert len(club.open_games) == 6
    assert f"games don't count: {name}." in club.write("Ben", "table Autumn")


@pytest.mark.parametrize(("how", "name"), [("forget me", "a player"), ("stop", "Cy"), ("block", "Cy")])
def test_who_is_gone_before_a_season_is_not_in_it(how: str, name: str) -> None:
    club = Club()
    club.write("Ada", 'tournament "Autumn" 4x4 days=3 max=9')
    for member in ("Ben", "Cy", "Dot"):
        club.write(member, "enter Autumn")
    gone(club, how)
    (told,) = club.work()
    assert told.to == ADA
    assert f"{name} can't play in season 1 of Autumn and is not in it any more." in said(told)
    assert len(club.tournament.coming) == 2
    if how == "stop":
        assert "You are out of Autumn." in said(club.harness.last(address("Cy")))


def test_a_tournament_goes_on_without_its_organiser(club: Club) -> None:
    club.harness.services = replace(ORGANISED, operator=OPERATOR)
    club.write("Ada", "forget me")
    letters = club.work()
    assert "the operator organises it from now on" in to(letters, "Ben", "a new organiser")
    assert "only you can organise it now" in said(club.harness.last(OPERATOR))
    assert club.tournament.organiser is None
    assert club.tournament.is_running


def test_a_game_whose_player_is_out_before_it_begins_never_begins() -> None:
    club = Club()
    club.write("Ada", 'tournament "Autumn" 4x4 days=3 max=3')
    for name in ("Ada", "Ben", "Cy"):
        club.write(name, "enter Autumn")
    (begins,) = club.due()
    club.do(*begins)
    club.write("Cy", "leave now Autumn")
    club.work()
    begun = [pairing.number for pairing in club.tournament.pairings_of() if has_game(club, pairing.number)]
    assert begun == [pairing.number for pairing in club.open_games]
    assert len(begun) == 2


def has_game(club: Club, number: int) -> bool:
    return club.harness.memory.look(lambda queries: queries.game(number)) is not None


def test_who_is_merged_into_another_player_still_hears_of_a_step(club: Club) -> None:
    club.write("Eve", "news on")
    club.write("Ada", "organise Autumn: take out Cy, no answer")
    merger = OperatorNote("operator", "the same person")
    players.merge(club.harness.store, club.harness.causes, address("Dot"), address("Eve"), merger)
    assert "Cy was taken out" in to(club.work(), "Dot", "a player less")


# The organiser.


def test_the_organiser_corrects_a_result(club: Club) -> None:
    first, second = (player.name for player in club.harness.table(1).players)
    club.lose(1)
    done = club.write("Ada", "organise Autumn: game 1 1-0, the letter came late.")
    assert "Done, and all players of Autumn whom it concerns are told." in done
    told = to(club.work(), "Ben", "a corrected result")
    assert (
        f"game #1 of {first} and {second} counts as won by {first}. The reason: the letter came late." in told
    )
    assert "Game #1 has this result already." in club.write("Ada", "organise Autumn: game 1 1-0, again")
    assert club.harness.table(1).record.end.winner is Seat.SECOND


def test_a_game_that_runs_ends_with_the_correction(club: Club) -> None:
    club.write("Ada", "organise Autumn: game 1 void, they cannot agree on a move")
    letters = club.work()
    name = club.harness.table(1).players[0].name
    ended = "has decided how it counts. The reason: they cannot agree on a move."
    assert ended in to(letters, name, "[tak #1]")
    assert club.harness.table(1).record.is_over


def test_the_organiser_takes_somebody_out_and_ends_it(club: Club) -> None:
    assert "Done: Ben is out of Autumn" in club.write("Ada", "organise Autumn: take out Ben, no answer")
    letters = club.work()
    assert "You were taken out of Autumn. The reason: no answer. Fewer than half of your" in to(
        letters, "Ben", "a player less"
    )
    assert "Ben was taken out of Autumn. The reason: no answer." in to(letters, "Cy", "a player less")
    assert "must not have a link" in club.write("Ada", "organise Autumn: end, ask ada@example.org")
    club.write("Ada", "organise Autumn: end, nobody wants it")
    assert "Autumn has ended for good. The reason: nobody wants it." in to(club.work(), "Cy", "has ended")
    assert club.tournament.standing is TournamentStanding.OVER
    assert not any(
        club.harness.table(pairing.number).record.is_open for pairing in club.tournament.pairings_of()
    )
    assert "Autumn is over for good." in club.write("Ben", "enter Autumn")


def test_the_organiser_puts_it_off_starts_it_and_refuses_somebody() -> None:
    club = Club()
    club.write("Ada", 'tournament "Autumn" 4x4 days=3 start=2026-12-01')
    assert "needs at least 3 players" in club.write("Ada", "organise Autumn: start")
    for name in FOUR:
        club.write(name, "enter Autumn")
    club.write("Ada", "organise Autumn: put off 7 days, a holiday")
    assert "Season 1 of Autumn begins later. The reason: a holiday." in to(club.work(), "Ben", "begins later")
    assert "does not get into Autumn" in club.write("Ada", "organise Autumn: take out Dot, a robot")
    assert "The reason: a robot." in to(club.work(), "Dot", "a player less")
    assert "Done" in club.write("Ada", "organise Autumn: start")
    assert to(club.work(), "Cy", "season 1 begins")
    assert "only possible before a season" in club.write("Ada", "organise Autumn: put off 7 days, no")
    assert "no game of this season" in club.write("Ada", "organise Autumn: game 99 1-0, no")
    assert "Nobody of this name" in club.write("Ada", "organise Autumn: take out Eve, no")
    assert "must not have a link" in club.write("Ada", "organise Autumn: end, see www.example.com")


# Who may do what.


def test_only_whom_the_operator_lets_begins_one_and_only_the_organiser_rules(club: Club) -> None:
    assert "Only players whom the operator has chosen" in club.write("Ben", 'tournament "Spring" 4x4 max=4')
    for line in ("start", "end, no", "take out Ada, no", "game 1 1-0, no"):
        assert "Somebody else organises Autumn." in club.write("Ben", f"organise Autumn: {line}")


REFUSED = {
    'tournament "Autumn" 4x4 max=4': "There is a tournament of this name already",
    'tournament "AUTUMN" 4x4 max=4': "There is a tournament of this name already",
    'tournament "\u0410utumn" 4x4 max=4': "letters of different alphabets",
    f'tournament "{"A" * 41}" 4x4 max=4': "has at most 40 characters",
    'tournament "www.example.com" 4x4 max=4': "must not look like an address or a link",
    'tournament "1234567" 4x4 max=4': "can't have this name",
    'tournament "Now" 4x4 max=4': "taken for a word of a command",
    'tournament "now or never" 4x4 max=4': "taken for a word of a command",
    'tournament "off" 4x4 max=4': "taken for a word of a command",
    'tournament "Spring" 4x4 max=4 start=2020-01-01': "This day has already begun",
    'tournament "Spring" 4x4 relay max=4': "A tournament needs games that begin at once",
    'tournament "Spring" 4x4 rules=university max=4': "A tournament needs games that begin at once",
    'tournament "Spring" 4x4 first=me max=4': "A tournament needs games that begin at once",
    'tournament "Spring" 4x4 max=1': "max=1",
    'tournament "Spring" 4x4 start=soon': "start=soon",
    'tournament "Spring" 4x4 form=ladder max=9': "form=ladder",
    'tournament "Spring" 4x4 form=rounds max=7': "max=7",
    'tournament "Spring" 4x4 form=groups round=6': "round=6",
    'tournament "Spring" 4x4 round=60': "round=60",
    'tournament "Spring" 4x4 start=0001-01-01': "start=0001-01-01",
    'tournament "Spring" 4x4 start=9999-12-31': "start=9999-12-31",
}


def test_names_and_terms_that_are_refused(club: Club) -> None:
    assert [line for line, why in REFUSED.items() if why not in club.write("Ada", line)] == []
    assert len(club.harness.memory.look(lambda queries: queries.tournaments(None))) == 1


def test_an_entry_needs_a_proof() -> None:
    club = Club(MemoryHarness(services=ORGANISED, confirms=False))
    assert "I do not repeat what a stranger may have written" in club.write(
        "Ada", 'tournament "Autumn" 4x4 max=4'
    )
    club.write("Ada", 'tournament "Autumn" 4x4 max=4', club.harness.last(ADA))
    asked = club.write("Ben", "enter Autumn")
    assert "| enter Autumn" in asked
    assert not club.tournament.coming
    assert "There is no tournament of this name" in club.write("Ben", "enter Winter")
    club.write("Ben", "yes", next(one for one in club.harness.box if one.to == BEN))
    assert len(club.tournament.coming) == 1


def test_no_letter_shows_an_address(club: Club) -> None:
    for pairing in club.open_games:
        club.lose(pairing.number)
    club.work()
    for letter in club.harness.box:
        others = {address(name) for name in FOUR} - {letter.to}
        assert not [other for other in others if other in letter.text], letter.text


def test_letters_are_in_the_language_of_their_reader(club: Club) -> None:
    club.write("Ben", "language ru")
    club.write("Cy", "language zh")
    for pairing in club.open_games:
        club.lose(pairing.number, pairing.seat_of(max(pairing.players)))
    letters = club.work()
    assert "Autumn: сезон 1 закончен. Первое место: Ada." in to(letters, "Ben", "сезон 1")
    assert "Autumn第1赛季结束。冠军：Ada。" in to(letters, "Cy", "赛季")
    assert "покидаю Autumn" in to(letters, "Ben", "сезон 1")
    assert "готово: в следующем сезоне" in club.write("Ben", "покидаю Autumn").lower()


def test_news_can_be_ended_by_a_button_of_the_mail_program() -> None:
    club = Club()
    club.write("Ben", "news on")
    club.write("Ada", 'tournament "Autumn" 4x4 max=4')
    (letter,) = club.work()
    assert "news off" not in str(letter.mail["List-Unsubscribe"])
    club.write("Ben", "news off", letter)
    club.write("Ada", 'tournament "Winter" 4x4 max=4')
    assert not club.work()


def test_a_player_who_wants_no_mail_is_not_seated() -> None:
    club = Club()
    club.write("Ada", 'tournament "Autumn" 4x4 days=3 start=2026-12-01')
    for name in FOUR:
        club.write(name, "enter Autumn")
    club.write("Dot", "stop")
    club.harness.now += timedelta(days=10)
    club.work()
    seated = {entry.player for entry in club.tournament.entries_of(1)}
    assert seated == {club.player(name) for name in ("Ada", "Ben", "Cy")}


def test_small_talk_is_no_order(club: Club) -> None:
    letter = next(one for one in club.harness.box if "[tak #" in one.subject)
    name = letter.to.partition("@")[0].capitalize()
    for words in ("enter the room first", "leave me some time", "table four, as usual", "news from home"):
        club.write(name, words, letter)
        assert [
            type(event).__name__ for event in club.harness.outcome.happened if "Chat" in type(event).__name__
        ]


def test_who_is_new_is_placed_by_the_rating_that_anybody_may_see() -> None:
    club = Club()
    names = [f"{first}{second}" for first in "BCDFGH" for second in "ai"][:11]
    club.write("Ada", 'tournament "Autumn" 4x4 days=3 max=11')
    for name in names:
        club.write(name, "enter Autumn")
    strong = [club.player(name) for name in names[-4:]]
    board = pool_of(ORGANISED.games, club.tournament.terms)
    assert board is not None
    with club.harness.store.transaction() as session:
        for player in strong:
            session.get_one(PlayerRow, player).rating_seen_by = "all"
            session.add(
                RatingRow(
                    player_id=player, kind=board.kind, board=board.board, points=1900, deviation=9, games=9
                )
            )
    club.work()
    seated = {entry.player: entry.division for entry in club.tournament.entries_of(1)}
    assert {seated[player] for player in strong} == {1}
    assert sorted(seated.values()) == [1] * 6 + [2] * 5
