"""Define the port through which commands read the store.

Answers come from the transaction of the snapshot. The port changes no stored data. Numbers of new rows are handed out
once and may leave gaps.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from takmail.commands.game.match import Finished
from takmail.commands.game.table import Corrupt, Table
from takmail.commands.kinds import Standing
from takmail.commands.personal_data import PersonalData
from takmail.commands.records import (
    Dispute,
    DisputeEvidence,
    GameNumber,
    GameRecord,
    Mailbox,
    MessageId,
    Offer,
    Player,
    PlayerId,
    Question,
    ReturnedLetter,
    Seek,
    SeekNumber,
)
from takmail.games.interface import Seat


class Queries(Protocol):
    """Read-only access to stored data. Answers do not include the effects of the current cause (see `Context`)."""

    def next_game(self) -> GameNumber:
        """Return the number of the next game. No number is returned twice; gaps are allowed."""

    def next_player(self) -> PlayerId:
        """Return the number of the next player, as `next_game` does."""

    def next_seek(self) -> SeekNumber:
        """Return the number of the next seek, as `next_game` does."""

    def player(self, player: PlayerId) -> Player:
        """Return a player who is known to exist, with all mailboxes."""

    def player_by_address(self, address: str) -> Player | None:
        """Return the owner of an address in normal form."""

    def player_by_skeleton(self, skeleton: str) -> Player | None:
        """Return the player who chose a name with this skeleton."""

    def skeletons(self, beginning: str) -> frozenset[str]:
        """Return the skeletons of all names that start with `beginning`."""

    def mailbox(self, address: str) -> Mailbox:
        """Return an address with the counts of recent letters to it, even if it belongs to no player."""

    def blocks(self, player: PlayerId, other: PlayerId) -> bool:
        """Tell whether a player blocks another player."""

    def blocked_by(self, player: PlayerId) -> Sequence[Player]:
        """Return the players whom a player blocks, by number."""

    def table(self, number: GameNumber) -> Table | Corrupt | None:
        """Return a game with its table, None if there is no such game."""

    def games_of(self, player: PlayerId, standings: Sequence[Standing]) -> Sequence[GameRecord]:
        """Return the games of a player in these standings, by number."""

    def rematch_of(self, number: GameNumber) -> GameRecord | None:
        """Return the rematch of a finished game, unless it was declined."""

    def was_asked(self, player: PlayerId) -> bool:
        """Tell whether a player was ever sent an invitation."""

    def last_beginner(self, kind: str, one: PlayerId, other: PlayerId) -> PlayerId | None:
        """Return who had the first seat in the last begun game of a kind between two players, None if there is none."""

    def opponents(self, player: PlayerId) -> Sequence[tuple[str, PlayerId]]:
        """Return the distinct opponents of a player, each with the kind of game, longest known first."""

    def finished(self, kind: str, one: PlayerId, other: PlayerId) -> Sequence[Finished]:
        """Return the finished games of a kind between two players, by number, without void games."""

    def ended_offers(self, game: GameNumber) -> Sequence[Offer]:
        """Return the closed offers of a game, oldest first, including expired proposals."""

    def disputes(self, game: GameNumber) -> Sequence[Dispute]:
        """Return all disputes of a game, oldest first."""

    def seek(self, number: SeekNumber) -> Seek | None:
        """Return a seek of any age."""

    def seeks(self) -> Sequence[Seek]:
        """Return all seeks of any age, oldest first."""

    def questions_to(self, address: str) -> Sequence[Question]:
        """Return the open questions to an address, oldest first, of any age.

        Questions that newer ones replaced are included, and so are questions for which no letter was written.
        """

    def addresses_asked(self, player: PlayerId, since: datetime) -> frozenset[str]:
        """Return the unconfirmed addresses that a player has claimed since a time."""

    def block_reason(self, player: PlayerId) -> str:
        """Return the reason of the operator's last block of a player, '' if there was none."""

    def personal_data(self, player: PlayerId, most: int, most_posts: int) -> PersonalData:
        """Return all data about a player: the newest rows of each kind, and the number of older ones."""

    def former_names(self, player: PlayerId) -> Sequence[str]:
        """Return the names under which letters were sent to a player."""

    def returned_letter(
        self, letters: Sequence[MessageId], seats: Sequence[tuple[GameNumber, Seat]]
    ) -> ReturnedLetter | None:
        """Return the newest letter with one of these Message-IDs, else the last one sent to the first of the seats."""

    def frozen_for(self, game: GameNumber) -> str | None:
        """Return the digest of the fault for which a game was last frozen, '' if it was not stored.

        Return None if the game was never frozen, or was adjourned or resumed since.
        """

    def evidence(self, game: GameNumber, turn: int) -> DisputeEvidence:
        """Return the stored data about a corrupt game that may show its former state, in particular at a turn."""

    def games_with_waiting_letters(self, player: PlayerId) -> Mapping[GameNumber, Sequence[MessageId]]:
        """Return the games of a player with unsent letters to the opponent, including postponed and resting letters.

        Each game comes with the letters to the opponent that were sent, oldest first.
        """
