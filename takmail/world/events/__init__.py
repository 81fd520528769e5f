"""Define the events: what happened. Letters and `mail explain` tell them.

An answer reports the first event of its command that letters tell. Some events are bookkeeping, which nobody hears of.
All that a module of this package defines is exported: an event is written down at one place.
"""

from takmail.world.events.advance import *
from takmail.world.events.asked_of import *
from takmail.world.events.base import *
from takmail.world.events.beginnings import *
from takmail.world.events.clocks import *
from takmail.world.events.club_games import *
from takmail.world.events.clubs import *
from takmail.world.events.digests import *
from takmail.world.events.leaving import *
from takmail.world.events.mailboxes import *
from takmail.world.events.offers import *
from takmail.world.events.players import *
from takmail.world.events.questions import *
from takmail.world.events.ratings import *
from takmail.world.events.reviews import *
from takmail.world.events.rulings import *
from takmail.world.events.series import *
from takmail.world.events.split_mails import *
from takmail.world.events.turns import *
from takmail.world.events.words import *
