"""The typed text, in the quoting styles of the common mail programs."""

from functools import partial

import pytest

from takmail.mail.quotes.reply_text import typed_text
from tests.support.cost import assert_in_proportion
from tests.support.tables import each_row

LETTER = """ms b2 p1 1

Ben says: your turn, and I say On 3 Nov 2025 you wrote: nothing.

0 s cSS 0 S
0 0 0 s 0
S 0 sS 0 0
0 0 0 0 0
0 0 s 0 W

You are white and it is your turn. White has 17 pieces and a capstone left, black has 18.
The last move took one piece from b2 one step to the south.

You can answer with a move such as ps b4, or with one of
rs
resign
help

--
Tak by mail, game 12
"""

QUOTED = "\n".join(f"> {line}".rstrip() for line in LETTER.splitlines())

ATTRIBUTIONS = {
    "Gmail": "On Mon, Nov 3, 2025 at 10:00 AM Tak <tak+12.abc@example.org> wrote:",
    "Gmail, wrapped": "On Mon, Nov 3, 2025 at 10:00 AM Tak by Mail\n<tak+12.abcdefghij@example.org> wrote:",
    "Gmail, wrapped twice": "On Monday, Nov 3, 2025 at 10:00 the\nold Tak by Mail\n<tak@example.org> wrote:",
    "Gmail, date wrapped": "On Monday, the third of November\n2025 at 10:00 AM, Tak <tak@example.org> wrote:",
    "Gmail, with a blank line": "On Mon, Nov 3, 2025 at 10:00 AM Tak\n<tak+12.abc@example.org> wrote:\n",
    "Apple Mail": "> On 3 Nov 2025, at 10:00, Tak <tak@example.org> wrote:\n>",
    "Apple Mail, bare": "On 3 Nov 2025, at 10:00, Tak <tak@example.org> wrote:\n",
    "Thunderbird": "On 11/3/25 10:00, Tak wrote:",
    "Yahoo": "    On Monday, November 3, 2025 at 10:00:00 AM GMT+1, Tak <tak@example.org> wrote:  \n ",
    "mutt": "On Mon, Nov 03, 2025 at 10:00:00AM +0000, Tak wrote:",
    "Gnus": "Tak <tak@example.org> writes:",
    "French": "Le lun. 3 nov. 2025 à 10:00, Tak <tak@example.org> a écrit\u00a0:",
    "French, wrapped": "Le lun. 3 nov. 2025 à 10:00, Tak le bon vieux jeu\n<tak@example.org> a écrit :\n",
    "German": "Am Mo., 3. Nov. 2025 um 10:00 Uhr schrieb Tak <tak@example.org>:",
    "German Thunderbird": "Am 03.11.25 um 10:00 schrieb Tak:",
    "Spanish": "El lun, 3 nov 2025 a las 10:00, Tak (<tak@example.org>) escribió:",
    "Italian": "Il giorno lun 3 nov 2025 alle ore 10:00 Tak <tak@example.org> ha scritto:",
    "Portuguese": "Em seg., 3 de nov. de 2025 às 10:00, Tak <tak@example.org> escreveu:",
    "Dutch": "Op ma 3 nov 2025 om 10:00 schreef Tak <tak@example.org>:",
    "Polish": "pon., 3 lis 2025 o 10:00 Tak <tak@example.org> napisał(a):",
    "Russian": "3 ноября 2025 г., в 10:00, Tak <tak@example.org> написал(а):",
    "Russian Gmail": "пн, 3 нояб. 2025 г. в 10:00, Tak <tak@example.org>:",
    "Swedish": "Den mån 3 nov. 2025 kl 10:00 skrev Tak <tak@example.org>:",
    "Finnish": "ma 3. marrask. 2025 klo 10.00 Tak (tak@example.org) kirjoitti:",
    "Chinese": "Tak <tak@example.org> 于2025年11月3日周一 10:00写道：",
    "Chinese Apple Mail": "在 2025年11月3日，10:00，Tak <tak@example.org> 写道：\n",
    "Japanese": "2025年11月3日(月) 10:00 Tak <tak@example.org>:",
}

