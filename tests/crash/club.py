"""Readers of digests who play several games from one letter, and whose opponents and who prepare moves in advance."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from random import Random
from typing import Any

from sqlmodel import Session, col, func, select

from takmail.cli.demo.habits import text_of
from takmail.games.registry import GAMES
from takmail.games.tak.moves import legal_moves
from takmail.games.tak.notation import mail
from takmail.games.tak.state import TakState
from takmail.store.database import Store
from takmail.store.machine_time import utc_now
from takmail.store.tables import DueRow, InboxRow, OutboxRow, TurnRow
from takmail.world.kinds import LetterState, MailState
from tests.crash.play import Leave, begun
from tests.crash.post import Post
from tests.crash.time_machine import TimeMachine

SIZE = 5
NOT_THERE = (LetterState.QUEUED, LetterState.POSTPONED, LetterState.HELD)


@dataclass(frozen=True, slots=True)
class ClubScript:
    """The games of one reader of digests, one against each opponent, who plays first in it.

    * `is_quiet`: the reader gets the first turn at once, and the others after writing. Otherwise they come once a day.
    * `turns` are those of each game
    * `prepared` are the turns that their player has prepared in advance, with the turn before the last one: by the
      number of the game in the club and that of the turn, both from 0
    """

    reader: str
    opponents: tuple[str, ...]
    is_quiet: bool
    turns: tuple[tuple[str, ...], ...]
    prepared: frozenset[tuple[int, int]]

    @property
    def people(self) -> tuple[str, ...]:
        """The reader and the opponents."""
        return (self.reader, *self.opponents)

    @property
    def rounds(self) -> int:
        """How often everybody plays."""
        return len(self.turns[0]) // 2

    @property
    def mails(self) -> int:
        """About the number of mails."""
        return 3 * len(self.turns) + 1 + self.rounds * (len(self.turns) + 3)


def club_script(
    random: Random, reader: str, opponents: Sequence[str], rounds: int, *, is_quiet: bool
) -> ClubScript:
    """Return a club with random legal turns. In each game but the first, some turns are prepared in advance."""
    prepared = {
        (game, turn)
        for game in range(1, len(opponents))
        for turn in range(2 + game % 2, 2 * rounds, 4)
        if game <= 2 or random.random() < 0.5
    }
    turns = tuple(_turns(random, 2 * rounds) for _ in opponents)
    return ClubScript(reader, tuple(opponents), is_quiet, turns, frozenset(prepared))


def _turns(random: Random, count: int) -> tuple[str, ...]:
    """Return legal turns that end no game."""
    while True:
        state, turns = GAMES.rules(GAMES.default).start(str(SIZE)), list[str]()
        while state.result is None and len(turns) < count:
            assert isinstance(state, TakState)
            text = mail.write(state.position.board, random.choice(legal_moves(state.position)))
            state = state.play(text)
            turns.append(text)
        if state.result is None:
            return tuple(turns)


class Club:
    """A club that plays. `numbers` are those of its games, and `words` what was said, with who said it to whom."""

    def __init__(
        self, script: ClubScript, post: Post, leave: Leave, time: TimeMachine, random: Random
    ) -> None:
        self.script = script
        self.numbers: list[int] = []
        self.words: dict[str, tuple[str, str]] = {}
        self.digests: list[str] = []
        self.split: list[str] = []
        self._post = post
        self._leave = leave
        self._time = time
        self._random = random

    async def run(self) -> None:
        """Begin all games, choose digests, and play."""
        script, post = self.script, self._post
        self.numbers = await asyncio.gather(*map(self._begin, script.opponents))
        how = "quiet" if script.is_quiet else f"daily {(utc_now().hour + 12) % 24}:00"
        await self._leave()
        asked = await post.write(script.reader, f"digest {how}", await self._newest(script.reader, 0, 0))
        await post.answer_to(asked)
        for turn in range(0, 2 * script.rounds, 2):
            await asyncio.gather(*(self._play_opponent(game, turn) for game in range(len(self.numbers))))
            await self._all_have(turn + 1)
            await self._play(await self._digest(), turn + 1)
            await self._all_have(turn + 2)

    async def _begin(self, opponent: str) -> int:
        """Begin a game, in which the opponent plays first. Return its number."""
        words = f"new {SIZE} vs {opponent} first=them"
        number, invitation = await begun(self._post, self._leave, self.script.reader, opponent, words)
        await self._leave()
        await self._post.answer_to(await self._post.write(opponent, "accept", invitation))
        return number

    async def _play_opponent(self, game: int, turn: int) -> None:
        """Let the opponent play a turn, with words, unless it plays by itself."""
        script, opponent = self.script, self.script.opponents[game]
        if (game, turn) in script.prepared:
            return
        letter = await self._newest(opponent, game, turn)
        await self._leave()
        await self._post.write(opponent, self._lines(game, turn, opponent, script.reader), letter)

    async def _play(self, digest: EmailMessage | None, turn: int) -> None:
        """Let the reader play in all games: by one answer to a digest, or in answer to each game's own letter."""
        script = self.script
        games = [game for game in range(len(self.numbers)) if (game, turn) not in script.prepared]
        if digest is not None:
            await self._play_from(digest, games, turn)
            return
        for game in games:
            letter = await self._newest(script.reader, game, turn)
            await self._leave()
            await self._post.write(script.reader, self._lines(game, turn, script.reader, None), letter)

    async def _play_from(self, digest: EmailMessage, games: list[int], turn: int) -> None:
        """Let the reader play by one mail, in which one move is illegal. It is corrected afterwards."""
        script, post = self.script, self._post
        self._random.shuffle(games)
        wrong = games[0] if len(games) > 1 else None
        speaks = {*games[-2:]}
        parts = [
            f"#{self.numbers[game]}\n"
            + (
                "ps c9"
                if game == wrong
                else self._lines(
                    game, turn, script.reader, script.opponents[game] if game in speaks else None
                )
            )
            for game in games
        ]
        await self._leave()
        written = await post.write(script.reader, "\n\n".join(parts), digest)
        if wrong is None:
            return
        self.split.append(written)
        answer = await post.answer_to(written)
        right = self._lines(wrong, turn, script.reader, None)
        await self._leave()
        await post.write(script.reader, f"#{self.numbers[wrong]}\n{right}", answer)

    def _lines(self, game: int, turn: int, who: str, to: str | None) -> str:
        """Return the text of a turn, with what its player prepares, and words for somebody if `to` is given."""
        turns = self.script.turns[game]
        lines = [turns[turn]]
        if (game, turn + 2) in self.script.prepared:
            lines.append(f"if {turns[turn + 1]} then {turns[turn + 2]}")
        if to is not None:
            words = f"Greetings {self.numbers[game]}x{turn}x{self._random.randrange(1_000_000)}."
            self.words[words] = (who, to)
            lines += ["", words]
        return "\n".join(lines)

    async def _digest(self) -> EmailMessage | None:
        """Let the reader get what is held, by writing or as it is time. Return the digest, None if nothing was held."""
        reader = self.script.reader
        if self.script.is_quiet:
            letter = await self._newest(reader, 0, 0)
            await self._leave()
            await self._post.answer_to(await self._post.write(reader, "games", letter))
        else:
            await self._time.digest(reader)
        await self._time.until(lambda session: not self._is_held(session), f"the digest of {reader}")
        digest = self._time.done(self._newest_digest)
        if digest is None or digest in self.digests:
            return None
        self.digests.append(digest)
        return await self._post.letter(digest)

    async def _all_have(self, turns: int) -> None:
        """Wait until this number of turns is played in each game, and the turns after it that are prepared."""

        def are_played(session: Session) -> bool:
            return all(
                _turns_of(session, number) >= turns + ((game, turns) in self.script.prepared)
                for game, number in enumerate(self.numbers)
            )

        await self._time.until(are_played, f"turn {turns} in the games {self.numbers}")

    async def _newest(self, who: str, game: int, turn: int) -> EmailMessage:
        """Wait until a player has the letter with a turn of a game, and return the newest letter."""
        number = self.numbers[game]
        least = 0

        def is_there(session: Session) -> bool:
            nonlocal least
            of_game = (col(OutboxRow.game_id) == number, col(OutboxRow.mail_to) == who)
            rows = session.exec(select(OutboxRow.state, OutboxRow.turn).where(*of_game)).all()
            sent = [row for row in rows if row[0] == LetterState.SENT]
            least = len(sent)
            return not {row[0] for row in rows} & {*NOT_THERE[:2]} and any(
                (row[1] or 0) >= turn for row in sent
            )

        await self._time.until(is_there, f"the letter with turn {turn} of game {number} to {who}")
        return await self._post.newest(who, number, least)

    def _is_held(self, session: Session) -> bool:
        to_reader = col(OutboxRow.mail_to) == self.script.reader
        states = session.exec(select(OutboxRow.state).where(to_reader)).all()
        return not {*states}.isdisjoint(NOT_THERE)

    def _newest_digest(self, session: Session) -> str | None:
        newest = _digests_to(self.script.reader).order_by(col(OutboxRow.id).desc()).limit(1)
        return session.exec(newest).first()


