"""Recognise the lines that separate a quote or a signature, in the languages of common mail programs."""

import re
from collections.abc import Sequence

from takmail.mail.quotes.words import is_pictures

MAX_MARKER_CHARS = 300
"""The maximum length of a separating line, in characters."""

MAX_DECORATION_CHARS = 4_000
"""The maximum length of a line that only has pictures and their links, as of a row of a board."""

_MAX_DISCLAIMER_CHARS = 600

# Zero-width characters and direction marks.
_INVISIBLE = dict.fromkeys(
    [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF, 0x00AD]
)
_SPACES = dict.fromkeys([0xA0, 0x202F, 0x3000, *range(0x2000, 0x200B)], " ")
_PLAIN: dict[int, str | None] = {**_INVISIBLE, **_SPACES}

# The characters that mail programs put around a bold line.
_AROUND = " \t\r*"

_SENT_FROM = re.compile(
    r"\W{0,4}+(?:sent (?:from|with|via|using|by)\b|get (?:outlook|.{0,20}mail) for\b|.{1,20} from mobile"
    r"|from my (?:mobile|phone|smartphone|tablet|android|samsung|galaxy|blackberry|iphone|ipad|ipod)\b"
    r"|(?:von|vom) .{0,60}(?:gesendet|geschickt)\b|gesendet (?:von|mit|über)\b|diese nachricht wurde .{0,80} gesendet"
    r"|envoyé (?:de|depuis|à partir|avec|via)\b|enviad[oa] (?:desde|do|de|da|pelo|pela|via|a partir|con|com)\b"
    r"|inviat[oa] (?:da|dal|con)\b|(?:verzonden|verstuurd) (?:vanaf|met|via|vanuit)\b"
    r"|wysłan[eoy] (?:z|za)\b|отправлено (?:с|из|через)\b|надіслано (?:з|із|через)\b|изпратено от\b"
    r"|skickat (?:från|med)\b|från min\b|sendt (?:fra|via|med)\b|lähetetty\b|odesláno (?:z|ze|pomocí)\b"
    r"|odoslané (?:z|zo)\b|elküldve\b|küldve .{0,30}ról\b|trimis (?:de|din|cu)\b|poslano (?:s|sa|iz)\b"
    r"|στάλθηκε από\b|.{0,30}(?:dan|den|ile) gönderildi\b|dikirim dari\b|được gửi từ\b|gửi từ\b|đã gửi từ\b"
    r"|ส่งจาก|נשלח מ|أرسلت من|تم الإرسال من|مرسل من|ارسال شده از"
    r"|(?:来自|來自|通过|通過|使用).{0,20}(?:移动端|移動端|手机|手機|邮箱|郵箱|信箱|客户端|客戶端|outlook|foxmail|iphone|ipad|android|安卓|版)"
    r"(?:发送|發送|传送|傳送|发出)?$|(?:获取|取得|下载|下載).{0,20}outlook.{0,20}$"
    r"|(?:发|發)自|从我的.{0,20}发送|從我的.{0,20}傳送|(?:来自|來自)我的"
    r"|.{0,20}から送信|.{0,20}에서 보냄|나의 .{0,20}에서"
    r"|skickades från\b|enviat des\b|saadetud minu\b|išsiųsta iš\b"
    r"|.{0,20}\boutlook\b.{1,20}\b(?:ios|android|windows|mac)\b|ios 版 outlook).{0,160}",
    re.IGNORECASE,
)
# A line in which a program says that it found no virus.
_PROGRAMS = (
    r"(?:avast|avg|norton|mcafee|kaspersky|bitdefender|eset|nod32|sophos|clamav|f-secure|g data|avira|panda|trend micro"
    r"|symantec|mailscanner|mimecast|proofpoint|messagelabs|barracuda|dr\.?web)\b"
)
_NO_VIRUS = re.compile(
    r"\W{0,4}+(?:(?:virus[ -]?free|virenfrei|virusvrij|(?:libre|livre) de v[ií]rus|(?:garanti )?sans virus"
    r"|(?:privo di|senza) virus|virusfri\w?|bez wirusów|wolny od wirusów|без вирусов|вирусов нет|virüssüz|无病毒)"
    rf"\W{{0,12}}+(?:www\.|https?://|{_PROGRAMS})"
    rf"|(?:scanned|checked|protected|verified|geprüft|gescannt) (?:by|with|von|mit) {_PROGRAMS}"
    r"|(?:this|the) (?:e-?mail|message|mail)(?: message)? (?:has been|was|is) (?:scanned|checked)\b"
    r"|(?:no virus(?:es)? found in this (?:incoming |outgoing )?(?:message|e-?mail))"
    r"|diese (?:e-?mail|nachricht) wurde .{0,60}auf viren (?:geprüft|überprüft|untersucht)"
    r"|l['’]absence de virus dans ce (?:courrier|message)"
    r"|(?:el software|este (?:correo|mensaje)|este (?:e-?mail|mensagem)|questa e-?mail|deze e-?mail)\b.{0,80}\bvírus\b"
    rf"|(?:el software de antivirus|questa e-?mail|deze e-?mail|o e-?mail|este (?:correo|e-?mail)) .{{0,80}}{_PROGRAMS}"
    rf"|(?:это сообщение|это письмо) .{{0,40}}(?:проверено|проверена).{{0,80}}).{{0,200}}",
    re.IGNORECASE,
)
# What the law or a firm makes a program write below a line: words for a mail and for its secrecy.
_MAIL_WORD = re.compile(
    r"\b(?:e-?mail|message|mail|transmission|communication|nachricht|courriel|correo|mensaje|messaggio|mensagem|bericht"
    r"|wiadomoś|zpráv|meddeland|viesti|сообщени|письм|повідомлен)|邮件|郵件|メール|메일",
    re.IGNORECASE,
)
_SECRET_WORD = re.compile(
    r"\b(?:confidential|privileged|intended (?:only |solely |exclusively )?for|intended recipient|disclaimer"
    r"|vertraulich|confidentiel|confidencial|riservat|vertrouwelijk|poufn|důvěrn|konfidentiell|fortrolig|luottamuksell|bizalmas"
    r"|конфиденциальн|конфіденційн|gizli)|机密|保密|機密|秘密|기밀",
    re.IGNORECASE,
)
_RULE = re.compile(r"[_⎯]{8,300}|[-=—–]{10,300}")

