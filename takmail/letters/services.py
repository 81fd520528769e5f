"""The services that letters need, besides those of commands. They contain no clock and no randomness."""

from dataclasses import dataclass, field

from takmail.commands.services import CommandServices
from takmail.letters.pictures.picture_cache import PictureCache
from takmail.letters.templates import Templates


@dataclass(frozen=True, slots=True)
class Services(CommandServices):
    """The services for processing a cause. Nothing in them changes except the picture cache."""

    templates: Templates
    picture_cache: PictureCache = field(default_factory=PictureCache)