def _digests_to(reader: str) -> Any:
    return select(OutboxRow.message_id).where(
        OutboxRow.mail_to == reader, col(OutboxRow.game_id).is_(None), col(OutboxRow.mail_id).is_(None)
    )


def _turns_of(session: Session, number: int) -> int:
    return session.exec(select(func.count()).select_from(TurnRow).where(TurnRow.game_id == number)).one()


# What came of it.


def check_clubs(store: Store, clubs: Sequence[Club], post: Post) -> str:
    """Check that each turn was played once, that each word has reached one player, and that nothing is outstanding."""
    with store.transaction() as session:
        for club in clubs:
            _check_games(session, club)
            _check_mails(session, club)
        late = session.exec(select(DueRow.subject, DueRow.work).where(DueRow.work == "parts")).all()
    assert late == [], "parts of mails are not answered"
    for club in clubs:
        _check_words(club, post)
    splits, digests = (
        sum(len(x) for x in some) for some in ([c.split for c in clubs], [c.digests for c in clubs])
    )
    ahead = sum(len(club.script.prepared) for club in clubs)
    return f"{len(clubs)} clubs: {digests} digests, {splits} split mails, {ahead} moves prepared in advance"


def _check_games(session: Session, club: Club) -> None:
    for number, turns in zip(club.numbers, club.script.turns, strict=True):
        rows = session.exec(
            select(TurnRow).where(TurnRow.game_id == number).order_by(col(TurnRow.number))
        ).all()
        assert tuple(row.text for row in rows) == turns, number
        assert [row.number for row in rows] == list(range(1, len(turns) + 1))
        told = select(OutboxRow.reported_turn).where(
            OutboxRow.game_id == number,
            OutboxRow.mail_to == club.script.reader,
            col(OutboxRow.reported_turn).is_not(None),
        )
        twice = [turn for turn, count in Counter(session.exec(told)).items() if count > 1]
        assert twice == [], f"letters tell turns of game {number} twice: {twice}"


