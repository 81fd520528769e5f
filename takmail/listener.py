"""From whoever hands mails over by LMTP to the intake queue: a mail is accepted once it is on the disk."""

import logging
import time
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from takmail.inbound import Inbound
from takmail.mail.servers.door import Door, Place
from takmail.mail.servers.incoming import Room
from takmail.mail.servers.lmtp import Reception
from takmail.service.desk import Desk
from takmail.store.database import AWAY
from takmail.troubles import first_line

log = logging.getLogger(__name__)

ROOM_BYTES = 64 * 1024 * 1024
"""What all mails that are being handed over may take up together."""

REST_SECONDS = 5.0
"""How long no mail is taken after the database was found away, as each would keep all others waiting for it."""

_LATER = "451 4.3.0 It can't be kept now; try again later"


class Listener:
    """The way in for mails that are handed over; `seconds` is a clock that is never set."""

    def __init__(self, inbound: Inbound, seconds: Callable[[], float] = time.monotonic) -> None:
        self._inbound = inbound
        self._seconds = seconds
        self._rests_until = seconds()

    def door(self, place: Place, desk: Desk) -> Door:
        """Where it listens."""
        return Door(place, Reception(desk.key.is_own, self.accept, desk.limits, Room(ROOM_BYTES)))

    def accept(self, raw: bytes, size: int) -> str:
        """Keep a mail, or the beginning of one of `size` bytes, and give the answer: 250 only after the commit."""
        if self._seconds() < self._rests_until:
            return _LATER
        try:
            number = self._inbound.keep_one(raw, size)
        except SQLAlchemyError as error:
            if isinstance(error, AWAY):
                self._rests_until = self._seconds() + REST_SECONDS
            log.warning("a mail is not taken, and will be handed over again: %s", first_line(error))
            return _LATER
        return f"250 2.0.0 kept as mail {number}"
