"""A block of headers, a separator or a signature ends the typed text."""

import pytest

from takmail.mail.quotes.header_block import header_block, header_kinds
from takmail.mail.quotes.reply_text import typed_text
from takmail.mail.quotes.separators import is_decoration
from tests.support.tables import each_row

LETTER = "pw c3\n\nIt is your turn, Ada.\n\nme b2\n\nOn 2 Nov 2025, Ada wrote:\n> rs\n\nresign"

BLOCKS = {
    "Arabic": "من: Tak <tak@example.org>\nتم الإرسال: 3 نوفمبر 2025 10:00\nإلى: Ada\nالموضوع: tak",
    "bold": "**From:** Tak <tak@example.org>**On Behalf Of** Ben\n**Sent:** 3 November 2025\n**To:** Ada",
    "BlackBerry": "From: Tak <tak@example.org>\n\nDate: Mon, 3 Nov 2025\nTo:<ada@example.org>\n\n\nSubject: tak",
    "Bulgarian": "От: Tak\nИзпратено: 3 ноември 2025 г.\nДо: Ada\nОтносно: tak",
    "Chinese": "发件人: Tak <tak@example.org>\n日期: 2025年11月3日 上午10:00\n收件人: Ada\n主题: tak",
    "Chinese, traditional": "寄件者: Tak <tak@example.org>\n寄件日期: 2025年11月3日\n收件者: Ada\n主旨: tak",
    "Croatian": "Od: Tak\nPoslano: 3. studenog 2025.\nPrima: Ada\nPredmet: tak",
    "Czech": "Od: Tak [mailto:tak@example.org]\nOdesláno: pondělí 3. listopadu 2025\nKomu: Ada\nPředmět: tak",
    "Danish": "Fra: Tak\nSendt: 3. november 2025\nTil: Ada\nEmne: tak",
    "date first": "Date: Mon, 3 Nov 2025 10:00:05 +0100\nFrom: tak@example.org\nTo: ada@example.org\nSubject: tak",
    "date and recipient": "Date: Mon, 3 Nov 2025 10:00:05 +0100\nTo: ada@example.org",
    "Finnish": "Lähettäjä: Tak\nLähetetty: maanantai 3. marraskuuta 2025\nVastaanottaja: Ada\nAihe: tak",
    "folded": "From: Tak by Mail \n<tak@example.org> \nSent: Monday\nTo: <ada@example.org>;\n Ben <ben@example.org>",
    "French": "De : Tak <tak@example.org>\nRépondre à : Tak\nDate : lundi 3 novembre 2025\nÀ : Ada\nObjet : tak",
    "French, Orange": "Message du : 03/11/2025 10:00\nDe : Tak <tak@example.org>\nA : Ada\nCopie à : \nSujet : tak",
    "from only": "From: Tak by Mail <tak@example.org>",
    "Greek": "Από: Tak\nΣτάλθηκε: Δευτέρα, 3 Νοεμβρίου 2025\nΠρος: Ada\nΘέμα: tak",
    "Hebrew": "‏‏מאת: Tak <tak@example.org>\n‏‏נשלח: יום שני 03 נובמבר 2025\n‏‏אל: Ada\n‏‏נושא: tak",
    "Hungarian": "Feladó: Tak\nElküldve: 2025. november 3.\nCímzett: Ada\nTárgy: tak",
    "Indonesian": "Dari: Tak\nDikirim: 3 November 2025\nKepada: Ada\nPerihal: tak",
    "Italian": "*Da:* Tak <tak@example.org>\n*Data:* lunedì 3 novembre 2025\n*A:* Ada\n*Ogg:* tak",
    "Japanese": "差出人: Tak <tak@example.org>\n送信日時: 2025年11月3日 10:00\n宛先: Ada\n件名: tak",
    "Korean": "보낸 사람: Tak <tak@example.org>\n보낸 날짜: 2025년 11월 3일\n받는 사람: Ada\n제목: tak",
    "Norwegian": "Fra: Tak\nDato: 03.11.2025 10.00\nTil: Ada\nEmne: tak",
    "Polish": "Od: Tak\nWysłano: poniedziałek, 3 listopada 2025\nDo: Ada\nTemat: tak",
    "Portuguese": "De: Tak\nEnviada em: segunda-feira, 3 de novembro de 2025\nPara: Ada\nAssunto: tak",
    "Romanian": "De la: Tak\nTrimis: luni, 3 noiembrie 2025\nCătre: Ada\nSubiect: tak",
    "ruled, on one line": "________________________________ From: Tak <tak@example.org>\nTo: Ada\nSubject: tak",
    "Russian": "От: Tak\nОтправлено: 3 ноября 2025 г. 10:00\nКому: Ada\nТема: tak",
    "Slovak": "Od: Tak\nOdoslané: pondelok, 3. novembra 2025\nKomu: Ada\nPredmet: tak",
    "Spanish": "De: Tak\nEnviado el: lunes, 3 de noviembre de 2025\nPara: Ada\nAsunto: tak",
    "subject first": "Subject: \ttak\nDate: \tMon, 3 Nov 2025\nFrom: \tTak <tak@example.org>\nTo: \tada@example.org",
    "Swedish": "Från: Tak\nSkickat: den 3 november 2025 10:00\nTill: Ada\nÄmne: tak",
    "table": "| From | Tak<tak@example.org> |\n| Date | 11/03/2025 10:00 |\n| To | Ada<ada@example.org> |\n| Cc | |",
    "Thai": "จาก: Tak\nส่ง: 3 พฤศจิกายน 2025 10:00\nถึง: Ada\nเรื่อง: tak",
    "Turkish": "Kimden: Tak\nGönderildi: 3 Kasım 2025 Pazartesi\nKime: Ada\nKonu: tak",
    "Ukrainian": "Від: Tak\nНадіслано: 3 листопада 2025 р.\nКому: Ada\nТема: tak",
    "Vietnamese": "Từ: Tak\nĐã gửi: 03 Tháng Mười Một 2025\nTới: Ada\nChủ đề: tak",
}

