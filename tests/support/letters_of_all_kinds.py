"""Letters of many kinds as the service writes them, for tests of their appearance and content."""

import json
from collections.abc import Callable
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from sqlmodel import select

from takmail.commands.context import Access
from takmail.games.interface import Seat
from takmail.letters.catalogue import ENGLISH
from takmail.pipeline.clubs import on_club
from takmail.pipeline.due import on_digest, on_due
from takmail.store import due
from takmail.store.causes import new_cause
from takmail.store.due import PARTS
from takmail.store.parts_answered import answer_parts
from takmail.store.tables import DueRow, PairingRow, PlayerRow
from takmail.world import events
from takmail.world.kinds import GameNumber, LetterState, LetterView, PlayerId
from tests.support import databases, rows
from tests.support.every_kind import every_kind
from tests.support.harness import ADA, BEN, TAK, Harness, Received

T = TypeVar("T")

_GAMES = json.loads((Path(__file__).parents[1] / "data" / "games.json").read_text(encoding="utf-8"))
_TZAAR = json.loads((Path(__file__).parents[1] / "data" / "tzaar.json").read_text(encoding="utf-8"))["games"]
_COINS = json.loads((Path(__file__).parents[1] / "data" / "variants.json").read_bytes())["coins"]
_LAST = 4
"""The number of turns of a long game that are played by mail: as many as a letter lists."""

TALL = """propose board me
sSsSsSsS 0 0 0 w
0 S cSsSsSs 0 0
0 0 s 0 0
S 0 0 WsSsSsSsSsSs 0
0 s 0 0 C"""
"""A 5x5 board with stacks much taller than the carry limit of five."""
ADAS_LONG_NAME, BENS_LONG_NAME = "Ada" * 13 + "A", "Ben" * 13 + "B"
"""Names of maximum length without a place where a line could break."""
ADAS, BENS = f"Ada <{ADA}>", f"Ben <{BEN}>"


def invitation(harness: Harness) -> Received:
    harness.send(ADAS, f"new 5 vs {BEN} first=them komi=2 days=3")
    return harness.last(BEN)


def first_ply(harness: Harness) -> Received:
    harness.begin()
    harness.play("ps a1\n\nGood luck, Ben! It is raining here, so I have all the time in the world.")
    return harness.last(BEN)


def mid_game(harness: Harness) -> Received:
    game = _GAMES[105]
    _play(harness, game, 27)
    words = "This is getting narrow.\n\nLook at <b>B2 & C3</b>, and at https://tak.example.org/a-game-like-this-one."
    harness.play(f"{game['mail'][27]} t\n\n{words}", start=27)
    return harness.last(ADA)


def tall_stacks(harness: Harness) -> Received:
    harness.begin()
    harness.play("ps a1", "ps e5")
    harness.send(ADAS, TALL, harness.last(ADA))
    harness.send(BENS, "agree", harness.last(BEN))
    harness.play("ps a3")
    return harness.last(BEN)


def late_on_8x8(harness: Harness) -> Received:
    _play(harness, _GAMES[165], 240)
    return harness.last(ADA)


def win_by_road(harness: Harness) -> Received:
    return _finished(harness, _GAMES[104])


def win_by_flats(harness: Harness) -> Received:
    return _finished(harness, _GAMES[91])


def double_road(harness: Harness) -> Received:
    return _finished(harness, _GAMES[198])


def draw(harness: Harness) -> Received:
    return _finished(harness, _GAMES[85])


def refused_move(harness: Harness) -> Received:
    harness.begin()
    harness.play("ps b4", "ps c3", "ps c2")
    harness.play("Here it comes:\n\nps c3", start=1)
    return harness.last(BEN)


def rs(harness: Harness) -> Received:
    _play(harness, _GAMES[104], 12)
    harness.play("rs")
    return harness.last(ADA)


def dispute(harness: Harness) -> Received:
    game = _GAMES[198]
    _play(harness, game, 27)
    harness.play("im you can not cover my piece", start=1)
    return harness.last(ADA)