# "-----Original Message-----", with the word for a letter in many languages, and "---- Ada wrote ----".
_RULES = re.compile("--|––|——|==|__")
_SIGNS = re.compile(f"{_RULES.pattern}|[:：]|rocessed by david")
_DASHED = re.compile(r"[-–—=_]{2,60}(?P<says>[^-–—=_].{2,90}?)[-–—=_]{2,60}")
_LETTER_WORDS = re.compile(
    r"message|messaggio|mensaje|mensagem|missatge|nachricht|bericht|besked|meddel|melding|mejl|e-?mail|original|forwarded"
    r"|viesti|wiadomo|zpráv|správ|poruk|sporočil|üzenet|levél|mesaj|ileti|сообщени|повідомлен|письм|съобщени"
    r"|μήνυμα|邮件|郵件|メッセージ|メール|메시지|메일|הודעה|رسالة|پیام|ข้อความ|thư|tin nhắn|pesan|sõnum|žinut"
    r"|wrote|schrieb|écrit|escribió|scritto|escreveu|schreef|napisał|skrev|пишет|написал",
    re.IGNORECASE,
)
_DASHES_AND_WORDS = re.compile(r"-{4,60}\s{0,9}[^\W\d_][^-]{2,60}-{4,60}")
_FORWARDED = re.compile(
    r"(?:begin forwarded message|forwarded message|reply message|začátek přeposílané zprávy"
    r"|start på videresendt besked|anfang der weitergeleiteten (?:nachricht|e-mail)"
    r"|inicio del mensaje reenviado|välitetty viesti alkaa|début du message (?:réexpédié|transféré)"
    r"|započni proslijeđenu poruku|továbbított levél kezdete|inizio (?:del )?messaggio inoltrato"
    r"|begin doorgestuurd bericht|videresendt melding|początek przekazywanej wiadomości"
    r"|início da mensagem (?:reencaminhada|encaminhada)|începe mesajul redirecționat"
    r"|начало переадресованного сообщения|пересылаемое сообщение|začiatok preposlanej správy"
    r"|vidarebefordrat mejl|i̇leti başlangıcı|iletilen ileti|початок листа, що пересилається"
    r"|下面是被转发的邮件|转发的邮件|以下為轉寄的郵件|転送されたメッセージ|전달된 메시지)\s{0,9}[:：]",
    re.IGNORECASE,
)
_BY_DAVID = re.compile(r"\[?original message processed by david", re.IGNORECASE)


