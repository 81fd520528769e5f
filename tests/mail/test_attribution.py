"""Attribution lines above a quote are recognised, in many languages."""

import pytest

from takmail.mail.quotes.own_letters import OwnAddress
from takmail.mail.quotes.reply_text import typed_text
from tests.support.tables import each_row

LETTER = "pw c3\n\nIt is your turn, Ada.\n\nme b2\nresign\n\nBye\nagree"
# Ben's letter has his answers above and below the quote.
THREAD = (
    f"me b2\nHello Ada\n\nOn 2 Nov 2025, Tak <tak@example.org> wrote:\n\n> pw c3\n>\n> rs\n\nagree\n{LETTER}"
)

OWN = OwnAddress("tak@example.org", "Tak")
ATTRIBUTIONS = {
    "Thai, wrapped": "ในวันที่ ส. 21 พ.ย. 2026 เวลา 05:59 Tak by Mail\n<tak@example.org> เขียนว่า:",
    "Thai, Buddhist year": "ในวันที่ ส. 21 พ.ย. 2569 เวลา 05:59 น. Tak by Mail\n<tak@example.org> เขียนว่า:",
    "Hindi, wrapped": "शनि, 21 नव॰ 2026 को 05:59 am बजे को Tak by Mail\n<tak@example.org> ने\nलिखा:",
    "Persian, wrapped": "در تاریخ شنبه ۲۱ نوامبر ۲۰۲۶ ساعت ۵:۵۹ Tak by Mail\n<tak@example.org> نوشت:",
    "Gmail": "On Mon, Nov 3, 2025 at 10:00 AM Tak by Mail <tak@example.org> wrote:",
    "Gmail, address wrapped": "On Mon, Nov 3, 2025 at 10:00 AM Tak by Mail <\ntak@example.org> wrote:",
    "Gmail, on three lines": "On Nov 3, 2025, at 10:00 AM, Tak by Mail\n<tak+12.abcdefghijklmnop@example.org>\nwrote:",
    "Gmail, no space": "On Mon, Nov 3, 2025 at 10:00 AM, Tak by Mail\n<tak@example.org>wrote:",
    "Gmail, old": "2025/11/3 Tak by Mail <tak@example.org>",
    "Gmail, older": "2025-11-03 10:00 GMT+01:00 Tak by Mail <tak@example.org>:",
    "Gmail, no address": "2025-11-03 10:00 GMT+01:00 Tak by Mail",
    "Gmail, via": "On Mon, Nov 3, 2025 at 10:00 AM Ben via Tak by Mail\nwrote:",
    "Yahoo": "    On Monday, November 3, 2025, 10:00:05 AM GMT+1, Tak by Mail  wrote:  ",
    "Yahoo, old": "--- On Mon, 11/3/25, Tak <tak@example.org> wrote:",
    "Zoho": "---- On Mon, 03 Nov 2025 10:00:05 +0100 Tak <tak@example.org> wrote ----",
    "Zoho, wrapped": " ---- On Mon, 03 Nov 2025 10:00:05 +0100 Tak by Mail <tak@example.org>\n wrote ---",
    "Zoho, without dashes": "On Mon, 03 Nov 2025 10:00:05 +0100 Tak <tak@example.org> wrote",
    "Android": "---- Tak by Mail wrote ----",
    "Samsung": "Sent from Samsung MobileTak by Mail <tak@example.org> wrote:",
    "Polymail": "On Mon, Nov 3, 2025 at 10:00 AM Tak by Mail\n\n<\nmailto:Tak by Mail <tak@example.org>\n> wrote:",
    "Eudora": "At 11/3/2025 10:00 AM, you wrote:",
    "Netease": 'At 2025-11-03 10:00:05, "Tak" <tak@example.org> wrote:',
    "Claws": "On Mon, 3 Nov 2025 10:00:05 +0100\nTak by Mail <tak@example.org> wrote:",
    "KMail": "Am Montag, 3. November 2025, 10:00:05 CET schrieb Tak by Mail:",
    "Notes": "Tak by Mail wrote on 11/03/2025 10:00:05 AM:",
    "Notes, dashed": "-----Tak/Games wrote: -----",
    "Horde": "Quoting Tak by Mail <tak@example.org>:",
    "Horde, German": "Zitat von Tak by Mail <tak@example.org>:",
    "News": "In message <12.abc@example.org>, Tak writes:",
    "Gnus": "tak@example.org writes:",
    "name only": "Tak by Mail <tak@example.org> wrote:",
    "name, round brackets": "Tak by Mail (tak@example.org) wrote:",
    "no year": "On Mon, Nov 3, Tak by Mail\n<tak@example.org>\nwrote:",
    "said": "On Mon, 3 Nov 2025 at 10:00, Tak [games] <tak@example.org> said:",
    "Zimbra": "- On 2025-11-03 10:00, Tak by Mail wrote:",
    "not decoded": "Le lun. 3 nov. 2025 =C3=A0 10:00, Tak by Mail <tak@example.org=\n> a =C3=A9crit :",
    "name and forum": "Ben via Tak by Mail wrote:",
    "address and forum": "Ben <tak@example.org> via Tak by Mail wrote:",
    "French, said": "Le 3 nov. 2025 à 10:00, Tak nous a dit :",
    "GroupWise": ">>> Tak <tak@example.org> schrieb am 03.11.2025 um 10:00 in Nachricht\n<12.abc@example.org>:",
    "escaped": "On Nov 3, 2025, Tak &quot;by Mail&quot; &lt;tak@example.org&gt; wrote:",
    "Arabic": "في الاثنين، 3 نوفمبر 2025 في 10:00 ص تمت كتابة ما يلي بواسطة ‪Tak‬‏ <‪tak@example.org‬‏>:",
    "Bulgarian": "На пн, 3.11.2025 г. в 10:00 Tak <tak@example.org> написа:",
    "Catalan": "El dl., 3 de nov. 2025, 10:00, Tak <tak@example.org> va escriure:",
    "Chinese": "Tak <tak@example.org>于2025年11月3日 周一上午10:00写道：",
    "Chinese, date first": "2025年11月3日 周一 10:00 Tak <tak@example.org> 写道：",
    "Chinese, Thunderbird": "在 2025/11/3 10:00, Tak 写道:",
    "Chinese, wide comma": "在 2025年11月3日 周一 10:00，Tak <tak@example.org> 写道：",
    "Chinese, traditional": "Tak <tak@example.org> 於 2025年11月3日週一 上午10:00寫道：",
    "Croatian": "pon, 3. stu 2025. u 10:00 Tak <tak@example.org> napisao je:",
    "Czech": "Dne po 3. lis. 2025 10:00 Tak by Mail <tak@example.org>\nnapsal(a):",
    "Danish": "Den man. 3. nov. 2025 kl. 10.00 skrev Tak <tak@example.org>:",
    "Danish, verb last": "Den man 3 nov 2025 10:00 Tak by Mail <tak@example.org>\nskrev:",
    "Dutch": "Op 3 nov. 2025 om 10:00 heeft Tak <tak@example.org> het volgende geschreven:",
    "Dutch, wrapped": "Op 3 nov. 2025 om 10:00 heeft Tak by Mail\n<tak@example.org> het volgende\ngeschreven:",
    "Dutch, without an address": "Op 3 november 2025 10:00 schreef Tak het volgende:",
    "Estonian": "Kuupäev E, 3. november 2025 kell 10:00 kirjutas Tak <tak@example.org>:",
    "Finnish": "Tak by Mail <tak@example.org> kirjoitti 3.11.2025 kello 10.00:",
    "French": "Le lun. 3 nov. 2025 à 10:00, Tak by Mail <tak@example.org>\na écrit :",
    "French, wrapped late": "Le lun. 3 nov. 2025 à 10 h 00, Tak by Mail <tak@example.org> a\nécrit :",
    "German": "Am Mo., 3. Nov. 2025 um 10:00 Uhr schrieb Tak by Mail <\ntak@example.org>:",
    "German, name first": "Tak by Mail <tak@example.org> schrieb am Mo., 3.\nNov. 2025, 10:00:",
    "German, K-9": "Tak by Mail <tak@example.org> schrieb:",
    "Greek": "Στις Δευ 3 Νοε 2025 στις 10:00 π.μ., ο χρήστης Tak <tak@example.org> έγραψε:",
    "Hebrew": "‫בתאריך יום ב׳, 3 בנוב׳ 2025 ב-10:00 מאת ‪Tak‬‏ <‪tak@example.org‬‏>:‬",
    "Hindi": "सोम, 3 नव॰ 2025 को 10:00 am बजे को Tak <tak@example.org> ने लिखा:",
    "Hungarian": "Tak <tak@example.org> ezt írta (időpont: 2025. nov. 3., H 10:00):",
    "Hungarian, date first": "2025. nov. 3., h 10:00 időpontban Tak <tak@example.org> ezt írta:",
    "Indonesian": "Pada tanggal Sen, 3 Nov 2025 pukul 10:00 Tak <tak@example.org> menulis:",
    "Italian": "Il giorno 3 nov 2025, alle ore 10:00, Tak <tak@example.org> ha scritto:",
    "Italian, in data": 'In data 3 novembre 2025 10:00:05 "Tak" <tak@example.org> ha scritto:',
    "Italian, slashes": 'Il 03/nov/2025 10:00, "Tak by Mail"\n<tak@example.org>\nha scritto:',
    "Japanese": "2025/11/03 10:00、Takのメール:",
    "Japanese, Apple": "2025/11/03 10:00、Tak <tak@example.org>のメッセージ:",
    "Korean": "2025년 11월 3일 (월) 오전 10:00, Tak <tak@example.org>님이 작성:",
    "Lithuanian": "2025-11-03, pr, 10:00 Tak <tak@example.org> rašė:",
    "mail.ru": "Понедельник, 3 ноября 2025, 10:00 +03:00 от Tak <tak@example.org>:",
    "Norwegian": "man. 3. nov. 2025 kl. 10.00 skrev Tak <tak@example.org>:",
    "Norwegian, Outlook": "Tak by Mail <tak@example.org> skrev følgende den 03.11.2025 10:00:",
    "Persian": "Tak در تاریخ دوشنبه ۳ نوامبر ۲۰۲۵ ساعت ۱۰:۰۰ نوشت:",
    "Polish": "W dniu 3 listopada 2025 10:00 użytkownik Tak <tak@example.org>\nnapisał:",
    "Polish, pisze": "W dniu 03.11.2025 o 10:00, Tak pisze:",
    "Polish, Apple": "Dnia 3 lis 2025 o godz. 10:00 Tak <tak@example.org> napisał(a):",
    "Portuguese": "Em 3 de novembro de 2025 às 10:00:05, Tak by Mail (\ntak@example.org) escreveu:",
    "Romanian": "În lun., 3 nov. 2025 la 10:00, Tak <tak@example.org> a scris:",
    "Russian": 'понедельник, 3 ноября 2025 г. пользователь "Tak" <tak@example.org> написал:',
    "Russian, Gmail": "пн, 3 нояб. 2025 г. в 10:00, Tak <tak@example.org>:",
    "Russian, Thunderbird": "03.11.2025 10:00, Tak пишет:",
    "Slovak": "Dňa 3. 11. 2025 o 10:00 Tak napísal(a):",
    "Spanish": "El lunes, 3 de noviembre de 2025, Tak escribió:",
    "Swedish": "Den 3 november, 2025 10:00:05, Tak (tak@example.org) skrev:",
    "Swedish, short": "3 nov. 2025 kl. 10:00 skrev Tak <tak@example.org>:",
    "Thai": "เมื่อ วันจ. 3 พ.ย. 2025 เวลา 10:00 Tak <tak@example.org> เขียนว่า:",
    "Turkish": "Tak by Mail <tak@example.org>, 3 Kas 2025 Pzt, 10:00 tarihinde şunu yazdı:",
    "Ukrainian": "пн, 3 лист. 2025 р. о 10:00 Tak <tak@example.org> пише:",
    "Vietnamese": "Vào Th 2, 3 thg 11, 2025 vào lúc 10:00 Tak <tak@example.org> đã viết:",
    "Yandex": '03.11.2025, 10:00, "Tak by Mail" <tak@example.org>:',
    "Yandex, English": '10:00 AM, November 3, 2025, "Tak by Mail" <tak@example.org>:',
    "Protonmail": "------- Original Message -------\nOn November 3rd, 2025 at 10:00, Tak <tak@example.org> wrote:",
}