def comparison(harness: Harness) -> Received:
    harness.begin()
    harness.play("ps a1", "ps e5", "ps c3", "ps b3", "mw c3", "pw d2")
    harness.play("rs\nS 0 0 0 0\n0 0 0 W 0\n0 s S 0 0\n0 0 w 0 0\n0 0 0 0 s")
    return harness.last(ADA)


def held(harness: Harness) -> Received:
    harness.begin()
    harness.play("ps b4", "ps c3")
    harness.send(ADAS, "#1 ps d2", to=TAK)
    return harness.last(ADA)


def help_(harness: Harness) -> Received:
    harness.begin()
    harness.play("help")
    return harness.last(ADA)


def moves_of_a_stack(harness: Harness) -> Received:
    tall_stacks(harness)
    harness.play("moves d4", start=1)
    return harness.last(BEN)


def long_words(harness: Harness) -> Received:
    harness.begin()
    for who, name in ((ADA, ADAS_LONG_NAME), (BEN, BENS_LONG_NAME)):
        harness.send(who, f"name {name}", harness.last(who))
    harness.play("ps b4", f"ps c3\ndraw\n\n{'x' * 60}\n\nhttps://tak.example.org/{'abcdefghi/' * 90}")
    return harness.last(ADA)


def lesson(harness: Harness) -> Received:
    return _learning(harness, "learn")


def lesson_solved(harness: Harness) -> Received:
    return _learning(harness, "learn 3 pw c2")


def lesson_not_solved(harness: Harness) -> Received:
    return _learning(harness, "learn 2 me a2 p3 3")


def lesson_shown(harness: Harness) -> Received:
    return _learning(harness, "learn 9b pw a2")


def lessons_done(harness: Harness) -> Received:
    return _learning(harness, "learn 10 ps c2")


def lessons_left(harness: Harness) -> Received:
    return _learning(harness, "learn 3 stop")


def lesson_explained(harness: Harness) -> Received:
    harness.send(ADAS, "what is a wall?", _learning(harness, "learn"))
    return harness.last(ADA)


def welcome(harness: Harness) -> Received:
    harness.send(ADAS, "Hello, what is this?")
    return harness.last(ADA)


def seat_address(harness: Harness) -> Received:
    harness.begin()
    harness.send("Other <other@example.org>", "A nice game!", harness.last(ADA))
    return harness.last("other@example.org")


def shown_to_others(harness: Harness) -> Received:
    harness.begin()
    harness.send(ADAS, "ps a1", harness.last(ADA), Cc=BEN)
    return harness.last(ADA)


def first_turn(harness: Harness) -> Received:
    harness.begin()
    return harness.last(ADA)


def on_3x3(harness: Harness) -> Received:
    harness.begin("3")
    harness.play("ps a1", "ps c3", "ps b2", "pw b1", "ps a2")
    return harness.last(BEN)


def mid_5x5(harness: Harness) -> Received:
    _play(harness, _GAMES[198], 21)
    return harness.last(BEN)


def receipt(harness: Harness) -> Received:
    _play(harness, _GAMES[105], 20)
    return harness.last(BEN)


def own_win(harness: Harness) -> Received:
    letter = _finished(harness, _GAMES[104])
    return harness.last(BEN if letter.to == ADA else ADA)


def resigned(harness: Harness) -> Received:
    harness.begin()
    harness.play("ps a1", "ps e5", "ps c3", "resign", start=0)
    harness.send(BENS, "yes", harness.last(BEN))
    return harness.last(ADA)


def rematch(harness: Harness) -> Received:
    resigned(harness)
    harness.send(ADAS, "rematch", harness.last(ADA))
    return harness.last(BEN)


def next_game_of_match(harness: Harness) -> Received:
    harness.begin("5 games=3")
    harness.play("ps a1", "ps e5", "ps c3", "resign", start=0)
    harness.send(BENS, "yes", harness.last(BEN))
    return harness.last(ADA)


