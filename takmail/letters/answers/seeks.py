"""The answers to the commands seek, seeks, join and unseek."""

from collections.abc import Mapping, Sequence

from takmail.blocks import Blocks, Items, Message, message, paragraph
from takmail.commands.view import ListedSeek
from takmail.letters.parts.terms import numbers, seek_terms
from takmail.letters.reader import Builder, Reader


def seeks(reader: Reader, *, seeks: Sequence[ListedSeek], more: bool) -> Blocks:
    """List the games that the reader can join, and those that the reader seeks. `more`: others are left out."""
    others = [listed for listed in seeks if not listed.is_yours]
    own = [listed for listed in seeks if listed.is_yours]
    entries = ((_own_seek(reader, listed),) for listed in own)
    listed_own = (*paragraph(message("you_seek", count=len(own))), Items(tuple(entries))) if own else ()
    if others:
        return (
            *paragraph(message("games_to_join")),
            Items(tuple((_joinable(reader, listed),) for listed in others)),
            *paragraph(message("more_seeks") if more else None),
            *listed_own,
        )
    if own:
        return (*paragraph(message("nobody_else_seeks")), *listed_own)
    return paragraph(message("nobody_seeks", line=reader.wording.seek_example))


def _joinable(reader: Reader, listed: ListedSeek) -> Message:
    terms = seek_terms(reader, listed)
    return message("seek_to_join", number=listed.seek.number, name=listed.name, terms=terms)


def _own_seek(reader: Reader, listed: ListedSeek) -> Message:
    return message("your_seek", number=listed.seek.number, terms=seek_terms(reader, listed))


def many_seeks(reader: Reader, *, most: int, seeks: Sequence[ListedSeek]) -> Blocks:
    """Refuse one more seek, and list the open ones."""
    entries = (
        (message("open_seek", number=listed.seek.number, terms=seek_terms(reader, listed)),)
        for listed in seeks
    )
    return (
        *paragraph(message("many_seeks_open", most=most)),
        Items(tuple(entries)),
        *paragraph(message("unseek_takes_back")),
    )


def play_first(_reader: Reader, *, unplayed: int, due: Sequence[int]) -> Blocks:
    """Refuse one more game to somebody who has played no turn in others. `due`: it is their turn there."""
    return paragraph(message("play_first", unplayed=unplayed, due=numbers(due)))


def not_seeking(_reader: Reader, *, number: int | None) -> Blocks:
    """Say that the reader seeks no game, or none of this number."""
    if number is None:
        return paragraph(message("you_seek_no_game"))
    return paragraph(message("no_seek_of_yours", number=number))


BUILDERS: Mapping[str, Builder] = {
    "seeks": seeks,
    "many_seeks": many_seeks,
    "play_first": play_first,
    "not_seeking": not_seeking,
}
"""The builders of these answers, by their reason."""
