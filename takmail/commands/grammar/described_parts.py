"""Find the part of a line that describes a turn, among parts that leave it as it is."""

from collections.abc import Collection

from takmail.commands.command import Unclear
from takmail.commands.grammar.asides import begun_turn, known_ends, parts_of
from takmail.commands.grammar.descriptions import description
from takmail.commands.grammar.line_reader import LineReader
from takmail.commands.grammar.normalize import clauses_of
from takmail.games.kit.naming import may_name_area, may_name_place, without_excluded
from takmail.limits.words import MAX_MOVE_CHARS
from takmail.vocabulary import table, words_of


def described_part(line: str, reader: LineReader, names: Collection[str]) -> Unclear | None:
    """Return the doubt about the only clause of a line that describes a turn, if the others leave it as it is.

    A place alone between other clauses explains what is before it: "The middle square, c3, is best". One that is a
    player's name is no place.
    """
    if not _may_describe_turn(line, reader) or len(line) > MAX_MOVE_CHARS:
        return None
    signed = {words_of(name) for name in names}
    clauses = [clause for clause in clauses_of(without_excluded(line)) if words_of(clause)]
    described: list[Unclear] = []
    for place, clause in enumerate(clauses):
        doubt = None if words_of(clause) in signed else _description_in(clause, reader, names)
        turning = table("turning").matches(words_of(clause))
        if doubt is None and any(not table("denials").meaning(match.meaning) for match in turning):
            return None
        is_named = len(words_of(clause)) > 1 and may_name_place(clause) and not turning
        if doubt is not None and (is_named or place in (0, len(clauses) - 1)):
            described.append(doubt)
    return described[0] if len(described) == 1 else None


def _description_in(clause: str, reader: LineReader, names: Collection[str]) -> Unclear | None:
    """Return the doubt about the only part of a clause that names a place, if that part describes a turn."""
    parts = [part for part in parts_of(clause) if _may_describe_turn(part, reader)]
    if len(parts) != 1:
        return None
    doubt = description(parts[0], reader, names)
    if doubt is not None:
        return doubt if doubt.is_turn else None
    begun = (begun_turn(text, reader) for text in (parts[0], *known_ends(parts[0])))
    doubts = (description(text, reader, names) for text in begun if text)
    # People speak of what stands on the board, which can't be played any more.
    return next((doubt for doubt in doubts if doubt is not None and doubt.is_turn and doubt.offers), None)


def _may_describe_turn(text: str, reader: LineReader) -> bool:
    """Tell whether a text may name a place or a part of the board."""
    return may_name_place(text) or any(may_name_area(text, names) for names in reader.words)