def match_to_be_given_up(harness: Harness) -> Received:
    harness.begin("5 games=3")
    harness.send(ADAS, "resign match", harness.last(ADA))
    return harness.last(ADA)


def offer_of_a_draw(harness: Harness) -> Received:
    return _asked(harness, "draw\n\nNobody can win this any more.", 0, BEN)


def offer_to_take_back(harness: Harness) -> Received:
    return _asked(harness, "propose back 2", 0, BEN)


def show(harness: Harness) -> Received:
    return _asked(harness, "show 2")


def log(harness: Harness) -> Received:
    return _asked(harness, "log")


def why(harness: Harness) -> Received:
    return _asked(harness, "why 3")


def dispute_of_mine(harness: Harness) -> Received:
    return _asked(harness, "im you can not place it there")


def games(harness: Harness) -> Received:
    return _asked(harness, "games")


def match(harness: Harness) -> Received:
    return _asked(harness, "match")


def relay(harness: Harness) -> Received:
    harness.begin("5 relay")
    harness.play("ps b4 t\n\nGood luck!")
    return harness.last(BEN)


def university_invitation(harness: Harness) -> Received:
    harness.send(ADAS, f"new 5 vs {BEN} rules=university bid=6")
    return harness.last(BEN)


def university_first_turn(harness: Harness) -> Received:
    university_invitation(harness)
    harness.send(BENS, "accept bid=3", harness.last(BEN))
    return harness.last(ADA)


def university_call(harness: Harness) -> Received:
    return _play_for_coins(harness, 3, 28)


def university_win(harness: Harness) -> Received:
    return _play_for_coins(harness, 3, 29)


def university_match(harness: Harness) -> Received:
    university_win(harness)
    harness.send(ADAS, "match", harness.last(ADA))
    return harness.last(ADA)


def femr_take_back(harness: Harness) -> Received:
    _play_for_coins(harness, 18, 20)
    with harness.store.transaction() as session:
        for letter in rows.letters(session):
            letter.state = LetterState.SENT
    harness.send(BENS, "undo", harness.last(BEN))
    return harness.last(ADA)


def femr_win_by_flats(harness: Harness) -> Received:
    return _play_for_coins(harness, 21, 44)


def tzaar_invitation(harness: Harness) -> Received:
    harness.send(ADAS, f"new tzaar vs {BEN}")
    return harness.last(BEN)


def tzaar_first_turn(harness: Harness) -> Received:
    harness.begin("tzaar fixed")
    return harness.last(ADA)


def tzaar_first_turns(harness: Harness) -> Received:
    return _play_tzaar(harness, 0, 4)


def tzaar_mid_game(harness: Harness) -> Received:
    return _play_tzaar(harness, 2, 16)


def tzaar_win(harness: Harness) -> Received:
    return _play_tzaar(harness, 2, len(_TZAAR[2]["turns"]))


def tzaar_placing(harness: Harness) -> Received:
    return _play_tzaar(harness, 34, 21)


def tzaar_moves(harness: Harness) -> Received:
    _play_tzaar(harness, 2, 16)
    harness.play("moves e2", start=0)
    return harness.last(ADA)


def clock(harness: Harness) -> Received:
    _with_clock(harness, "time=14d+1d")
    harness.send(BENS, "clock", harness.last(BEN))
    return harness.last(BEN)


def reminder(harness: Harness) -> Received:
    _with_clock(harness, "days=3")
    _days_pass(harness, 2)
    return harness.last(BEN)


def holiday(harness: Harness) -> Received:
    _with_clock(harness, "days=3")
    _days_pass(harness, 3, hours=1)
    return harness.last(BEN)


def time_over(harness: Harness) -> Received:
    _with_clock(harness, "days=3")
    with harness.store.transaction() as session:
        session.get_one(PlayerRow, 2).announces_holidays = True
    _days_pass(harness, 3, hours=1)
    return harness.last(ADA)


def your_time_over(harness: Harness) -> Received:
    time_over(harness)
    return harness.last(BEN)


def lost_on_time(harness: Harness) -> Received:
    time_over(harness)
    harness.send(ADAS, "claim", harness.last(ADA))
    return harness.last(BEN)


