"""Check that the name of a tournament is read as it behind each command that takes one."""

from takmail.commands.grammar.clubs import OneTournament, OrganisersStep
from takmail.commands.grammar.line_reader import LineReader
from takmail.commands.grammar.understand import understand
from takmail.world import SETTINGS

_NAMED_BY = ("enter", "leave", "leave now", "table")
_CHOICES = frozenset(word for setting in SETTINGS.values() for word in setting.choices)
"""Words that choose a setting, such as `off`, which nobody takes for a name."""


def is_read_as_itself(name: str, reader: LineReader) -> bool:
    """Tell whether `name` means the tournament behind each command, and is no word of one.

    "leave Now" might leave another one at once, and "leave Now or never" leaves "or never".
    """
    keywords = (keyword for known in reader.commands.words.values() for keyword, _ in known)
    if name.lower() in _CHOICES.union(*map(str.split, keywords)):
        return False
    orders = [understand(f"/{keyword} {name}", reader).orders for keyword in _NAMED_BY]
    steps = understand(f"/organise {name}: start", reader).orders
    return [[(one.command.keyword, one.arguments) for one in line] for line in (*orders, steps)] == [
        *([(keyword, OneTournament(name))] for keyword in _NAMED_BY),
        [("organise", OrganisersStep(name, "start"))],
    ]