HEADER_BLOCKS = {
    "English": "From: Tak <tak@example.org>\nSent: Monday, 3 November 2025\nTo: Ada\nSubject: [tak #12]",
    "bold": "*From:* Tak <tak@example.org>\n*Sent:* Monday 10:00\n*To:* Ada\n*Subject:* [tak #12]",
    "German": "Von: Tak <tak@example.org>\nGesendet: Montag, 3. November 2025\nAn: Ada\nBetreff: [tak #12]",
    "French": "De : Tak <tak@example.org>\nEnvoyé : lundi 3 novembre 2025 10:00\nÀ : Ada\nObjet : [tak #12]",
    "Chinese": "发件人: Tak <tak@example.org>\n发送时间: 2025年11月3日 10:00\n收件人: Ada\n主题: [tak #12]",
    "ruled": "________________________________\nFrom: Tak\nDate: Monday 10:00\nTo: Ada\nSubject: [tak #12]",
    "old": "-----Original Message-----\nFrom: Tak\nSent: Monday 10:00\nTo: Ada\nSubject: [tak #12]",
    "old German": "-----Ursprüngliche Nachricht-----\nVon: Tak\nGesendet: Montag\nAn: Ada\nBetreff: [tak]",
}


each_attribution = each_row(
    "attribution, answered", [(one, letter) for one in ATTRIBUTIONS.values() for letter in (LETTER, None)]
)


class TestAnAttributionGoesWithItsQuote:
    @each_attribution
    def test_below_the_answer(self, attribution: str, answered: str | None) -> None:
        assert typed_text(f"Hi,\nps b4\n\n{attribution}\n{QUOTED}\n", answered) == "Hi,\nps b4"

    @each_attribution
    def test_right_below_the_answer(self, attribution: str, answered: str | None) -> None:
        assert typed_text(f"ps b4\n{attribution}\n\n{QUOTED}\n", answered) == "ps b4"

    @each_attribution
    def test_above_the_answer(self, attribution: str, answered: str | None) -> None:
        assert typed_text(f"{attribution}\n{QUOTED}\n\nps b4\n", answered) == "ps b4"


@each_row("attribution", ATTRIBUTIONS.values())
def test_a_known_letter_without_marks_goes_with_its_attribution(attribution: str) -> None:
    attribution = attribution.replace("> ", "").replace(">\n", "\n")
    assert typed_text(f"ps b4\n\n{attribution}\n{LETTER}\nthanks", LETTER) == "ps b4\n\nthanks"


@pytest.mark.parametrize("block", HEADER_BLOCKS.values(), ids=HEADER_BLOCKS.keys())
class TestAHeaderBlockOpensAQuote:
    def test_of_an_unknown_letter_to_the_end(self, block: str) -> None:
        assert typed_text(f"ps b4\n\n{block}\n\nms b2 p1 1\n\nresign\n", None) == "ps b4"

    def test_of_the_known_letter_and_no_further(self, block: str) -> None:
        assert typed_text(f"ps b4\n\n{block}\n\n{LETTER}\nthanks", LETTER) == "ps b4\n\nthanks"

    def test_of_another_rendering_of_the_letter_to_the_end(self, block: str) -> None:
        other = "Your turn!\n\n[image: the board]\n\nms b2 p1 1\n\nrs\n"
        assert typed_text(f"ps b4\n\n{block}\n\n{other}", LETTER) == "ps b4"

    def test_with_marks_below_it(self, block: str) -> None:
        assert typed_text(f"{block}\n\n{QUOTED}\n\nps b4", None) == "ps b4"


@each_row(
    "line",
    [
        "Sent from my iPhone",
        "Get Outlook for iOS<https://aka.example.org/o0ukef>",
        "Sent from Mail for Windows",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Отправлено с iPhone",
        "发自我的iPhone",
        "________________________________",
    ],
)
def test_what_a_program_adds_is_not_typed(line: str) -> None:
    assert typed_text(f"ps b4\n\n{line}\n\n{QUOTED}", None) == "ps b4"


