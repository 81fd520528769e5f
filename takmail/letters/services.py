"""Services for every cause: the address, the key, the templates, limits and games. There is no clock and no chance."""

from dataclasses import dataclass, field

from takmail.commands.services import CommandServices
from takmail.letters.pictures.picture_cache import PictureCache
from takmail.letters.templates import Templates


@dataclass(frozen=True, slots=True)
class Services(CommandServices):
    """The services that a whole cause uses; nothing in them changes but the cache of drawn pictures."""

    templates: Templates
    picture_cache: PictureCache = field(default_factory=PictureCache)
