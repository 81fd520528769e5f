"""Word the Subjects of letters about a game."""

from takmail.blocks import Message, Text, message
from takmail.commands.grammar.names import first_name
from takmail.commands.services import A_FRIEND
from takmail.commands.view import View
from takmail.letters.reader import Reader
from takmail.world import Table


def subject_of(table: Table, reader: Reader) -> Text:
    """Return the Subject of a letter about a game. It stays the same from the acceptance on.

    Before that, the guest reads who asks, and the host the name by which the guest is known. Somebody who has never
    played gets no more of the host's name than its first word, as the host chooses the name.
    """
    view = reader.view
    if view is not None and view.is_guest and table.record.is_invitation:
        has_played = table.players[view.you].begun_games
        host = view.opponent if has_played else first_name(view.opponent)
        return _of_invitation(view, reader, host)
    if view is None or view.knows_opponent:
        return table.record.subject
    first, second = view.names
    return message("subject_of_game", first=first, second=second, title=table.title)


def _of_invitation(seen: View, reader: Reader, host: str) -> Message:
    wording = reader.wording
    return message(
        "subject_of_invitation",
        host=host or A_FRIEND,
        game="" if wording.title_names_game else wording.name,
        title=message("title", labels=wording.title(seen.setup, is_relay=seen.is_relay)),
    )
