"""Add the services that letters need to those that commands need. None of them is a time source or a random source."""

from dataclasses import dataclass

from takmail.commands.context import CommandServices
from takmail.letters.templates import Templates


@dataclass(frozen=True, slots=True)
class Services(CommandServices):
    """The services that are needed to process a cause."""

    templates: Templates