def at_rest(harness: Harness) -> Received:
    _with_clock(harness, "")
    _days_pass(harness, 31)
    return harness.last(BEN)


def offer_of_time(harness: Harness) -> Received:
    return _asked(harness, "propose time=14d+1d", 0, BEN)


def games_with_clocks(harness: Harness) -> Received:
    at_rest(harness)
    harness.begin("5 days=3", first="them")
    harness.begin("6 relay time=14d+1d", first="them")
    harness.send(BENS, "games", harness.last(BEN))
    return harness.last(BEN)


def digest(games: int, harness: Harness) -> Received:
    """Return the digest of Ben's, in which so many games wait for him: of Tak in three sizes, and of TZAAR."""
    terms = ("5 days=3", "6", "tzaar fixed", "8")
    for number in range(1, games + 1):
        harness.send(ADAS, f"new {terms[number % len(terms)]} vs {BEN} first=me")
        harness.send(BENS, "accept", harness.last(BEN))
    harness.send(BENS, "digest daily 8:00", harness.last(BEN))
    for number in range(1, games + 1):
        turn = harness.table(number).state.choices()[0].turns[0].typed
        words = "\n\nGood evening, Ben!" if number % 3 == 0 else ""
        letter = next(one for one in harness.box if one.to == ADA and f"[tak #{number}]" in one.subject)
        harness.send(ADAS, f"{turn}{words}", letter)
    with harness.store.transaction() as session:
        harness.causes.decide(
            session, new_cause("eight o'clock", harness.now), partial(on_digest, number=PlayerId(2))
        )
    harness.collect()
    return harness.last(BEN)


def _season(harness: Harness, *others: str, form: str = "league") -> None:
    """Let a season of three, and some others, begin. One of them has a long name."""
    senders = (ADAS, BENS, f"{'Cy' * 20} <cy@example.org>", *others)
    harness.change(access=Access(organisers=frozenset({ADA})))
    harness.send(ADAS, f'tournament "Autumn" 4x4 days=3 max={len(senders)} form={form}')
    for sender in senders:
        harness.send(sender, "enter Autumn")
    _do_club_work(harness)


def _do_club_work(harness: Harness) -> None:
    """Do all that is due about tournaments."""
    while True:
        with harness.store.transaction() as session:
            found = session.exec(select(DueRow)).all()
            works = [(row.subject, row.work) for row in found if row.work.startswith(("tou", "pai", "told"))]
            works = [work for work in works if session.get_one(DueRow, work).due_at <= harness.now]
            for subject, work in works:
                due.done(session, subject, work)
        if not works:
            break
        for subject, work in works:
            with harness.store.transaction() as session:
                act = partial(on_club, subject=subject, work=work)
                harness.causes.decide(session, new_cause("work", harness.now), act)
    harness.collect()


def season_begun(harness: Harness) -> Received:
    """Return the letter that begins a season."""
    _season(harness)
    return next(one for one in reversed(harness.box) if one.to == BEN and "#" not in one.subject)


def season_over(harness: Harness) -> Received:
    """Return the letter that tells the end of a season, with its table."""
    _season(harness)
    _let_win(harness, 2)
    _do_club_work(harness)
    return harness.last(BEN)


def knock_out_begun(harness: Harness) -> Received:
    """Return the letter that begins the final of a knock-out, in which one player has a long name."""
    _season(harness, "Dot <dot@example.org>", form="groups")
    _let_win(harness, 2, 3)
    _do_club_work(harness)
    return next(one for one in reversed(harness.box) if one.to == BEN and "#" not in one.subject)


def _let_win(harness: Harness, *winners: int) -> None:
    """Let whoever comes later in the list of winners, or is not in it, give up the games of the season."""
    with harness.store.transaction() as session:
        drawn = [(row.game_id, row.first_id, row.second_id) for row in session.exec(select(PairingRow)).all()]
    for number, first, second in drawn:
        seat = (
            Seat.SECOND if [*winners, first].index(first) <= [*winners, second].index(second) else Seat.FIRST
        )
        lost = events.Resigned(game=GameNumber(number), seat=seat, has_own_letter=True)
        with harness.store.transaction() as session:
            harness.causes.decide(session, new_cause("work", harness.now), lambda _, lost=lost: (lost,))


