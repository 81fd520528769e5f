"""Recognise blocks of header lines above a quote, as Outlook writes them, in the languages of mail programs.

All lines must be in the form that `separators.readable` returns.
"""

import re
from collections.abc import Sequence

_LONG_LINE = 40  # characters; only a line of this length may continue on the next line
_MAX_BLOCK_LINES = 40  # the maximum number of lines of a header block
_MAX_FOLDED_LINES = 3  # the maximum number of lines that continue a header
_MAX_FOLDED_RECIPIENTS = 12  # the maximum number of such lines if they have addresses

# The name of a header has at most three words. Netease draws the block as a table, with bars.
_NAME = re.compile(r"(?:[_-]{8,100})?[\s*_|]{0,12}([^\W\d_][^:：|*<>@]{0,24}?)[\s*_]{0,6}[:：|]")
_NAME_WITHIN = re.compile(r"(?:^|(?<=\s))\*{0,2}([^\W\d_]{1,14})\*{0,2} ?:")
_MAX_LINE_CHARS = 500  # the maximum number of characters in which several headers are searched

_FROM, _DATE, _TO, _SUBJECT, _MORE = "from", "date", "to", "subject", "more"
_NAMES = {
    _FROM: (
        "from, von, de, da, van, od, от, от кого, отправитель, від, від кого, från, fra, frá, lähettäjä, feladó"
        ", kimden, gönderen, šalje, pošiljatelj, expeditor, expeditorul, de la, mittente, nadawca, remitente"
        ", expéditeur, absender, afzender, avsändare, avsender, saatja, nuo, siuntėjas, sūtītājs, από, dari, từ"
        ", người gửi, من, المرسل, מאת, از, จาก, प्रेषक, 发件人, 發件人, 寄件者, 寄件人, 差出人, 送信者, 送信元"
        ", 보낸 사람, 보낸사람, 발신자"
    ),
    _DATE: (
        "date, sent, datum, dato, data, fecha, gesendet, gesendet am, envoyé, envoyé le, le, message du, enviado"
        ", enviado el, enviado em, enviada, enviada em, enviat, inviato, inviata, verzonden, wysłano, wysłane"
        ", отправлено, дата, надіслано, skickat, sendt, lähetetty, päivämäärä, päiväys, odesláno, odoslané"
        ", dátum, elküldve, küldve, gönderildi, tarih, poslano, trimis, изпратено, στάλθηκε, ημερομηνία"
        ", saadetud, kuupäev, išsiųsta, nosūtīts, dikirim, tanggal, đã gửi, ngày, gửi, تم الإرسال, التاريخ"
        ", تاریخ, נשלח, תאריך, ส่ง, วันที่, दिनांक, 发送时间, 發送時間, 发送日期, 日期, 时间, 時間, 寄件日期"
        ", 傳送日期, 送信日時, 日時, 日付, 보낸 날짜, 보낸날짜, 날짜"
    ),
    _TO: (
        "to, an, à, a, pour, para, aan, do, komu, кому, till, til, vastaanottaja, címzett, kime, alıcı, prima"
        ", za, pre, către, destinatario, destinatarul, destinataire, empfänger, до, προς, adressaat, kam"
        ", kepada, tới, đến, إلى, אל, به, ถึง, adresat, 收件人, 收件者, 宛先, 送信先, 받는 사람, 받는사람, 수신자"
    ),
    _SUBJECT: (
        "subject, betreff, objet, sujet, asunto, assunto, oggetto, ogg, onderwerp, temat, тема, ämne, emne"
        ", aihe, předmět, predmet, tárgy, konu, naslov, zadeva, subiect, subiectul, относно, θέμα, teema, tema"
        ", perihal, subjek, chủ đề, tiêu đề, الموضوع, موضوع, נושא, เรื่อง, विषय, assumpte, efni, 主题, 主題"
        ", 主旨, 件名, 제목"
    ),
    _MORE: (
        "cc, bcc, kopie, kopia, kopi, kopio, kópia, копия, копія, dw, udw, cco, cci, ccn, copie, copie à, copia"
        ", másolat, másolatot kap, bilgi, kopija, sao gửi, สำเนา, עותק, نسخة, 抄送, 抄送至, 副本, 참조, reply-to"
        ", importance, priority, attachments, organization, message-id, in-reply-to, references, sender"
        ", delivered-to, antwort an, wichtigkeit, anlagen, répondre à, pièces jointes, responder a, rispondi a"
        ", antwoord aan, svar til, svara till, odpověď na, odpowiedź-do, allegati, adjuntos, anexos, bijlagen"
        ", вложения, 附件"
    ),
}
_KINDS = {name.strip(): kind for kind, names in _NAMES.items() for name in names.split(",")}


