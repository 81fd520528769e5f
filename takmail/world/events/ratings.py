"""Events about ratings."""

from dataclasses import dataclass

from takmail.world.events.base import Event
from takmail.world.operations import RateAgain
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingsOutdated(Event):
    """Something has changed that ratings are computed from. A service computes them again soon."""

    def apply(self, world: World) -> World:
        """Return the world in which they are due."""
        return world.with_operation(RateAgain())