@pytest.mark.parametrize("mark", ["-- ", "--"])
def test_the_signature_goes(mark: str) -> None:
    assert typed_text(f"ps b4\n{mark}\nAda\nresign", None) == "ps b4"


def test_the_attribution_glued_to_the_command_leaves_the_command() -> None:
    glued = "ps b4 On Mon, Nov 3, 2025 at 10:00 AM Tak <tak@example.org> wrote:"
    assert typed_text(f"{glued}\n{QUOTED}", None) == "ps b4"
    assert typed_text(f"{glued.replace('b4 On', 'b4On')}\n{QUOTED}", LETTER) == "ps b4"


def test_what_a_program_adds_goes_below_a_quote_of_the_attribution_glued_to_the_command() -> None:
    glued = "ps b4 On Mon, Nov 3, 2025 at 10:00 AM Tak <tak@example.org> wrote:"
    assert typed_text(f"{glued}\n{QUOTED}\n\nSent from my iPhone\n\nA proverb", None) == "ps b4"


def test_an_unmarked_unknown_quote_ends_with_its_attribution() -> None:
    attribution = ATTRIBUTIONS["Gmail"]
    assert typed_text(f"ps b4\n\n{attribution}\n\nms b2 p1 1\nresign\n", None) == "ps b4"


def test_a_line_that_only_ends_in_a_colon_stays() -> None:
    assert typed_text("My brother wrote:\nps b4", None) == "My brother wrote:\nps b4"
    assert typed_text(f"I think:\nps b4\n\n{QUOTED}", LETTER) == "I think:\nps b4"


def test_inline_answers_stay_in_their_order() -> None:
    head, board, *rest = QUOTED.split("\n>\n")
    text = "\n".join([ATTRIBUTIONS["mutt"], head, "", "Hello!", "", board, "ps b4", *rest, "bye"])
    assert typed_text(text, LETTER) == "Hello!\n\nps b4\nbye"


def test_the_broken_off_end_of_a_marked_line_goes() -> None:
    broken = QUOTED.replace(" and a capstone left, black", "\nand a capstone left, black")
    assert typed_text(f"ps b4\n\n{broken}", LETTER) == "ps b4"


@pytest.mark.parametrize("typed", ["ms b2 p1 1", "rs", "resign", "help", "0 0 0 0 0"])
class TestATypedLineOfTheLetterStays:
    def test_above_a_marked_quote(self, typed: str) -> None:
        assert typed_text(f"{typed}\n\n{QUOTED}", LETTER) == typed

    def test_above_a_bare_quote(self, typed: str) -> None:
        assert typed_text(f"{typed}\n\n{LETTER}", LETTER) == typed

    def test_below_a_bare_quote(self, typed: str) -> None:
        assert typed_text(f"{LETTER}\n\n{typed}", LETTER) == typed

    def test_below_a_marked_quote_that_lacks_its_end(self, typed: str) -> None:
        assert typed_text(f"{QUOTED[:250]}\n\n{typed}", LETTER) == typed

    def test_without_any_quote(self, typed: str) -> None:
        assert typed_text(f"Hi Ben,\n{typed}\n", LETTER) == f"Hi Ben,\n{typed}"


def test_a_board_typed_without_a_quote_stays() -> None:
    board = LETTER.split("\n\n")[2]
    assert typed_text(board, LETTER) == board
    assert typed_text(f"{QUOTED[:60]}\n\n{board}", LETTER) == board


def test_a_bare_letter_with_a_line_altered_leaves_nothing_behind() -> None:
    altered = LETTER.replace("took one piece", "took one (1) piece")
    assert typed_text(f"ps b4\n\n{altered}", LETTER) == "ps b4"


