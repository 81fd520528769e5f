"""The answer to a mail offers the language in which the mail is written."""

from dataclasses import replace

import pytest

from takmail.mail.message import Mail
from tests.commands.build import ADA, AS_ADA, SERVICES, game
from tests.pipeline.build import OTHER, Mailbag, letter, mail, traced
from tests.support.tables import each_row

HELLO, NI_HAO = "Привет, Бен! Хорошей игры.", "你好，祝你好运！"


def offered(store: Mailbag, message: Mail, language: str = "en") -> str:
    """Return the language that the answer offers. `language` is that of the service."""
    services = replace(SERVICES, language=language)
    traces = traced(store, message, services)
    assert traces[-1].result is not None
    return traces[-1].result.offers_language


def playing(language: str | None = None) -> Mailbag:
    """Return a store in which Ada, who has chosen this language, plays with Ben."""
    table = game("ps a1", "ps e5")
    store = Mailbag()
    store.put(replace(table, players=(AS_ADA.choosing("language", language), table.players[1])))
    return store


def answering(store: Mailbag, text: str) -> Mail:
    """Return a mail of Ada's in answer to a letter of the game."""
    return mail(text, ADA, letter(store, store.tables[1]))


@each_row(
    ("text", "code"),
    [
        (HELLO, "ru"),
        (f"ps b2\n\n{HELLO}", "ru"),
        ("ps b2\nview text\nlog\n\nПривет!", "ru"),
        (NI_HAO, "zh"),
        ("棋盘", "zh"),
        ("сдаюсь", "ru"),
        ("учиться 3 pw c2", "ru"),
        ("ps b2", ""),
        ("ps b2\n\nGood luck!", ""),
        (f"ps b2\n\nThanks!\n\n> {HELLO}\n> {HELLO}", ""),
        # Whoever chooses a language is offered the one before it.
        (f"language ru\n\n{HELLO}", "en"),
        ("language русский", "en"),
        ("пиши по-русски", "en"),
        ("русский", "en"),
        ("какой язык?", ""),
    ],
)
def test_what_is_typed_tells_the_language(text: str, code: str) -> None:
    store = playing()
    assert offered(store, answering(store, text)) == code


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_who_has_chosen_a_language_is_offered_none(language: str) -> None:
    store = playing(language)
    assert offered(store, answering(store, HELLO)) == ""


@pytest.mark.parametrize(("language", "code"), [("ru", ""), ("zh", "ru")])
def test_the_language_of_the_service_is_not_offered(language: str, code: str) -> None:
    store = playing()
    assert offered(store, answering(store, HELLO), language) == code


def test_a_stranger_is_offered_it_too() -> None:
    assert offered(Mailbag(), mail("Помогите!", OTHER)) == "ru"


def test_an_own_word_is_no_choice() -> None:
    store = playing()
    offered(store, answering(store, HELLO))
    assert [one.preferences.language for one in store.players.values()] == [None, None]
