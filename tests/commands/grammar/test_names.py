"""Which names are allowed, and which look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.commands.grammar.forms import read as form
from takmail.commands.grammar.names import NameFault, clean_name, fault_in
from takmail.commands.grammar.skeleton import skeleton
from takmail.games.registry import GAMES
from takmail.limits.words import MAX_NAME_CHARS


@pytest.mark.parametrize(
    "name",
    [
        "BEN",
        "b e n",
        "Bén",
        "Вen",  # Cyrillic В
        "ВЕΝ",  # Cyrillic В and Е, Greek Ν
        "Ｂｅｎ",
        "𝐁𝐞𝐧",
        "ʙᴇɴ",
        "Be\u200bn",
        "Be\u034fn",
        "\u202eBen\u202c",
        "B-e.n",
        "ꓐꓰꓠ",  # Lisu
        "Ƀen",
        "ɓɘƞ",
    ],
)
def test_names_that_look_alike_have_one_skeleton(name: str) -> None:
    assert skeleton(name) == skeleton("Ben")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Modern", "Modem"),
        ("Wilma", "Vvilma"),
        ("Otto", "0tt0"),
        ("Ian", "lan"),
        ("Ali", "A1I"),
        ("İlker", "ilker"),
        ("ılker", "Ilker"),
        ("Straße", "STRASSE"),
        ("Łukasz", "Lukasz"),
        ("Νανα", "NANA"),
        ("O'Brien", "OʼBrien"),
        ("ﾍﾞﾝ", "ベン"),
        ("Ærø", "Aero"),
        ("Ƙande", "Kande"),
        ("Œuvre", "oeuvre"),
        ("ʙᴏʙ", "Bob"),
        ("Вова ґ", "Boвa r"),
        ("Ҝатя", "Катя"),
        ("工リ", "エリ"),
    ],
)
def test_these_look_alike_too(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ben", "Bent"), ("राम", "रमा"), ("かき", "がき"), ("Clara", "Dara"), ("Ben 2", "Ben 3")],
)
def test_these_do_not(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(max_size=60))
def test_case_never_makes_a_difference_and_every_clean_name_has_a_skeleton(text: str) -> None:
    name = clean_name(text)
    assert len(name) <= MAX_NAME_CHARS
    assert not name or (fault_in(name) is None and 0 < len(skeleton(name)) <= 255)
    assert skeleton(name) == skeleton(name.lower()) == skeleton(name.upper())
    assert skeleton(f"{name} 12").startswith(skeleton(name))


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("x" * (MAX_NAME_CHARS + 1), NameFault.LONG),
        ("ada@example.org", NameFault.LINK),
        ("example.org", NameFault.LINK),
        ("http://x", NameFault.LINK),
        ("Ada <b>", NameFault.SIGNS),
        ("first=me", NameFault.SIGNS),
        ("#12", NameFault.SIGNS),
        ("{{ 7*7 }}", NameFault.SIGNS),
        ("a\u0301\u0302\u0303\u0304\u0305", NameFault.SIGNS),
        ("q\u0302\u0303\u0304", NameFault.SIGNS),
        ("a\u20dd", NameFault.SIGNS),
        ("12", NameFault.LETTERLESS),
        ("...", NameFault.LETTERLESS),
        ("\u3164", NameFault.LETTERLESS),
        ("Аda", NameFault.MIXED),
        ("ME", NameFault.MEANS_SOMETHING),
        ("ме", NameFault.MEANS_SOMETHING),
        ("vs", NameFault.MEANS_SOMETHING),
        ("Takmail 7", NameFault.MEANS_SOMETHING),
    ],
)
def test_what_nobody_can_be_called(name: str, fault: NameFault) -> None:
    assert fault_in(name) == fault


@pytest.mark.parametrize(
    "name",
    [
        "J.R. Miller",
        "Ada-Maria O'Neil",
        "山田 太郎",
        "田中さん",
        "Андрей",
        "राम कुमार",
        "נועה",
        "Ada, Lady",
        "Aẹ́dé",
    ],
)
def test_names_of_all_alphabets_are_names(name: str) -> None:
    assert fault_in(name) is None
    assert clean_name(name) == name


@pytest.mark.parametrize("word", ["block", "unblock"])
def test_whom_to_block_is_no_longer_than_a_name_unless_it_is_marked(word: str) -> None:
    long = "that road before it is too late for all of us, I would say"
    assert len(long) > MAX_NAME_CHARS
    assert form(f"{word} {long}", True, GAMES) is None
    assert form(f"/{word} {long}", False, GAMES) is not None


@pytest.mark.parametrize("name", ["Ⲧⲟⲙ", "Ⲣⲟⲃ", "𐊠𐊣𐊠", "𐌀𐌃𐌀", "𖼀𖼁"])
def test_nobody_takes_a_name_in_a_script_that_looks_latin_and_is_hardly_written(name: str) -> None:
    assert fault_in(name) == NameFault.SIGNS
