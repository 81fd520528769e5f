"""Define what can be asked of stored data. A cause asks in its transaction (`Reading`), and no query changes data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from takmail.games.interface import Seat
from takmail.world.clubs.values import SeasonRows, Tournament, TournamentNumber
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, MessageId, PendingId, PlayerId, Standing, StrangerBudget
from takmail.world.letters import CountedLetter, HeldLetter, ReturnedLetter, SentLetter
from takmail.world.match import BegunGame, Finished
from takmail.world.pending import Pending
from takmail.world.players import Mailbox, Player, Seek
from takmail.world.ratings import FirstTurn, ListedRating, OwnResults
from takmail.world.records import GameRecord
from takmail.world.tasks import Task

PersonalRow = Mapping[str, object]
"""A row as `mydata` shows it: names and values, in order. Bytes are the beginning of a mail or letter, or empty."""
POSTS = ("mails", "letters")
"""The kinds of data that the player also has as mails."""


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest rows of one kind, in ascending order. `older` is the number of rows before them."""

    rows: Sequence[PersonalRow]
    older: int


PersonalData = Mapping[str, Newest]
"""The stored data about a player by kind, in order. Events of the current cause are not included.

`takmail.store.personal_data` describes the kinds.
"""


class Queries(Protocol):
    """Read-only access to stored data. Answers do not include changes by the current cause, which `World` adds."""

    def player(self, player: PlayerId) -> Player:
        """Return a player with all their mailboxes. The player must exist."""

    def player_by_address(self, address: str) -> Player | None:
        """Return the owner of an address in normal form, None if it belongs to nobody."""

    def player_by_skeleton(self, skeleton: str) -> Player | None:
        """Return the player whose chosen name has this skeleton, None if there is none."""

    def skeletons(self, beginning: str) -> frozenset[str]:
        """Return the skeletons of all names that start with `beginning`."""

    def mailbox(self, address: str) -> Mailbox:
        """Return the mailbox of an address with its recent letter counts, even if the address belongs to no player."""

    def counted_letters(self, budget: StrangerBudget) -> Sequence[CountedLetter]:
        """Return the letters that count in a budget and have left within a day or are to leave."""

    def game(self, number: GameNumber) -> Game | None:
        """Return a game, None if there is no such game."""

    def games_of(self, player: PlayerId, standings: tuple[Standing, ...]) -> Sequence[GameRecord]:
        """Return the games of a player that have one of these standings, by number."""

    def opponents(self, player: PlayerId) -> Sequence[tuple[GameNumber, str]]:
        """Return the unfinished games of a player with the opponents' names, in the order of their numbers."""

    def begun_between(self, one: PlayerId, other: PlayerId) -> Sequence[BegunGame]:
        """Return the games that two different players have begun with each other, by number."""

    def rematch_of(self, number: GameNumber) -> GameRecord | None:
        """Return the rematch of a game, None if there is none or it was declined."""

    def finished(self, kind: str, one: PlayerId, other: PlayerId, since: GameNumber) -> Sequence[Finished]:
        """Return the finished games of a kind between two players from a number on, by number, without void ones."""

    def ratings(self, you: PlayerId | None) -> Sequence[ListedRating]:
        """Return the ratings that a player, or a stranger, may see, the strongest of each pool first.

        Those of the player are always among them.
        """

    def first_turns(self) -> Sequence[FirstTurn]:
        """Return how often the first player wins in each pool with each komi, where enough people have played."""

    def results_of(self, player: PlayerId) -> Sequence[OwnResults]:
        """Return how a player has fared in the games that count for ratings, by pool."""

    def seeks(self) -> Sequence[Seek]:
        """Return all seeks, including expired ones: first those of the player who wrote last, by number."""

    def questions_to(self, address: str) -> Sequence[Pending]:
        """Return the questions to an address that are not closed, oldest first, including expired ones.

        Questions that newer ones replaced and questions without a letter are included, too.
        """

    def overdue(self, most: int) -> Sequence[Pending]:
        """Return at most `most` offers and questions that have expired but are stored as open."""

    def addresses_asked(self, player: PlayerId, since: datetime) -> frozenset[str]:
        """Return the addresses that a player has claimed since a time and whose owners have not confirmed them."""

    def has_played(self, player: PlayerId) -> bool:
        """Tell whether a player has played a turn in a game that is stored."""

    def has_finished(self, player: PlayerId, kind: str) -> bool:
        """Tell whether a stored game of a kind is over in which a player has a seat."""

    def has_waiting_mail(self, player: PlayerId, until: datetime) -> bool:
        """Tell whether a mail that arrived until a time, and that is not handled yet, may be a player's."""

    def was_told_of_seat(self, address: str, game: GameNumber) -> bool:
        """Tell whether the owner of an address was told that a reply address belongs to a seat of a game."""

    def letter_to_seat(
        self, game: GameNumber, seat: Seat, answered: MessageId | None, until: datetime
    ) -> SentLetter | None:
        """Return the newest letter to a seat that is not newer than the letter `answered`, or than a time.

        A letter that asks for a `yes` counts only if it is a piece of `answered`, whose reader has seen the question.
        """

    def was_told_of_costly(self, player: PlayerId) -> bool:
        """Tell whether a player was told within the last day that a mail was too expensive to read."""

    def block_reason(self, player: PlayerId) -> str:
        """Return the operator's reason for last blocking a player, '' if the operator never did."""

    def personal_data(
        self, player: PlayerId, most: int, most_posts: int, closed: frozenset[PendingId]
    ) -> PersonalData:
        """Return the data about a player, without the questions `closed`.

        At most the newest `most` rows of each kind are loaded, and at most the newest `most_posts` mails and letters.
        For each kind, the result has the number of older rows.
        """

    def held_letters(self, player: PlayerId) -> Sequence[HeldLetter]:
        """Return the letters to a player that wait for a digest, oldest first."""

    def has_news(self, player: PlayerId) -> bool:
        """Tell whether a letter with news was written to a player since they last wrote."""

    def returned_letter(self, letters: tuple[MessageId, ...]) -> ReturnedLetter | None:
        """Return the newest of these letters that is stored, None if none is."""

    def waiting_tasks(self, game: GameNumber) -> frozenset[Task]:
        """Return the tasks of a game that wait for a process that thinks, or about which one thinks now."""

    def tournament(self, number: TournamentNumber) -> Tournament | None:
        """Return a tournament with its last season and its next one, None if there is no such one."""

    def tournament_named(self, skeleton: str) -> TournamentNumber | None:
        """Return the tournament with this skeleton that goes on, else the last one, None if there is none."""

    def tournament_of_game(self, game: GameNumber) -> TournamentNumber | None:
        """Return the tournament that has drawn a game, None if there is none."""

    def season_of_game(self, number: TournamentNumber, game: GameNumber) -> int | None:
        """Return the season of a tournament that has drawn a game, None if none has."""

    def past_season(self, number: TournamentNumber, season: int) -> SeasonRows:
        """Return what is stored of a season that is not the last one."""

    def tournaments(self, player: PlayerId | None) -> Sequence[TournamentNumber]:
        """Return the tournaments that go on: all, or those that a player has entered at any time."""

    def faults_told(self, game: GameNumber) -> frozenset[str]:
        """Return the digests of the faults of a game that the operator was told since takmail has adjourned it.

        There are none if it never did, or if the operator has adjourned or resumed the game since.
        """