# The borders of a table, which a program draws. A single dash in a cell is an empty spot of a board.
_BORDER = re.compile(r"[|+│┌├└╔╠╚] ?(?:[-=:─═]{2,}+[ |+│┬┼┴┐┤┘╦╬╩╗╣╝]{1,3})++")
_DASHES = re.compile(r"[-=_–—⎯]{3,300}")
_ADDED = (_RULE, _SENT_FROM, _NO_VIRUS, _BORDER)


def readable(text: str) -> str:
    """Return a text without invisible characters and with plain spaces only.

    The division into lines stays the same.
    """
    return text if text.isascii() else text.translate(_PLAIN)


def may_separate(line: str) -> bool:
    """Return whether `is_separator` needs to examine a line. This is a fast test."""
    return 8 < len(line) <= MAX_MARKER_CHARS and _SIGNS.search(line) is not None


def is_separator(line: str, headed: bool) -> bool:
    """Return whether a line such as `-----Original Message-----` or `Begin forwarded message:` begins a quote.

    `headed` is true if a header follows the line. In that case any words between dashes count.
    """
    plain = line.strip(_AROUND)
    if _RULES.search(plain):
        dashed = _DASHED.fullmatch(plain)
        if dashed and _LETTER_WORDS.search(dashed["says"]):
            return True
        return headed and bool(_DASHES_AND_WORDS.fullmatch(plain))
    return bool(_FORWARDED.fullmatch(plain) or _BY_DAVID.match(plain))


def is_decoration(line: str) -> bool:
    """Return whether a program added the line: `Sent from my …`, a line of underscores, `[cid:…]` for a picture.

    For a picture without an alternative text a program may write `[]`. A bar alone is an empty line of the words that a
    letter brings.
    """
    plain = line.strip(_AROUND)
    if 5 < len(line) <= MAX_MARKER_CHARS and any(one.fullmatch(plain) for one in _ADDED):
        return True
    return len(line) <= MAX_DECORATION_CHARS and (plain == "|" or is_pictures(plain))


def begins_disclaimer(lines: Sequence[str], number: int) -> bool:
    """Return whether a line of dashes is above a note that the mail is confidential or has no virus."""
    line = lines[number].strip(_AROUND)
    if not line or len(line) > MAX_MARKER_CHARS or not _DASHES.fullmatch(line):
        return False
    below = " ".join(lines[number + 1 : number + 6])[:_MAX_DISCLAIMER_CHARS].strip()
    return bool(_NO_VIRUS.match(below) or (_SECRET_WORD.search(below) and _MAIL_WORD.search(below)))


def is_sent_from(line: str) -> bool:
    """Return whether a line resembles `Sent from my …`."""
    return len(line) <= MAX_MARKER_CHARS and bool(_SENT_FROM.fullmatch(line.strip(_AROUND)))


def is_signature_mark(line: str) -> bool:
    """Return whether a line starts a signature (RFC 3676 §4.3). Programs strip the space after the dashes."""
    return line.rstrip() in ("--", "—")
