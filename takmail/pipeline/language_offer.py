"""Find the language that the answer to a mail offers, as the mail is written in it, by its script."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from takmail.commands import redaction
from takmail.commands.answers import CauseResult, OfferedLine, Reported, Said
from takmail.commands.command import Order, Unclear
from takmail.commands.grammar.arguments import Choice, Name
from takmail.commands.grammar.understood import Understood
from takmail.letters.services import Services
from takmail.pipeline.interpret import Interpreted
from takmail.pipeline.reactions import settled_in
from takmail.vocabulary.chinese import SIMPLIFIED, TRADITIONAL, characters_of
from takmail.world import LANGUAGES, PlayerId, Standing, events

_KEYWORD = "language"
_RUSSIAN, _CHINESE = "ru", SIMPLIFIED
_CYRILLIC = "\u0400-\u052f"
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(
    rf"(?P<{_RUSSIAN}>[{_CYRILLIC}]+)|(?P<{_CHINESE}>[{_HAN}]{{1,2}})|(?:(?![{_CYRILLIC}{_HAN}])[^\W\d_]){{2,}}"
)
"""A word. Two Chinese characters count as one, as no spaces separate words in Chinese.

A Latin letter alone does not count, as it may be that of a square.
"""
_OTHER_LANGUAGES = {
    _RUSSIAN: re.compile(rf"(?![\u0410-\u044f\u0401\u0451])[{_CYRILLIC}]"),
    _CHINESE: re.compile(r"[\u3040-\u30ff]"),
}
"""Letters that show that a text in the script of a language is in another one, such as Ukrainian or Japanese."""


def language_offered(services: Services, interpreted: Interpreted, result: CauseResult) -> str:
    """Return the code of the language that the answer to a mail offers, '' if it offers none.

    Only a sender who has chosen no language is offered one. What an order has in Latin letters does not count, as it is
    written so in any language, and neither does a name. An answer to a mail about the language of letters tells of the
    others by itself, but a first mail may get the language that it wishes for and is written in.
    """
    before, after = interpreted.context.player, result.player
    has_chosen = after is not None and after.preferences.language is not None
    has_left = before is not None and after is None
    understood = interpreted.understood
    others = [code for code in LANGUAGES if code != services.language]
    if has_chosen or has_left:
        return ""
    if result.is_silent and (named := _named(understood, others)):
        return named  # A question whether to choose a language is asked in this language.
    orders = (order for order in understood.orders if not order.is_doubt)
    lines = (order.line for order in orders if not isinstance(order.arguments, Name))
    words = (word for line in lines for word in line.split() if not word.isascii() and "@" not in word)
    typed = "\n".join((understood.held or understood.chat, *words))
    written = language_written(typed, others) or ""
    about = [order for order in understood.orders if _is_about_language(order)]
    is_wished = _is_first_mail(interpreted) and all(_offers(order, written) for order in about)
    return written if is_wished or not about else ""


def _named(understood: Understood, languages: Collection[str]) -> str:
    """Return the first of some languages that a mail chooses, '' if it chooses none."""
    choices = (order.arguments for order in understood.orders if order.command.keyword == _KEYWORD)
    words = (choice.word for choice in choices if isinstance(choice, Choice))
    return next((word for word in words if word in languages), "")


def _offers(order: Order, language: str) -> bool:
    return isinstance(order.arguments, Unclear) and f"{_KEYWORD} {language}" in order.arguments.offers


def in_language_of_mail(services: Services, interpreted: Interpreted, result: CauseResult) -> CauseResult:
    """Return the result with the language in which the mail is written, unless the answer should offer none.

    It is chosen for somebody from whom the first mail has provably come, and offered to others. The answer to a mail
    by which the language changes offers the one before it. Invitations that wait for its reader come again in the new
    one.
    """
    language, player = language_offered(services, interpreted, result), result.player
    if language and player is not None and _is_first_mail(interpreted):
        result = _with_language(result, player.id, language)
    elif language:
        return replace(result, offers_language=language)
    before = interpreted.sender.player
    if player is None or before is None or result.player is None:
        return result
    was, now = (one.preferences.language or services.language for one in (before, result.player))
    if was == now:
        return result
    result = replace(result, offers_language=was)
    # A mail that proves nothing, of which many may come, causes no letter but its answer.
    return _with_invitations(result) if interpreted.sender.is_verified else result


def _is_first_mail(interpreted: Interpreted) -> bool:
    return redaction.is_stranger(interpreted.sender.player) and (
        interpreted.sender.is_verified or interpreted.context.player is None
    )


def _with_language(result: CauseResult, player: PlayerId, language: str) -> CauseResult:
    """Return the result with a language chosen, which answers each line that would be asked whether it wishes so."""
    chosen = events.SettingChosen(player=player, keyword=_KEYWORD, value=language)
    line = f"{_KEYWORD} {language}"
    reports = tuple(replace(one, answer=chosen) if line in _offered(one) else one for one in result.reports)
    if reports == result.reports:
        return _with(result, events.SettingChanged(player=player, keyword=_KEYWORD, value=language))
    return replace(_with(result, chosen), reports=reports)


def _offered(reported: Reported) -> tuple[str, ...]:
    """Return the lines that an answer offers to be sent instead of the one it answers."""
    offers = reported.answer.facts.get("offers", ()) if isinstance(reported.answer, Said) else ()
    assert isinstance(offers, tuple)
    return tuple(one.line for one in offers if isinstance(one, OfferedLine))


def _with(result: CauseResult, *happening: events.Event) -> CauseResult:
    """Return the result with more events, and what follows from them."""
    world, happened = result.world, [*result.happened]
    for event in happening:
        world, followed = settled_in(world, event)
        happened += followed
    assert result.player is not None
    return replace(result, world=world, happened=tuple(happened), player=world.player(result.player.id))


def _with_invitations(result: CauseResult) -> CauseResult:
    """Return the result with the invitations that wait for its player, as these came in another language.

    The answer to a mail about one of them has that one in it.
    """
    assert result.player is not None
    guest, answered = result.player, None if result.claim is None else result.claim.game
    waiting = (game for game in result.world.games_of(guest.id, Standing.INVITED) if game.invites(guest.id))
    again = (game for game in waiting if game.invitation.written_at is not None and game.number != answered)
    return _with(result, *(events.InvitationRepeated(game=game.number) for game in result.world.sound(again)))


def _is_about_language(order: Order) -> bool:
    offers = order.arguments.offers if isinstance(order.arguments, Unclear) else ()
    return order.command.keyword == _KEYWORD or any(line.startswith(_KEYWORD) for line in offers)


def language_written(text: str, languages: Collection[str]) -> str | None:
    """Return the code of the language in whose script most words of a text are, None if it is none of `languages`.

    English is never returned, as commands and moves are in Latin letters whatever their writer speaks.
    """
    if text.isascii():
        return None
    words = Counter(word.lastgroup for word in _WORD.finditer(text))
    for code, others in _OTHER_LANGUAGES.items():
        if 2 * words[code] > words.total() and not others.search(text):
            written = _chinese(text, languages) if code == _CHINESE else code
            return written if written in languages else None
    return None


def _chinese(text: str, languages: Collection[str]) -> str:
    """Return the code of Chinese in the characters of a text.

    Who writes only such as both kinds have gets simplified ones, and reads on in either who gets letters in it.
    """
    reads_either = not {SIMPLIFIED, TRADITIONAL} <= set(languages)
    return characters_of(text) or ("" if reads_either else SIMPLIFIED)