def marked(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


each_attribution = each_row("attribution", ATTRIBUTIONS.values())


class TestAnAttribution:
    @each_attribution
    def test_below_the_answer_goes(self, attribution: str) -> None:
        assert typed_text(f"Hi,\nps b4\n\n{attribution}\n\n{marked(LETTER)}", None) == "Hi,\nps b4"

    @each_attribution
    def test_above_the_answer_goes(self, attribution: str) -> None:
        assert typed_text(f"{attribution}\n{marked(LETTER)}\n\nps b4\nBye", None) == "ps b4\nBye"

    @each_attribution
    def test_between_quotes_leaves_what_was_typed_between_them(self, attribution: str) -> None:
        mail = f"{attribution}\n{marked(LETTER)}\nps b4\n\n{marked(LETTER)}\n\nBye"
        assert typed_text(mail, None) == "ps b4\n\nBye"

    @pytest.mark.parametrize("letter", [LETTER, THREAD], ids=["a letter", "a thread"])
    @each_attribution
    def test_of_an_unmarked_letter_ends_the_mail(self, attribution: str, letter: str) -> None:
        assert typed_text(f"ps b4\n\n{attribution}\n\n{letter}", None) == "ps b4"
        assert typed_text(f"Hi,\nps b4\n{attribution}\n{letter}", "Another letter") == "Hi,\nps b4"

    @each_attribution
    def test_with_nothing_above_it_leaves_nothing(self, attribution: str) -> None:
        assert typed_text(f"{attribution}\n\n{THREAD}", None) == ""


@each_row(
    "typed",
    [
        "Ben wrote: hello\nps b4",
        "My brother wrote:\nps b4",
        "As Ben said yesterday:\nps b4",
        "On Monday I said:\nno\nps b4",
        "On 3 Nov we met.\nps b4\nSee you:\nAda",
        "I will be away from 3.11.2025:\nps b4",
        "My moves at 10:30:\nps b4",
        "Ask ben@example.org:\nps b4",
        "My address is <ada@example.org>\nps b4",
        "My address is ada.3.11.2025@example.org:\nps b4",
        "On 3 Nov 2025 at 10:00 I\nps b4\nwrote",
        "2025-11-03 10:00\nps b4",
        "Quoting Ben:\nps b4",
    ],
)
def test_a_sentence_of_a_person_introduces_nothing(typed: str) -> None:
    assert typed_text(typed, None) == typed
    assert typed_text(f"{typed}\n\n{ATTRIBUTIONS['Gmail']}\n{marked(LETTER)}", None) == typed


def test_lines_typed_right_above_are_no_part_of_an_attribution() -> None:
    for attribution in (ATTRIBUTIONS["Russian, Gmail"], ATTRIBUTIONS["name only"], ATTRIBUTIONS["Claws"]):
        assert typed_text(f"On it!\nps b4\n{attribution}\n{marked(LETTER)}", None) == "On it!\nps b4"


def test_dashes_between_the_command_and_a_glued_attribution_go() -> None:
    mail = f"ps b4--- On Mon, 3 Nov 2025 at 10:00, tak@example.org wrote:\n{marked(LETTER)}"
    assert typed_text(mail, None) == "ps b4"


def test_an_attribution_with_no_date_counts_right_above_a_quote() -> None:
    assert typed_text(f"ps b4\n\nTak by Mail wrote:\n\n{marked(LETTER)}", None) == "ps b4"
    assert typed_text(f"ps b4\n\nTak by Mail wrote:\nnothing\n{marked(LETTER)}", None).startswith("ps b4")
    assert typed_text(f"ps b4\n\n2025.11.03. 10:00 keltezssel, Tak rta:\n{marked(LETTER)}", None) == "ps b4"


def test_what_was_typed_where_the_quote_was_deleted_is_heard() -> None:
    answered = "\n\n".join(f"The line of our letter with the number {number}." for number in range(20))
    for attribution in (
        ATTRIBUTIONS["Gmail"],
        ATTRIBUTIONS["German"],
        "From: Tak <tak@example.org>\nTo: Ada",
    ):
        assert typed_text(f"{attribution}\n\nps b4\nBye", answered, OWN) == "ps b4\nBye"
        assert typed_text(f"{attribution}\n\nps b4\nBye", None) == ""
        assert typed_text(f"{attribution}\n\n{LETTER}", answered, OWN) == ""


def test_what_was_left_of_the_letter_where_the_rest_was_deleted_is_not_typed() -> None:
    answered = "ps c3\n\n" + "\n\n".join(f"The line of our letter with the number {n}." for n in range(20))
    for attribution in ATTRIBUTIONS["Gmail"], ATTRIBUTIONS["German"]:
        assert typed_text(f"{attribution}\nps c3\n", answered, OWN) == ""
        assert typed_text(f"{attribution}\n\nps c3\n\nps b4\n", answered, OWN) == "ps b4"


@pytest.mark.parametrize(
    "introduction",
    [
        "From: Ben <ben@example.org>\nSent: 21.11.2026 12:00\nTo: Tak <tak@example.org>\nSubject: Re: x",
        "From: Ben\nSent: Saturday, November 21, 2026 12:00 PM\nTo: Tak <tak@example.org>\nSubject: Tak",
        "From: Ben Sent: Saturday, November 21, 2026 12:00 PM To: tak@example.org Subject: x",
        "*From:* Ben <ben@example.org>\n*To:* Tak\n<tak@example.org>",
        "On Sat, 21 Nov 2026 at 12:00, Ben <ben@example.org> wrote:",
        "On Sat, 21 Nov 2026 at 12:00, Ben <ben@example.org> wrote to Tak <tak@example.org>:",
        "On Sat, 21 Nov 2026 at 12:00, Ben wrote:",
        "On Sat, 21 Nov 2026 at 12:00, Takumi wrote:",
        "Le sam. 21 nov. 2026 à 12:00, Ben ‹ben@example.org› a écrit :",
        "On Sat, 21 Nov 2026 at 12:00, Ada <ada@example.org> wrote:",
        "On Sat, 21 Nov 2026 at 12:00, Tak <tak@example.org.example.org> wrote:",
        "-----Original Message-----",
    ],
)
@pytest.mark.parametrize("below", ["ps b4\n\nBen", "ps b4", "ps b4\n\nSent from my iPhone"])
def test_a_mail_of_a_player_that_is_quoted_with_nothing_typed_says_nothing(
    introduction: str, below: str
) -> None:
    answered = "\n\n".join(f"The line of our letter with the number {number}." for number in range(20))
    assert typed_text(f"{introduction}\n\n{below}\n", answered, OWN) == ""


@pytest.mark.parametrize(
    "introduction",
    [
        "From: Tak <tak+1.abc@example.org>\nSent: 21.11.2026 12:00\nTo: Ben <ben@example.org>\nSubject: x",
        "From: tak+1.abc@example.org [mailto:tak+1.abc@example.org]\nTo: Ben <ben@example.org>",
        "From: Tak\nSent: Saturday, November 21, 2026 12:00 PM\nTo: Ben <ben@example.org>",
        "Le sam. 21 nov. 2026 à 12:00, Tak ‹TAK+1.abc@example.org› a écrit :",
        "On 11/21/26 12:00, Tak wrote:",
    ],
)
def test_what_was_typed_where_only_our_letter_was_deleted_is_heard(introduction: str) -> None:
    answered = "\n\n".join(f"The line of our letter with the number {number}." for number in range(20))
    assert typed_text(f"{introduction}\n\nps b4\n\nBen\n", answered, OWN) == "ps b4\n\nBen"


@pytest.mark.parametrize(
    "introduction",
    [
        ATTRIBUTIONS["Gmail"],
        "-------- Original message --------\nFrom: Tak by Mail <tak@example.org> \nDate: 21/11/2026  10:00 ",
    ],
)
def test_the_letter_right_below_what_introduces_it_is_no_part_of_that(introduction: str) -> None:
    answered = (
        "A mail came that speaks for you in your game, but I can't be sure that it\n"
        "was yours, as it came from somewhere else. It says:\n\n  | pw c3\n\nNothing has been done yet."
        " If these are your words, answer this letter with a yes.\n"
    )
    flowing = answered.replace("it\nwas", "it was", 1).replace("else. It", "else.\nIt", 1)
    head, rest = flowing.split("\n\n", 1)
    assert typed_text(f"{introduction}\n{head}\n\nps b4\n\n{rest}", answered) == "ps b4"


@pytest.mark.parametrize("typed", ["Ben wrote", "Ben <ben@example.org>", f"{'so ' * 200}wrote:"])
def test_what_stands_above_a_quote_and_introduces_nothing_was_typed(typed: str) -> None:
    assert typed_text(f"{typed}\n> rs\n", None) == typed
