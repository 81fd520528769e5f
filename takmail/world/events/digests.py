"""Define what happens to turns that are gathered for a digest."""

from dataclasses import dataclass

from takmail.world import operations
from takmail.world.events.base import PlayerEvent
from takmail.world.kinds import GameNumber
from takmail.world.letters import HeldLetter
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestRescheduled(PlayerEvent):
    """What is held for a player leaves at another time, as they have written or chosen so."""

    def apply(self, world: World) -> World:
        """Return the world in which their digest is due as they want it."""
        wishes = world.player(self.player).preferences
        rescheduled = operations.RescheduleDigest(player=self.player, choice=wishes.digest, zone=wishes.zone)
        return world.with_operation(rescheduled)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsGathered(PlayerEvent):
    """A digest tells a player of turns, in place of the letters that were `held` for it.

    `games` are those that wait for the player, the most urgent first. If there are none, there is no digest.
    """

    games: tuple[GameNumber, ...]
    held: tuple[HeldLetter, ...]

    def apply(self, world: World) -> World:
        """Return the world in which the letters are gathered, and their words wait for the digest."""
        letters = tuple(letter.letter for letter in self.held)
        return world.with_operation(operations.GatherLetters(letters=letters))
