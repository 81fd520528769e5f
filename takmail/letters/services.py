"""Add the services that letters need to those that commands need. None of them is a clock or a random source."""

from dataclasses import dataclass, field

from takmail.commands.services import CommandServices
from takmail.letters.pictures.picture_cache import PictureCache
from takmail.letters.templates import Templates


@dataclass(frozen=True, slots=True)
class Services(CommandServices):
    """The services that are needed to process a cause. Only the picture cache changes."""

    templates: Templates
    picture_cache: PictureCache = field(default_factory=PictureCache)
