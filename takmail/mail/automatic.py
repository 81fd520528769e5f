"""Detect mails that were written by a machine."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import filterfalse

from takmail.mail.headers import Headers, first_word, media_type
from takmail.mail.letter import MACHINE_HEADER
from takmail.mail.message import MachineSign
from takmail.mail.mime import Part
from takmail.mail.tokens import tagged_game

_MAX_SUBJECT_CHARS = 120
"""The maximum number of characters of a Subject that are searched. Automatic mails have their phrases at its start."""

# These phrases count at the start of a Subject, whatever follows, because no person starts a Subject with them.
_AUTOMATIC_PHRASES = """
automatic reply | automatic response | automatic answer | automated reply | automated response
automatically generated response | automatically generated reply
auto reply | autoreply | auto response | autoresponse | auto respond | autorespond | autoresponder
auto responder | yahoo! auto response | out of office autoreply | out of office reply | out of office response
vacation reply | vacation response | vacation notice | away from my mail
automatische antwort | automatische beantwortung | automatische rückantwort | abwesenheitsnotiz
abwesenheitsmeldung | abwesenheitsnachricht | abwesenheitsbenachrichtigung | abwesenheitsassistent
réponse automatique | absence du bureau | message d'absence | message d’absence | notification d'absence
respuesta automática | mensaje de respuesta automática | resposta automática | resposta automàtica
risposta automatica | risponditore automatico | erantzun automatikoa
automatisch antwoord | automatisch bericht | afwezigheidsbericht | afwezigheidsassistent
autosvar | automatiskt svar | automatisk svar | frånvaromeddelande | fraværsmeddelelse
automaattinen vastaus | automaatvastus | automaatne vastus | sjálfvirkt svar
odpowiedź automatyczna | automatyczna odpowiedź | autoodpowiedź
automatická odpověď | automatická odpoveď | automatikus válasz | răspuns automat
automatinis atsakymas | automātiskā atbilde | automātiska atbilde
samodejni odgovor | automatski odgovor | аутоматски одговор
αυτόματη απάντηση | автоматический ответ | автоответ | автоматична відповідь | автоматичен отговор
автоматски одговор | otomatik yanıt | otomatik cevap | avtomatik cavab
תשובה אוטומטית | מענה אוטומטי | رد تلقائي | الرد التلقائي | پاسخ خودکار
स्वचालित उत्तर | ตอบกลับอัตโนมัติ | การตอบกลับอัตโนมัติ | trả lời tự động
balasan otomatis | balasan automatik | jawapan automatik
自动回复 | 自动答复 | 自動回覆 | 自動回復 | 自動答覆 | 自動応答 | 自動返信 | 不在通知 | 不在応答
자동 회신 | 자동 응답 | 자동회신 | 자동응답 | 부재중 자동 | 부재 중 자동
"""
# A person may start a Subject with one of these phrases ("Out of the office on Friday"). They count only if a colon, a
# bracket, a dash or the end of the Subject follows.
_OUT_OF_OFFICE_PHRASES = """
out of office | out of the office | ooo | away from office | away from the office | on vacation
abwesend | abwesenheit | nicht im büro | absent | absence | absent du bureau | en congé
fuera de la oficina | fuera de oficina | ausente de la oficina | ausente | fora do escritório | ausência temporária
fuori sede | fuori ufficio | assente | assenza dall'ufficio | afwezig | afwezigheid | niet aanwezig
frånvarande | frånvaro | ikke til stede | fravær | ei ar | poissa | poissa toimistosta
nieobecność | nieobecność w biurze | poza biurem | mimo kancelář | mimo kancelárie | házon kívül | plecat din birou
вне офиса | нет на месте | отсутствие | εκτός γραφείου | ofis dışında | ofis dışındayım
מחוץ למשרד | خارج المكتب | 不在 | 外出 | 不在办公室 | 부재중 | 부재 중
"""


def _folded(text: str) -> str:
    """Return the text without differences of case, accents and width.

    Programs also write "Reponse automatique" or a wide colon.
    """
    if text.isascii():
        return text.casefold()
    spread = unicodedata.normalize("NFKD", text)
    return "".join(filterfalse(unicodedata.combining, spread)).casefold().replace("ı", "i")


def _phrases(listed: str) -> str:
    """Return a regular expression for the phrases of a list above; a hyphen may replace a space."""
    found = {_folded(phrase.strip()) for line in listed.splitlines() for phrase in line.split("|")} - {""}
    return "|".join(
        re.escape(phrase).replace(r"\ ", "[ -]") for phrase in sorted(found, key=len, reverse=True)
    )


# A mail gateway may put a tag before the Subject.
_GATEWAY_TAG = r"(?:\[(?:ext|extern|external|external email|spam)\]:? ?)?[\W_]*"
# `\b` finds no word ends in scripts that are written without spaces.
_WORD_END = r"(?![a-z\u0370-\u052f])"
_AUTOMATIC_SUBJECT = re.compile(
    rf"{_GATEWAY_TAG}(?:(?:{_phrases(_AUTOMATIC_PHRASES)}){_WORD_END}"
    # Sieve's Subject is "Auto: " and the original Subject (RFC 5230 §5.3). Lotus Notes writes the same.
    r"|auto:"
    rf"|(?:{_phrases(_OUT_OF_OFFICE_PHRASES)})[\])}}*\"'. ]*(?:[:(\u2013\u2014]|- |$))"
)


# Programs that send no report (RFC 8098) put one of these words and a colon before the Subject of what was read.
_RECEIPT_WORDS = """
read | not read | read receipt | return receipt | return receipt (displayed) | opened | read notification
gelesen | ungelesen | lesebestätigung | empfangsbestätigung | lu | non lu | accusé de réception
confirmation de lecture
leído | no leído | confirmación de lectura | acuse de recibo | letto | non letto | conferma di lettura
ricevuta di ritorno
lido | lida | não lida | confirmação de leitura | gelezen | niet gelezen | leesbevestiging | ongelezen
läst | oläst | läskvitto | læst | lest | luettu | lukukuittaus | przeczytane | przeczytano | potwierdzenie przeczytania
přečteno | přečtené | potvrzení o přečtení | prečítané | elolvasva | olvasatlan | olvasási visszaigazolás | citit
прочитано | прочитана | прочтено | не прочитано | уведомление о прочтении | прочетено | αναγνώστηκε
okundu | okundu bilgisi | נקרא | 已读 | 已讀 | 已讀取 | 已读回执 | 既読 | 開封済み | 開封確認 | 읽음
"""
_THREAD = frozenset(("in-reply-to", "references"))
_RECEIPT_SUBJECT = re.compile(rf"{_GATEWAY_TAG}(?:{_phrases(_RECEIPT_WORDS)}) ?(?:: ?|- )\S")


def is_automatic_subject(subject: str) -> bool:
    """Return whether a decoded Subject starts like that of an out-of-office note.

    "Re: Automatic reply: …" doesn't count. A program puts its phrase before the Subject that it answers, so a "Re:"
    before the phrase comes from a person. If this is wrong, takmail sends one superfluous answer.
    """
    return _AUTOMATIC_SUBJECT.match(_folded(subject[:_MAX_SUBJECT_CHARS])) is not None


_NEGATIVE_VALUES = frozenset({"", "no", "none", "false", "0"})
_AUTORESPONDER_HEADERS = frozenset(
    {"x-autoreply", "x-auto-reply", "x-autoreply-from", "x-auto-reply-from", "x-mail-autoreply"}
    | {"x-autorespond", "x-autoresponder", "x-autoresponse", "x-auto-response", "x-auto-submitted"}
    | {"x-vacation", "x-webmin-autoreply", "x-cron-env"}
)
# X-Auto-Response-Suppress and Feedback-ID don't count, because Outlook and Fastmail add them to mails that people
# write. X-Loop and X-MS-Exchange-Inbox-Rules-Loop don't count either. They mark a mail that a rule has forwarded, and
# people may forward mails to this service by a rule.
_HEADER_PATTERNS = {
    "x-fc-machinegenerated": re.compile(r"true|yes|1"),
    "x-post-messageclass": re.compile(r"9; ?autoresponder.*"),
    "x-precedence": re.compile(r"bulk|junk|list|auto[_-]?reply"),
    "preference": re.compile(r"auto[_-]?reply"),
    "delivered-to": re.compile(r"autoresponder"),
    "x-mailer": re.compile(r".*\bauto-?respon.*|vacation\b.*"),
    # CommuniGate also sets this header on mails of people that it forwards, mirrors or redirects.
    "x-autogenerated": re.compile(r"(?!no\b|forward|mirror|redirect).+"),
}


def has_automatic_header(headers: Headers) -> bool:
    """Return whether the mail has a header that autoresponders set besides Auto-Submitted or in place of it."""
    for name, value in headers.items:
        if name in _AUTORESPONDER_HEADERS and first_word(value) not in _NEGATIVE_VALUES:
            return True
        if name in _HEADER_PATTERNS and _HEADER_PATTERNS[name].fullmatch(value[:200].strip().lower()):
            return True
    # Exchange's rules both answer and redirect mails. Only a redirected mail has Resent-From (RFC 5322 §3.6.6).
    source = headers.first("x-ms-exchange-generated-message-source").lower()
    return source == "mailbox rules agent" and not headers.first("resent-from")


_CHALLENGERS = frozenset(
    {"x-spamarrest-noauth", "x-boxtrapper", "x-bluebottle-request", "x-choicemail-registration-request"}
    | {"x-askversion", "x-spamazoid-md", "spamlion", "x-exispam"}
)
_CHALLENGE_FROM = re.compile(
    r".*@(?:[\w.-]+\.)?(?:boxbe|mailinblack|spamstomp|ipermitmail)\.com"
    r"|(?:verify@0spam|support@spamarrest|confirm-.*@spamguard\.vanquish)\.com"
    r"|(?:spamblocker-challenge|spambush|apd\.sspam|spamhippo|devnull-quarantine)@.*"
)
_CHALLENGE_SUBJECT = re.compile(
    r"\W*(?:your e-?mail requires verification|please (?:confirm|verify) your (?:e-?mail )?(?:message|address)\b"
    r"|unverified e-?mail to |message you sent blocked by)"
    r"|.*\[qurb .\d+\]$"
)
# TMDA users also have X-Delivery-Agent on mails that they write. Only the address that receives confirmations is a safe
# sign of a challenge.
_TMDA_ADDRESS = re.compile(
    r"[-+]confirm-(?:[a-z]{1,20}\.)?\d{1,15}\.\d{1,10}\.[0-9a-f]{4,40}@", re.IGNORECASE
)


def is_challenge(headers: Headers, subject: str, sender: str) -> bool:
    """Return whether a mail from the normal address `sender` asks its reader to prove that they are a person.

    `subject` is its decoded Subject.
    """
    if _CHALLENGERS & headers.names() or headers.first("message-id").strip().endswith("-tmda-confirm>"):
        return True
    if any(_TMDA_ADDRESS.search(headers.first(name)[:1000]) for name in ("from", "reply-to")):
        return True
    if "mailinblack" in media_type(headers)[1].get("boundary", "").lower():
        return True
    senders = (sender, headers.first("return-path").strip(" <>").lower())
    if any(_CHALLENGE_FROM.fullmatch(sender[:400]) for sender in senders):
        return True
    return _CHALLENGE_SUBJECT.match(subject[:_MAX_SUBJECT_CHARS].lower()) is not None


_BULK = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply", "autoreply"})
_LIST = frozenset(
    f"list-{name}" for name in ("id", "post", "unsubscribe", "help", "subscribe", "owner", "archive")
) | {"mailing-list", "x-mailing-list"}
# Exchange sends reports from an address that begins with "microsoftexchange" and 32 hexadecimal digits.
_DAEMON = re.compile(r"mail(?:er)?[-_.]?d(?:ae|ea)mon|mdaemon|postmaster|microsoftexchange[0-9a-f]{32}")
_REPORTS = frozenset(
    f"message/{kind}{what}"
    for kind in ("", "global-")
    for what in ("delivery-status", "disposition-notification")
) | {"multipart/report"}
_REPORT_HEADERS = frozenset({"x-failed-recipients", "x-ms-embedded-report"})
_FAILURE_SUBJECT = re.compile(
    r"undeliver|non-?deliver|failure notice|returned (?:mail|to sender)|returning message to sender"
    r"|not (?:be )?delivered|(?:mail|message|delivery)\b.{0,20}\bfail|fail\w*\b.{0,20}\bdeliver"
    r"|delivery (?:problem|error|status)|unzustellbar|nicht zugestellt|non (?:remis|distribu)"
    r"|échec de (?:la )?remise|no se (?:ha )?(?:pudo|podido) entregar|mancat[ao] (?:consegna|recapito)"
    r"|onbestelbaar|недоставлен|не доставлен",
    re.IGNORECASE,
)
_NO_REPLY_NAMES = (
    r"no[-_.]?repl(?:y|ies)|(?:do|does)[-_.]?not[-_.]?reply|dont[-_.]?reply|no[-_.]?response"
    r"|nicht[-_.]?antworten|keine[-_.]?antwort|ne[-_.]?pas[-_.]?repondre|nepasrepondre"
    r"|no[-_.]?responder|nao[-_.]?respond(?:a|er)|non[-_.]?rispondere"
    r"|auto[-_.]?(?:reply|responder|respond)|automated[-_.]response"
)
# No person has these names. Bounce is a surname, so the singular counts only before an encoded address.
_ROBOT = re.compile(
    rf"(?:.*[-_.])?(?:{_NO_REPLY_NAMES})(?:[-_.].*)?"
    r"|(?:.*-)?bounces|listserv|majordomo"
)
_ENCODED_BOUNCE = re.compile(r"(?:.*-)?bounces\+.*|bounces?[-+].*=.*")
# The detail that a letter's reply address has after the local part. After a bare `-` or `.` only a token counts,
# because a player's address may contain these characters.
_DETAIL = re.compile(r"\+.*|[=_-]\d+(?:n\d+)?\.[a-z0-9]+")


def machine_sign(
    headers: Headers, subject: str, sender: str, own_addresses: frozenset[str]
) -> MachineSign | None:
    """Return what shows that a machine wrote the mail, or None (RFC 3834 §2, RFC 5230 §4.6, RFC 2369).

    `subject` is the decoded Subject. `sender` is the normal From address, or '' if there is none. `own_addresses` are
    the normal addresses of this service. They are recognised with any detail after a `+`, and with a token after
    another delimiter. If there are several signs, the first check that matches determines the result. Mails of takmail
    are checked first, then reports, then the other signs.
    """
    names = headers.names()
    if MACHINE_HEADER.lower() in names or any(_is_own_address(sender, own) for own in own_addresses):
        return MachineSign.OWN
    null_path = any("".join(value.split()) == "<>" for value in headers.all("return-path"))
    if _is_report(headers, names) or is_daemon(sender) or (null_path and is_failure_subject(subject)):
        return MachineSign.REPORT
    if is_challenge(headers, subject, sender):
        return MachineSign.CHALLENGE
    if any(first_word(value) not in ("", "no") for value in headers.all("auto-submitted")):
        return MachineSign.AUTO_SUBMITTED
    if null_path:
        return MachineSign.NULL_RETURN_PATH
    if any(first_word(value) in _BULK for value in headers.all("precedence")):
        return MachineSign.PRECEDENCE
    if _LIST & names:
        return MachineSign.LIST
    if has_automatic_header(headers):
        return MachineSign.AUTO_SUBMITTED
    return _weaker_sign(names, subject, sender)


def _weaker_sign(names: frozenset[str], subject: str, sender: str) -> MachineSign | None:
    """Return the sign of a machine in the Subject or the address, for a mail whose headers show none, or None."""
    if is_automatic_subject(subject):
        return MachineSign.OUT_OF_OFFICE
    # A person may begin a new mail with "Read: my thoughts".
    is_about_letter = tagged_game(subject) is not None or bool(_THREAD & names)
    if is_about_letter and _RECEIPT_SUBJECT.match(_folded(subject[:_MAX_SUBJECT_CHARS])):
        return MachineSign.RECEIPT
    if not sender:
        return MachineSign.NO_SENDER
    local = sender.rpartition("@")[0][:200]
    if _ROBOT.fullmatch(local.partition("+")[0]) or _ENCODED_BOUNCE.fullmatch(local):
        return MachineSign.NO_REPLY
    return None


def is_calendar(parts: Sequence[Part]) -> bool:
    """Return whether a calendar program wrote a mail of these parts: an invitation or the answer to one (RFC 6047)."""
    return any(
        one.kind == "text/calendar" and "method" in one.parameters and not one.attached for one in parts
    )


def is_daemon(sender: str) -> bool:
    """Return whether mail servers send reports from this normal address (RFC 5321 §4.5.1, RFC 3464 §2)."""
    return _DAEMON.fullmatch(sender.rpartition("@")[0]) is not None


def is_failure_subject(subject: str) -> bool:
    """Return whether a decoded Subject is typical of a report about a failed delivery."""
    return _FAILURE_SUBJECT.search(subject) is not None and not is_automatic_subject(subject)


def _is_report(headers: Headers, names: frozenset[str]) -> bool:
    kind, parameters = media_type(headers)
    return kind in _REPORTS or "report-type" in parameters or bool(_REPORT_HEADERS & names)


def _is_own_address(address: str, own: str) -> bool:
    """Return whether `address` is this service's address `own`, with or without a detail."""
    local, _, domain = own.rpartition("@")
    written, _, host = address.rpartition("@")
    if host != domain or not written.startswith(local):
        return False
    detail = written.removeprefix(local)
    return not detail or _DETAIL.fullmatch(detail) is not None