def _check_mails(session: Session, club: Club) -> None:
    """Check that each split mail has parts that were handled and told once, and that each digest was written once.

    What is held for who gets the first turn at once leaves when they write anything, so that a move in a second mail
    brings another digest if a prepared turn came in between.
    """
    held = select(OutboxRow.id).where(
        OutboxRow.mail_to == club.script.reader, OutboxRow.state == LetterState.HELD
    )
    assert session.exec(held).all() == []
    written = session.exec(_digests_to(club.script.reader).order_by(col(OutboxRow.id))).all()
    asked_for = [digest for digest in written if digest in club.digests or not club.script.is_quiet]
    assert asked_for == club.digests
    parts = session.exec(
        select(InboxRow).where(InboxRow.sender == club.script.reader, col(InboxRow.part_of).is_not(None))
    ).all()
    assert all(part.state in (MailState.PLAYED, MailState.ANSWERED) and part.is_told for part in parts)
    assert len({part.part_of for part in parts}) == len(club.split)


def _check_words(club: Club, post: Post) -> None:
    """Check that what somebody said has come to its reader in one letter, and to nobody else."""
    for words, (who, to) in club.words.items():
        for person in club.script.people:
            letters = [
                letter for letter in post.letters(person) if words in " ".join(text_of(letter).split())
            ]
            if person == to:
                assert len(letters) == 1, f"{words} from {who} is in {len(letters)} letters to {to}"
            elif person != who:
                assert letters == [], f"{words} from {who} to {to} has come to {person}"
