"""The port to the store for commands; answers come from the snapshot's transaction.

It changes nothing that is stored. Numbers of new rows are given out once, and so leave gaps.
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
    """A port to what is stored; an answer knows nothing of what this cause has done (see `Context`)."""

    def next_game(self) -> GameNumber:
        """The number of the next game; no number is given twice, and gaps are fine."""

    def next_player(self) -> PlayerId:
        """The number of the next player; as `next_game`."""

    def next_seek(self) -> SeekNumber:
        """The number of the next seek; as `next_game`."""

    def player(self, player: PlayerId) -> Player:
        """A player who is known to exist, with all mailboxes."""

    def player_by_address(self, address: str) -> Player | None:
        """Whose address this is, in normal form."""

    def player_by_skeleton(self, skeleton: str) -> Player | None:
        """Whose name it is that has this skeleton, if anybody's own."""

    def skeletons(self, beginning: str) -> frozenset[str]:
        """The skeletons of all names that begin so."""

    def mailbox(self, address: str) -> Mailbox:
        """An address with what was written to it of late, be it anybody's or not."""

    def blocks(self, player: PlayerId, other: PlayerId) -> bool:
        """Whether a player wants to hear nothing of another one."""

    def blocked_by(self, player: PlayerId) -> Sequence[Player]:
        """Of whom a player wants to hear nothing, by number."""

    def table(self, number: GameNumber) -> Table | Corrupt | None:
        """A game with everything on its table; None: there is none of this number."""

    def games_of(self, player: PlayerId, standings: Sequence[Standing]) -> Sequence[GameRecord]:
        """The games that a player sits in, in these standings, by number."""

    def rematch_of(self, number: GameNumber) -> GameRecord | None:
        """The game that follows on a finished one, unless it was declined."""

    def was_asked(self, player: PlayerId) -> bool:
        """Whether a player has ever got an invitation."""

    def last_beginner(self, kind: str, one: PlayerId, other: PlayerId) -> PlayerId | None:
        """Who had the first seat in the newest game of a kind that two players have begun; None: there is none."""

    def opponents(self, player: PlayerId) -> Sequence[tuple[str, PlayerId]]:
        """The opponents of a player's games, each with the kind of game; each once, longest known first."""

    def finished(self, kind: str, one: PlayerId, other: PlayerId) -> Sequence[Finished]:
        """The games of a kind that two players have finished, by number; those that are void are none of them."""

    def ended_offers(self, game: GameNumber) -> Sequence[Offer]:
        """The offers of a game that stand no more, oldest first; so is a proposal whose time is over."""

    def disputes(self, game: GameNumber) -> Sequence[Dispute]:
        """All disputes of a game, oldest first."""

    def seek(self, number: SeekNumber) -> Seek | None:
        """A seek, be it as old as it may."""

    def seeks(self) -> Sequence[Seek]:
        """All seeks, oldest first, be they as old as they may."""

    def questions_to(self, address: str) -> Sequence[Question]:
        """The questions that are open to an address, oldest first, be they as old as they may.

        Those that newer ones have replaced are among them, and those for which no letter was written.
        """

    def addresses_asked(self, player: PlayerId, since: datetime) -> frozenset[str]:
        """The addresses that a player has claimed since a moment, and that are not confirmed."""

    def why_barred(self, player: PlayerId) -> str:
        """Why the operator has last blocked a player, '' if never."""

    def personal_data(self, player: PlayerId, most: int, most_posts: int) -> PersonalData:
        """All that is held about a player: of each kind the newest rows, and how many older ones there are."""

    def former_names(self, player: PlayerId) -> Sequence[str]:
        """The names that letters to a player went to."""

    def returned_letter(
        self, letters: Sequence[MessageId], seats: Sequence[tuple[GameNumber, Seat]]
    ) -> ReturnedLetter | None:
        """The newest of our letters with one of these Message-IDs, else the last that has left for the first seat."""

    def frozen_for(self, game: GameNumber) -> str | None:
        """The digest of the fault for which a game was last frozen, '' if it was not kept.

        None: never, or it was adjourned or resumed since.
        """

    def evidence(self, game: GameNumber, turn: int) -> DisputeEvidence:
        """What is kept of a corrupt game that may tell how it was, above all at a turn."""

    def games_with_waiting_letters(self, player: PlayerId) -> Mapping[GameNumber, Sequence[MessageId]]:
        """The games of a player with letters to the other one that have not left yet, be they put off or resting.

        Each comes with the letters to that one that have left, oldest first.
        """