def test_a_bare_quote_cut_short_goes_by_its_prose() -> None:
    letter = f"{LETTER}\n{LETTER[::-1]}"
    assert typed_text(f"ps b4\n\n{LETTER}", letter) == "ps b4"


def test_short_lines_beside_an_altered_one_go() -> None:
    altered = LETTER.replace("\nresign\n", "\nresign[1]\n")
    assert typed_text(f"ps b4\n\n{altered}", LETTER) == "ps b4\n\nresign[1]"


CHAT = "Ben says that he has all the time of the world and will wait for you."
TAIL = "This is a long and solemn end of a letter, written so that nobody ever overlooks it."


class TestOfTwoEqualLines:
    def test_the_one_that_stands_in_the_quote_goes(self) -> None:
        letter = f"{CHAT}\nrs\n{TAIL}"
        assert typed_text(f"{CHAT}\nrs\nHello\nrs\nBye\n{TAIL}", letter) == "Hello\nrs\nBye"

    def test_the_letter_s_first_is_the_one_met_first(self) -> None:
        letter = f"{CHAT}\nrs\n{TAIL}\nrs\nhelp"
        assert typed_text(f"{CHAT}\nHello\nrs\n{TAIL}", letter) == "Hello"

    def test_the_one_far_from_what_was_quoted_stays(self) -> None:
        letter = f"{CHAT} {CHAT} {CHAT}\n{TAIL}\nhelp\nrs\nshow"
        assert typed_text(f"{CHAT} {CHAT} {CHAT}\nrs", letter) == "rs"


class TestABareQuoteCutToTheFirstLines:
    HEAD = LETTER[: LETTER.index("\n\n0 s")]

    @pytest.mark.parametrize("typed", ["ps b4", "ms b2 p1 1", "Nice one, Ben!"])
    def test_goes_below_the_answer_and_above_it(self, typed: str) -> None:
        assert typed_text(f"{typed}\n\n{self.HEAD}", LETTER) == typed
        assert typed_text(f"{self.HEAD}\n\n{typed}", LETTER) == typed

    def test_goes_with_its_lines_broken_anew(self) -> None:
        broken = self.HEAD.replace("say On", "say\nOn")
        assert typed_text(f"ps b4\n{broken}", LETTER) == "ps b4"

    def test_is_none_where_the_second_line_is_another(self) -> None:
        typed = "ms b2 p1 1\n\nBen, says who?"
        assert typed_text(typed, LETTER) == typed
        assert typed_text(f"ms b2 p1 1\n{QUOTED}", LETTER) == "ms b2 p1 1"


@pytest.mark.many
def test_a_long_mail_of_zeros_takes_no_more_than_moments() -> None:
    # If every zero were tried at every place, this would take hours.
    def look_for(line: str, head: str, lines: int) -> None:
        assert typed_text(line * lines, head + "0 " * (lines // 26))

    for line, head, lines in [("0 0 0 0\n", LETTER, 16_384), ("0\n", "", 65_536), ("0\n", "0\n", 65_536)]:
        assert_in_proportion(partial(look_for, line, head), lines)


def test_a_link_written_out_by_the_program_changes_nothing() -> None:
    letter = LETTER.replace("game 12", "game 12, tak@example.org for help")
    shown = letter.replace("tak@example.org", "tak@example.org<mailto:tak@example.org>")
    assert typed_text(f"ps b4\n\n{shown}", letter) == "ps b4"


def test_a_signed_mail_is_read_inside_its_armour() -> None:
    signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nps b4\n- -- \nAda\n"
    assert (
        typed_text(f"{signed}-----BEGIN PGP SIGNATURE-----\n\niQIz\n-----END PGP SIGNATURE-----\n", None)
        == "ps b4"
    )


def test_nothing_typed_is_an_empty_text() -> None:
    assert typed_text(QUOTED, LETTER) == ""
    assert typed_text(LETTER, LETTER) == ""
    assert typed_text("", LETTER) == ""
    assert typed_text("", None) == ""