def parts_told(harness: Harness) -> Received:
    """Return the answer to Ben's mail about three games, one of whose moves can't be played."""
    letter = digest(3, harness)
    harness.send(BENS, "#1 ps b2\n\n#2 ps z9\nWhat a game!\n\n#3\nhelp", letter)
    with harness.store.transaction() as session:
        for row in session.exec(select(DueRow).where(DueRow.work == PARTS)).all():
            answer_parts(harness.causes, session, row.subject)
    harness.collect()
    return harness.last(BEN)


def _with_clock(harness: Harness, pace: str) -> None:
    """Play the first turns of a game with a time for turns. It is Ben's turn."""
    harness.begin(f"5 {pace}")
    harness.play("ps a1", "ps e5", "ps c3")


def _days_pass(harness: Harness, days: int, hours: int = 0) -> None:
    """Let all letters leave, and do what is due in the game after a time."""
    with harness.store.transaction() as session:
        for letter in rows.letters(session):
            letter.state = LetterState.SENT
    harness.now += timedelta(days=days, hours=hours)
    number = GameNumber(1)
    with harness.store.transaction() as session:
        cause = new_cause("some days later", harness.now)
        act = partial(on_due, number=number)
        harness.causes.decide(session, cause, act, games=(number,), with_turn_times=True)
    harness.collect()


def _asked(harness: Harness, words: str, seat: int = 1, reader: str = BEN) -> Received:
    """Return the letter to this reader, once one of the players has written something in a short game."""
    harness.begin()
    harness.play("ps a1", "ps e5", "ps c3")
    harness.play(words, start=seat)
    return harness.last(reader)


KINDS: dict[str, Callable[[Harness], Received]] = {
    "invitation": invitation,
    "first-ply": first_ply,
    "mid-game": mid_game,
    "tall-stacks": tall_stacks,
    "late-on-8x8": late_on_8x8,
    "win-by-road": win_by_road,
    "win-by-flats": win_by_flats,
    "double-road": double_road,
    "draw": draw,
    "refused-move": refused_move,
    "rs": rs,
    "dispute": dispute,
    "comparison": comparison,
    "held": held,
    "help": help_,
    "moves-of-a-stack": moves_of_a_stack,
    "long-words": long_words,
    "welcome": welcome,
    "lesson": lesson,
    "lesson-solved": lesson_solved,
    "lesson-not-solved": lesson_not_solved,
    "lesson-shown": lesson_shown,
    "lessons-done": lessons_done,
    "lessons-left": lessons_left,
    "lesson-explained": lesson_explained,
    "seat-address": seat_address,
    "shown-to-others": shown_to_others,
    "first-turn": first_turn,
    "on-3x3": on_3x3,
    "mid-5x5": mid_5x5,
    "receipt": receipt,
    "own-win": own_win,
    "resigned": resigned,
    "rematch": rematch,
    "next-game-of-match": next_game_of_match,
    "match-to-be-given-up": match_to_be_given_up,
    "offer-of-a-draw": offer_of_a_draw,
    "offer-to-take-back": offer_to_take_back,
    "show": show,
    "log": log,
    "why": why,
    "dispute-of-mine": dispute_of_mine,
    "games": games,
    "match": match,
    "relay": relay,
    "clock": clock,
    "reminder": reminder,
    "holiday": holiday,
    "time-over": time_over,
    "your-time-over": your_time_over,
    "lost-on-time": lost_on_time,
    "at-rest": at_rest,
    "offer-of-time": offer_of_time,
    "games-with-clocks": games_with_clocks,
    "digest-of-one": partial(digest, 1),
    "digest-of-five": partial(digest, 5),
    "digest-of-twelve": partial(digest, 12),
    "parts-told": parts_told,
    "season-begun": season_begun,
    "season-over": season_over,
    "knock-out-begun": knock_out_begun,
    "university-invitation": university_invitation,
    "university-first-turn": university_first_turn,
    "university-call": university_call,
    "university-win": university_win,
    "university-match": university_match,
    "femr-take-back": femr_take_back,
    "femr-win-by-flats": femr_win_by_flats,
    "tzaar-invitation": tzaar_invitation,
    "tzaar-first-turn": tzaar_first_turn,
    "tzaar-first-turns": tzaar_first_turns,
    "tzaar-mid-game": tzaar_mid_game,
    "tzaar-win": tzaar_win,
    "tzaar-placing": tzaar_placing,
    "tzaar-moves": tzaar_moves,
}