def header_kinds(lines: Sequence[str]) -> list[str | None]:
    """Return the kind of header with which each line begins, or None for other lines."""
    return [_kind(line) if ":" in line or "：" in line or "|" in line else None for line in lines]


def header_block(lines: Sequence[str], kinds: Sequence[str | None], first: int) -> int | None:
    """Return the number of the line after the header block that begins at line `first`; None if no block begins there.

    Headers may be in any order, and may be folded. Some programs leave blank lines between headers, and others write
    all headers on one line.
    """
    kind = kinds[first]
    if kind is None or kind == _MORE:
        return None
    if lines[first].count(":") > 2 and _is_surely_block(_headers_within(lines[first])):
        return first + 1
    end, misses, blanks = first + 1, 0, 0
    seen = {kind: lines[first]}
    for number in range(first + 1, min(len(lines), first + _MAX_BLOCK_LINES)):
        line = lines[number]
        kind = kinds[number]
        if kind is not None:
            if kind in seen and kind != _MORE:
                break
            seen.setdefault(kind, line)
            end, misses, blanks = number + 1, 0, 0
        elif not line.strip():
            blanks += 1
        elif blanks or not _may_be_folded(line, lines[number - 1]):
            break
        else:
            misses += 1
        if blanks > 2 or misses > (_MAX_FOLDED_RECIPIENTS if "@" in line else _MAX_FOLDED_LINES):
            break
    return _end_of_folded(lines, end) if _is_surely_block(seen) else None


def sender_in(lines: Sequence[str], kinds: Sequence[str | None], block: range) -> str | None:
    """Return the From line of a header block; None if there is none, or if all headers are on one line."""
    first = next((number for number in block if kinds[number] == _FROM), None)
    if first is None or _headers_within(lines[first]):
        return None
    after = next(
        (at for at in range(first + 1, block.stop) if kinds[at] or not lines[at].strip()), block.stop
    )
    return " ".join(lines[first:after])


def _kind(line: str) -> str | None:
    found = _NAME.match(line[:160])
    return _KINDS.get(found[1].casefold()) if found else None


def _headers_within(line: str) -> dict[str, str]:
    """Return the headers on a line that has several of them, each with the text that follows it."""
    plain = line[:_MAX_LINE_CHARS]
    found = [(_KINDS.get(one[1].casefold()), plain[one.end() :]) for one in _NAME_WITHIN.finditer(plain)]
    headers = {kind: value for kind, value in found if kind is not None}
    return headers if len(headers) > 2 else {}


def _is_surely_block(seen: dict[str, str]) -> bool:
    """Return whether these headers are surely a block.

    They are of three kinds, or they have an address or a date beside the sender.
    """
    kinds = seen.keys() - {_MORE}
    if len(kinds) > 2 or "@" in seen.get(_FROM, ""):
        return True
    dated = sum(char.isdecimal() for char in seen.get(_DATE, "")) > 2
    return len(kinds) > 1 and (dated or "@" in seen.get(_TO, ""))


def _may_be_folded(line: str, above: str) -> bool:
    """Return whether a line may continue a header. A short line below another short line may be a move."""
    return line[0].isspace() or line[0] == "<" or "@" in line or len(above) >= _LONG_LINE


def _end_of_folded(lines: Sequence[str], end: int) -> int:
    """Return the number of the line after the rest of a folded header."""
    for number in range(end, min(len(lines), end + _MAX_FOLDED_LINES)):
        if not lines[number].strip():
            return number
    return end
