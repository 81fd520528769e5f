"""Which names are allowed, and which look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.commands.grammar.names import NameFault, clean_name, fault_in, first_name
from takmail.commands.grammar.normalize import plain
from takmail.commands.grammar.skeletons import skeleton
from takmail.limits.words import MAX_NAME_CHARS
from tests.support.orders import line_as
from tests.support.tables import each_row


@each_row(
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


@each_row(
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


@each_row(
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
        ("Takmail 7", NameFault.OFFICIAL),
    ],
)
def test_what_nobody_can_be_called(name: str, fault: NameFault) -> None:
    assert fault_in(name) == fault


@each_row(
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
    assert line_as(f"{word} {long}") is None
    assert line_as(f"/{word} {long}", is_first=False) is not None


@pytest.mark.parametrize("name", ["Ⲧⲟⲙ", "Ⲣⲟⲃ", "𐊠𐊣𐊠", "𐌀𐌃𐌀", "𖼀𖼁"])
def test_nobody_takes_a_name_in_a_script_that_looks_latin_and_is_hardly_written(name: str) -> None:
    assert fault_in(name) == NameFault.SIGNS


@each_row(
    "name",
    [
        "The operator",
        "Operator",
        "ADMIN",
        "Admin 7",
        "Adm1n",
        "4dmin",
        "Adm1n2",
        "A d m i n",
        "T h e A d m i n",
        "TheAdmin",
        "Admins",
        "Админ",
        "Администратор",
        "Аdmin",
        "Administrator",
        "The Moderator",
        "Moderator.",
        "Support",
        "Tak Support",
        "Tak-Support-Team",
        "Support Team",
        "5upport",
        "Supp0rt",
        "Security",
        "Account Security",
        "System",
        "System Administrator",
        "Postmaster",
        "takmail",
        "Tak",
        "T.a.k",
        "Tak by Mail",
        "TakByMail",
        "Tak Mail",
        "White",
        "Black",
        "wh1te",
        "White 2",
        "The White",
        "nobody",
        "No body",
        "No one",
        "you",
        "You!",
        "your opponent",
        "Opponent",
        "The opponent",
        "opponent 2",
        "Mail Delivery Subsystem",
        "MAILER-DAEMON",
        "no-reply",
        "Staff",
        "The Team",
        "Ben from Support",
        "Ada (Admin)",
        "root",
        "管理员",
        "系统管理员",
        "Tak客服",
        "Служба поддержки",
        "0perat0r",
        "0perat0r7",
        "1Adm1n",
        "Arbiter",
        "The Umpire",
        "Mods",
        "Organizer",
        "Weiß",
        "Schwarz",
        "niemand",
    ],
)
def test_a_name_that_could_be_an_officials_or_a_sides_is_none(name: str) -> None:
    assert fault_in(plain(name)) is not None
    assert clean_name(name) == ""


@pytest.mark.parametrize(
    "name",
    [
        "Ben 0800 123456",
        "Call 10086",
        "Ben +49 171 2345678",
        "O8OO l23 456 Ben",
        "Ben ٠٨٠٠١٢٣",
        "拨打九五五八八",
    ],
)
def test_a_name_that_holds_a_number_to_call_is_none(name: str) -> None:
    assert fault_in(plain(name)) in (NameFault.NUMBER, NameFault.MIXED)
    assert clean_name(name) == ""


@each_row(
    "name",
    [
        "ada@example.org",
        "ada at example dot org",
        "ada (at) example (dot) org",
        "ada[at]example[dot]org",
        "example.org",
        "Visit example .org",
        "example. com",
        "www example",
        "paypal dot com",
        "http example",
        "ada＠example．org",
        "example。com",
        "example(.)com",
    ],
)
def test_a_name_that_holds_an_address_or_a_link_is_none(name: str) -> None:
    assert fault_in(plain(name)) in (NameFault.LINK, NameFault.SIGNS)
    assert clean_name(name) == ""


@each_row(
    "name",
    [
        "Ada",
        "Ben",
        "Nora",
        "Ada Lovelace",
        "Mary-Jane O'Neil",
        "J. R. R.",
        "J. R. R. Tolkien",
        "J.R. Miller",
        "Björn",
        "Ada 2",
        "Ada 1985",
        "Someone",
        "Agent 007",
        "R2D2",
        "Jack Black",
        "Betty White",
        "Thea White",
        "Ana Black",
        "A. White",
        "Tak Wah",
        "Ada Tak+1",
        "Dot Cotton",
        "J. de Vries",
        "M. de la Cruz",
        "Norman Mailer",
        "Christopher Guest",
        "山田 太郎",
        "田中さん",
        "张三",
        "五十嵐三千代",
        "王系",
        "Андрей",
        "Мария Иванова",
        "राम कुमार",
        "נועה",
        "Vlad Minsky",
        "Adrian",
        "Ademir",
        "Ben at West Point",
        "St. John",
        "Dr. Ada Lovelace",
        "Countess",
        "Whitey",
        "Blackwood",
        "Takumi",
        "Takeshi",
        "Nora B",
        "Yousef",
        "Benjamin",
        "Rob Ott",
        "Mod Ben",
        "Anna Schwarz",
        "Sven",
        "Osama bin Said",
        "Admira",
        "Ella Bank",
        "Al-Zahra",
        "Zoë d'Été",
        "O'Neil & Co",
        "Ada (the first)",
        "Gamer",
        "Ödön",
        "Teamo",
    ],
)
def test_people_keep_their_names(name: str) -> None:
    assert fault_in(name) is None
    assert clean_name(name) == name


@each_row(
    ("name", "first"),
    [
        ("Ada", "Ada"),
        ("Ada Lovelace", "Ada"),
        ("Ada, Lady", "Ada"),
        ("Dr. Ada Lovelace", "Dr. Ada"),
        ("Mary-Jane O'Neil", "Mary"),
        ("O'Neil & Co", "O'Neil"),
        ("J. R. R.", "J. R. R."),
        ("J. R. R. Tolkien", "J. R. R. Tolkien"),
        ("Björn", "Björn"),
        ("A friend 2", "A friend 2"),
        ("Ben 2", "Ben 2"),
        ("山田 太郎", "山田"),
        ("Мария Иванова", "Мария"),
        ("Your account is locked", "Your"),
        ("Your-account-is-locked", "Your"),
        ("Account-locked", ""),
        ("Billing Ada", ""),
        ("Team Anna", ""),
        ("Dr. Bank Ada", ""),
        ("Owner 2 Smith", ""),
        ("Nobody Else", ""),
        ("Betty White", "Betty"),
        ("YourAccountIsLocked", ""),
        ("Y o u r a c c o u n t is locked", ""),
        ("Ваш_счёт_заблокирован", "Ваш"),
        ("您的账户已被锁定", ""),
        ("(Locked) your account", ""),
    ],
)
def test_the_first_name_has_no_room_for_a_sentence(name: str, first: str) -> None:
    assert first_name(name) == first