SEPARATORS = [
    "-----Original Message-----",
    "-----original message-----",
    "*----- Original Message -----*",
    "----- Reply message -----",
    "-------- Ursprüngliche Nachricht --------",
    "-------- Originalnachricht --------",
    "-------- Message d'origine --------",
    "-------- Mensaje original --------",
    "-------- Oorspronkelijk bericht --------",
    "-------- Oprindelig besked --------",
    "-------- Oryginalna wiadomość --------",
    "-------- Původní zpráva --------",
    "-------- Eredeti üzenet --------",
    "-------- Orijinal mesaj --------",
    "-------- Исходное сообщение --------",
    "------------------ 原始邮件 ------------------",
    "--------- 원본 메일 ---------",
    "------------------&nbsp;Original&nbsp;------------------",
    "---------- Forwarded message ---------",
    "-------- Weitergeleitete Nachricht --------",
    "----- Forwarded by Ben/Games on 11/03/2025 10:00 AM -----",
    "Begin forwarded message:",
    "Anfang der weitergeleiteten Nachricht:",
    "Début du message réexpédié :",
    "Original Message processed by david®",
]

SIGNATURES = [
    "Sent from my iPad",
    "来自 Outlook 移动端",
    "来自网易手机邮箱",
    "通过 Foxmail 客户端发送",
    "获取 Outlook",
    "(Sent from my phone)",
    "<<sent by galaxy>>",
    "Sent with Proton Mail secure email.",
    "Download Outlook for Android",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "Gesendet mit der GMX Mail App",
    "Envoyé à partir d'Outlook pour iOS",
    "Télécharger Outlook pour Android",
    "Enviado do meu iPhone",
    "Inviato dal mio iPad",
    "Verstuurd vanaf mijn iPhone",
    "Wysłane z iPhone'a",
    "Odesláno z iPhonu",
    "Küldve az iPhone-omról",
    "iPhone'umdan gönderildi",
    "Отправлено из мобильной Почты Mail.ru",
    "Στάλθηκε από το iPhone μου",
    "נשלח מה-iPhone שלי",
    "أرسلت من الـ iPhone",
    "ส่งจาก iPhone ของฉัน",
    "Đã gửi từ iPhone của tôi",
    "從我的 iPhone 傳送",
    "iPhoneから送信",
    "나의 iPhone에서 보냄",
]


each_block = each_row("block", BLOCKS.values())


