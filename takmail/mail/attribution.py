"""The lines that mail programs put above a quote and below a text, in the languages of common programs."""

import re
from collections.abc import Sequence

MAX_ATTRIBUTION_LINES = 4
MAX_ATTRIBUTION_CHARS = 400
MAX_ATTRIBUTIONS = 1_000
"""Lines of a mail that are looked at as possible ends of an attribution."""

ATTRIBUTION_ENDS = (":", "：")

# What stands at the start of an attribution; behind it a day or a date follows, or comes soon.
_STARTS = r"On|Am|Le|El|Il(?: giorno)?|Em|Op|Den|Dne|Dnia|W dniu|Pada|Vào|在|В"
_VERBS = (
    r"wrote|writes|schrieb|geschrieben|écrit|escribió|ha scritto|scrisse|escreveu|schreef|napisał(?:\(a\)|a)?"
    r"|пишет|написала?|написал\(а\)|пише|написав|skrev|kirjoitti|napsala?|napísala?|írta|yazdı|έγραψε|a scris"
    r"|menulis|đã viết|写道|寫道|のメッセージ|작성|כתב|كتب"
)
_VERB = re.compile(_VERBS, re.IGNORECASE)
_ADDRESS = re.compile(r"<[^<>]*>|\S+@\S+")
_DATE = re.compile(r"\b\d{1,2}[:.h]\d{2}\b|\b(?:19|20)\d\d\b|\d{4}年|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}")
# "ps b4 On Mon, 3 Nov 2025 at 10:00, Tak <…> wrote:": the program forgot the line break.
_START = re.compile(rf"(?:{_STARTS})\s(?=\S{{1,12}}[\s,.]|\d)")

_SENT_FROM = re.compile(
    r"\W*(?:sent (?:from|with|via|using)\b|get (?:outlook|.{0,20}mail) for\b"
    r"|(?:von|vom) .{0,40}gesendet\b|gesendet (?:von|mit|über)\b|envoyé (?:de|depuis|à partir)\b"
    r"|enviad[oa] (?:desde|do|de|pelo|via)\b|inviat[oa] da\b|(?:verzonden|verstuurd) (?:vanaf|met|via)\b"
    r"|wysłan[eoy] z\b|отправлено (?:с|из)\b|надіслано з\b|skickat från\b|sendt fra\b|lähetetty\b"
    r"|odesláno z\b|发自我的|發自我的|iphoneから送信|.{0,20}에서 보냄"
    r"|(?:télécharger|obtener|scarica|obter o|download) outlook"
    r"|outlook für .{0,20}(?:beziehen|herunterladen)).{0,120}",
    re.IGNORECASE,
)
_RULE = re.compile(r"\s*[_⎯]{8,}\s*")
_ORIGINAL = re.compile(r"\s*-{4,}\s*[^\W\d_][^-]{2,60}?\s*-{4,}\s*")
_FROM_LINE = re.compile(
    r"[*\s]{0,9}(?:From|Von|De|Da|Van|Od|От|Від|Från|Fra|Lähettäjä|Feladó|Kimden"
    r"|发件人|寄件者|差出人|보낸 사람)[*\s]{0,9}[:：]",
    re.IGNORECASE,
)
_HEADER_LINE = re.compile(
    r"[*\s]{0,9}(?:Sent|Date|To|Cc|Bcc|Subject|Reply-To|Importance|Attachments|Gesendet|Datum|An|Betreff"
    r"|Envoyé|À|Objet|Enviado(?: el| em)?|Fecha|Para|Asunto|Assunto|Data|Inviato|A|Oggetto|Verzonden|Aan"
    r"|Onderwerp|Wysłan[eo]|Do|DW|Temat|Отправлено|Дата|Кому|Копия|Тема|Надіслано|Skickat|Till|Ämne|Sendt|Til"
    r"|Emne|Lähetetty|Vastaanottaja|Aihe|Odesláno|Komu|Předmět|Elküldve|Címzett|Tárgy|Gönderildi|Kime|Konu"
    r"|发送时间|日期|收件人|抄送|主题|寄件日期|收件者|副本|主旨|送信日時|宛先|件名|보낸 날짜|받는 사람|제목)"
    r"[*\s]{0,9}[:：]",
    re.IGNORECASE,
)


def attribution_at(lines: Sequence[str], last: int, quote_follows: bool) -> tuple[int, str] | None:
    """The attribution that ends in line `last`: its first line, and what was typed before it on that line.

    None if there is none. Without a quote below, only an unmistakable one counts: it starts as one, has a
    date, and says that someone wrote.
    """
    if not lines[last].rstrip().endswith(ATTRIBUTION_ENDS):
        return None
    joined, dated = "", None
    for first in range(last, max(-1, last - MAX_ATTRIBUTION_LINES), -1):
        if not lines[first].strip():
            break
        joined = f"{lines[first].strip()} {joined}".strip()
        if len(joined) > MAX_ATTRIBUTION_CHARS:
            break
        says = bool(_VERB.search(joined))
        evident = bool(_DATE.search(_ADDRESS.sub(" ", joined)))
        if not (evident and (says or (quote_follows and "@" in joined))):
            continue
        start = _START.search(joined) if dated is None else _START.match(joined)
        if start and _DATE.search(_ADDRESS.sub(" ", joined[start.start() :])):
            return first, joined[: start.start()].rstrip()
        dated = first if dated is None else dated
    if not quote_follows:
        return None
    if dated is not None:
        return dated, ""
    return (last, "") if _VERB.search(lines[last]) else None


def header_block(lines: Sequence[str], first: int) -> int | None:
    """The line after the block of headers (Outlook quotes so) that begins at line `first`, if one does."""
    if not lines[first] or not _FROM_LINE.match(lines[first]):
        return None
    end, seen = first + 1, 0
    for number in range(first + 1, min(len(lines), first + 10)):
        if _HEADER_LINE.match(lines[number]):
            end, seen = number + 1, seen + 1
        elif not lines[number].strip() and seen >= 2:
            break
    return end if seen >= 2 else None


def is_original_message_line(line: str) -> bool:
    """Whether a line is of the kind of `-----Original Message-----`, in any language."""
    return "----" in line and bool(_ORIGINAL.fullmatch(line))


def is_decoration(line: str) -> bool:
    """Whether a program put the line there: `Sent from my …`, `Get Outlook for …`, a line of underscores."""
    return bool(_RULE.fullmatch(line) or _SENT_FROM.fullmatch(line))


def is_signature_mark(line: str) -> bool:
    """Whether the signature begins below this line (RFC 3676 §4.3); programs strip the space after it."""
    return line.rstrip() in ("--", "—")
