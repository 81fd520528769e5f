"""A player's text as the opponent may read it."""

from dataclasses import replace

from takmail.commands.context import ADDRESS_LEFT_OUT, Author, Context
from takmail.commands.redaction import without_addresses
from takmail.games.interface import Seat
from tests.commands.build import BEN, SERVICES, Stored, context, game, player
from tests.commands.people import by_new, people
from tests.support.tables import each_row

OUT = SERVICES.templates.said(ADDRESS_LEFT_OUT)
ADA, SECOND = "ada.lovelace@example.org", "ada@example.net"
TOKEN = SERVICES.key.token(1, Seat.FIRST)
IN_FULL = player(1, "Ada", ADA, SECOND)


def here() -> Context:
    return context(game(players=(IN_FULL, player(2, "Ben", BEN))), IN_FULL, stored=Stored())


@each_row(
    ("said", "read"),
    [
        ("Hello Ben", "Hello Ben"),
        (f"I am {ADA}, and you?", f"I am {OUT}, and you?"),
        (f"I am {ADA.upper()}", f"I am {OUT}"),
        ("I am ada.lovelace+tak@example.org", f"I am {OUT}"),
        (f"or {SECOND}, and you are {BEN}", f"or {OUT}, and you are {OUT}"),
        ("ada.lovelace (at) example.org", OUT),
        ("ada.lovelace=40example.org", OUT),
        ("ada.lovelace&#64;example.org", OUT),
        ("bounce+ada.lovelace=example.org@list.example", f"bounce+{OUT}@list.example"),
        # A player may pass on another person's address in a sentence.
        ("ask kim@example.org about it", "ask kim@example.org about it"),
        ("not.ada.lovelace@example.org is kim", "not.ada.lovelace@example.org is kim"),
        ("ada.lovelace@example.orgs is another", "ada.lovelace@example.orgs is another"),
        # An address that a program inserted is removed.
        ("Kim <kim@example.org> and I", f"Kim {OUT} and I"),
        ("mailto:kim@example.org?subject=x", OUT),
        ("From: kim@example.org", f"From: {OUT}"),
        ("*Von:* kim@example.org", f"*Von:* {OUT}"),
        ("发件人： kim@example.org", f"发件人： {OUT}"),
        ("E-Mail: kim@example.org", f"E-Mail: {OUT}"),
        ("kim@example.org wrote:", f"{OUT} wrote:"),
        ("-- kim@example.org --", f"-- {OUT} --"),
    ],
)
def test_addresses_are_left_out(said: str, read: str) -> None:
    assert without_addresses(here(), said) == read


def test_other_lines_stay_as_they_are() -> None:
    assert without_addresses(here(), "one\n\n  two\n") == "one\n\n  two\n"


def test_tokens_are_left_out() -> None:
    assert TOKEN not in without_addresses(here(), f"answer to tak+{TOKEN}@example.test")


def test_outside_a_game_the_writers_addresses_are_known() -> None:
    assert (
        without_addresses(context(stored=people()), "ada@example.org or ben@example.org") == f"{OUT} or {BEN}"
    )
    assert without_addresses(by_new(people()), f"I am new@example.org, not {BEN}") == f"I am {OUT}, not {BEN}"


def test_where_no_address_is_known_only_those_of_programs_are_left_out() -> None:
    nobody = replace(context(by=None), author=Author())
    assert without_addresses(nobody, f"ask {BEN}\nFrom: {BEN}") == f"ask {BEN}\nFrom: {OUT}"
