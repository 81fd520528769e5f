"""Let `time.sleep` work under faketime 0.9.10, in each Python that at.sh starts.

Where monotonic clocks stay as they are, faketime moves the end of a sleep into the past, and the system refuses it.
"""

import select
import time


def _sleep(seconds: float) -> None:
    """Wait as `time.sleep` does."""
    select.select((), (), (), seconds)


time.sleep = _sleep
