"""The size of the crash tests and their seed, from the environment variables KILLS and SEED.

With the same seed, the same games are played and the service is killed at about the same moments.
"""

import os
from random import SystemRandom

from tests.crash.steps import BOT_STEPS, STEPS

_ASKED = int(os.environ.get("KILLS") or 300)
KILLS = max(len(STEPS), _ASKED)
"""The number of kills of the service, at least one for each step."""

BOT_KILLS = min(max(len(BOT_STEPS), _ASKED), 100)
"""The number of its kills while bots think."""

IS_SHORT = KILLS < 100
"""Whether all outages of the servers happen during the same games. Otherwise each outage has games of its own."""

SEED = int(os.environ.get("SEED") or SystemRandom().randrange(1_000_000))