class TestABlockOfHeaders:
    @each_block
    def test_ends_what_was_typed(self, block: str) -> None:
        assert typed_text(f"Hi,\nps b4\n\n{block}\n\n{LETTER}", None) == "Hi,\nps b4"
        assert typed_text(f"ps b4\n{block}\n\n{LETTER}", "Another letter") == "ps b4"
        assert typed_text(f"ps b4\n\n____________________\n{block}\n\n{LETTER}", None) == "ps b4"

    @each_block
    def test_right_above_a_marked_quote_goes_with_it_alone(self, block: str) -> None:
        quote = "\n".join(f"> {line}".rstrip() for line in LETTER.split("\n"))
        assert typed_text(f"{block}\n\n{quote}\n\nps b4", None) == "ps b4"

    @each_block
    def test_below_a_separator_goes_with_it(self, block: str) -> None:
        for separator in SEPARATORS:
            assert typed_text(f"ps b4\n\n{separator}\n\n{block}\n\n{LETTER}", None) == "ps b4"


def test_a_block_of_headers_may_stand_on_one_line() -> None:
    block = "Date: Mon, 3 Nov 2025 10:00:05 +0100 From: tak@example.org To: Ada Subject: tak"
    assert typed_text(f"ps b4\n\n{block}\n\n{LETTER}", None) == "ps b4"


@each_row("block", BLOCKS.values())
def test_a_move_below_what_resembles_a_header_is_no_part_of_it(block: str) -> None:
    assert typed_text(f"Date: tomorrow\nps b4\n\n{block}\n\n{LETTER}", None) == "Date: tomorrow\nps b4"


@each_row("separator", SEPARATORS)
def test_a_separator_ends_what_was_typed(separator: str) -> None:
    assert typed_text(f"ps b4\n\n{separator}\n\n{LETTER}", None) == "ps b4"


@pytest.mark.parametrize("picture", ["[]", "[cid:image001.png@01DD5B1E.4F2C1A80]"])
def test_what_stands_for_a_picture_is_not_typed(picture: str) -> None:
    assert is_decoration(picture)
    assert typed_text(f"ps b4\n{picture}\nagree", None) == "ps b4\nagree"


@pytest.mark.parametrize("signature", SIGNATURES)
class TestWhatAProgramAdds:
    def test_is_not_typed(self, signature: str) -> None:
        assert is_decoration(signature)
        assert typed_text(f"ps b4\n{signature}\nagree", None) == "ps b4\nagree"

    def test_below_an_answer_hides_the_bare_quote_below_it(self, signature: str) -> None:
        assert typed_text(f"ps b4\n\n{signature}\n\npw c3\n\nYour turn, Ada.\n\nme b2", None) == "ps b4"

    def test_leaves_what_stands_below_marks(self, signature: str) -> None:
        assert typed_text(f"Hi\n\n{signature}\n\n> rs\n\nps b4", None) == "Hi\n\nps b4"

    def test_above_everything_hides_nothing(self, signature: str) -> None:
        assert typed_text(f"{signature}\n\nps b4", None) == "ps b4"


@each_row(
    "typed",
    [
        "From: our side\nps b4",
        "To: Ben\nps b4\nHi",
        "Subject: none\nps b4",
        "Da: nice\nA: fine\nps b4",
        "Von: mir\nan: dich\nps b4",
        "From Ada\nTo Ben\nps b4",
        "----- my move -----\nps b4",
        "==== Ada ====\nps b4",
        "original message:\nps b4",
        "| a | b |\n| c | d |\nps b4",
        "Sent you a move\nps b4",
        "From my side all is well\nps b4",
    ],
)
def test_what_only_resembles_them_stays(typed: str) -> None:
    assert typed_text(typed, None) == typed


def test_a_block_of_headers_ends_where_a_header_comes_again() -> None:
    block = ["From: Tak <tak@example.org>", "Date: Mon, 3 Nov 2025", "To: ada@example.org", "Subject: tak"]
    lines = [*block, *block]
    assert header_block(lines, header_kinds(lines), 0) == len(block)


def test_headers_of_no_meaning_here_may_come_more_than_once() -> None:
    lines = ["From: Tak <tak@example.org>", "Cc: Ben", "Reply-To: Tak", "Date: Mon, 3 Nov 2025", "To: Ada"]
    assert header_block(lines, header_kinds(lines), 0) == len(lines)