"""The name of each kind, and a function that makes a fresh takmail write such a letter."""
TEXT_ALONE = ("welcome", "seat-address")
"""The kinds of letters to strangers, which have no HTML."""
PAGES = tuple(kind for kind in KINDS if kind not in TEXT_ALONE)


@cache
def page(kind: str, language: str = ENGLISH) -> Received:
    """Return a letter of a kind with both sides. It is written once in a process."""
    return with_pages(KINDS[kind], language)


@cache
def conversation() -> tuple[Received, ...]:
    """Return the letters of a conversation of every kind, with both sides. It is held once in a process."""

    def letters(harness: Harness) -> tuple[Received, ...]:
        every_kind(harness)
        return tuple(harness.box)

    return with_pages(letters)


def with_pages(write: Callable[[Harness], T], language: str = ENGLISH) -> T:
    """Return what is written by a fresh takmail whose letters have both sides."""
    with TemporaryDirectory() as folder:
        store = databases.opened(Path(folder))
        try:
            return write(Harness(store, letter_view=LetterView.BOTH, language=language))
        finally:
            store.close()


def _learning(harness: Harness, line: str) -> Received:
    """Return the lesson to somebody who has no game."""
    harness.begin()
    harness.send(ADAS, line, harness.last(ADA))
    return harness.last(ADA)


def _play(harness: Harness, game: dict[str, Any], plies: int) -> None:
    """Play this many turns of a game of Tak."""
    title = f"{game['size']} komi={game['komi']:g}" if game["komi"] else str(game["size"])
    harness.begin(title)
    _play_turns(harness, game["mail"][:plies])


def _play_tzaar(harness: Harness, number: int, count: int) -> Received:
    """Play this many turns of a game of TZAAR that isn't random, and return the letter to the next player."""
    game = _TZAAR[number]
    harness.begin(f"tzaar {game['setup']}")
    _play_turns(harness, game["turns"][:count])
    return harness.last((ADA, BEN)[count % 2])


def _play_for_coins(harness: Harness, number: int, plies: int) -> Received:
    """Play this many turns of a game for coins (6 and 3 are bid), and return the letter to the next player."""
    game = _COINS[number]
    if game["rules"] == "university":
        university_first_turn(harness)
    else:
        harness.begin(f"{game['size']} rules={game['rules']}")
    turns: list[str] = []
    for turn in game["turns"]:
        turns = turns[:-1] if turn == "undo" else [*turns, turn]
    _play_turns(harness, turns[:plies])
    return harness.last((ADA, BEN)[plies % 2])


def _play_turns(harness: Harness, turns: list[str]) -> None:
    """Play the turns of a game. All except the last ones are stored directly, which is fast."""
    early = max(len(turns) - _LAST, 0)
    with harness.store.transaction() as session:
        rows.put_turns(session, turns[:early], harness.now)
    for who in (ADA, BEN):
        harness.send(who, "rs", harness.last(who))
    harness.play(*turns[early:], start=early)


def _finished(harness: Harness, game: dict[str, Any]) -> Received:
    """Return the letter about the last turn of a game to the opponent."""
    plies = len(game["mail"])
    _play(harness, game, plies)
    return harness.last((BEN, ADA)[(plies - 1) % 2])
