"""How much is played and killed, and by which seed: KILLS and SEED in the environment.

The same seed plays the same games and kills at the same moments, as far as the machine lets moments be the same.
"""

import os
from random import SystemRandom

from tests.crash.steps import STEPS

KILLS = max(len(STEPS), int(os.environ.get("KILLS") or 300))
"""How often the service is killed: at each step once at least."""

IS_SHORT = KILLS < 100
"""Whether all outages of the servers come in a few games, instead of each in separate games."""

SEED = int(os.environ.get("SEED") or SystemRandom().randrange(1_000_000))
