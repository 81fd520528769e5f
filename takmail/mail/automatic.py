"""Telling a mail that a machine wrote from one that a person wrote."""

import re
import unicodedata

from takmail.mail.headers import Headers, first_word, media_type, words_decoded
from takmail.mail.letter import MACHINE_HEADER
from takmail.mail.message import MachineSign

_LOOKED_AT = 120
"""Characters of a Subject that are looked at: what makes it an automatic one stands at its start."""

# Begin a Subject, whatever follows the word: nobody starts a mail of their own with them.
_AUTOMATIC = """
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
# These may begin what a person writes ("Out of the office on Friday"), so they count only with a colon, a bracket
# or a dash behind them, or with nothing.
_AWAY = """
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
    """Without case, accents and width, as programs write "Reponse automatique" or a wide colon, too."""
    spread = unicodedata.normalize("NFKD", text)
    return "".join(c for c in spread if not unicodedata.combining(c)).casefold().replace("ı", "i")


def _phrases(listed: str) -> str:
    """The phrases of a list above as one expression; a hyphen may stand for a space."""
    found = {_folded(phrase.strip()) for line in listed.splitlines() for phrase in line.split("|")} - {""}
    return "|".join(
        re.escape(phrase).replace(r"\ ", "[ -]") for phrase in sorted(found, key=len, reverse=True)
    )


# A gateway in front of the mailbox may have put a mark of its own before the Subject.
_MARK = r"(?:\[(?:ext|extern|external|external email|spam)\]:? ?)?[\W_]*"
# Scripts written without spaces have no word ends, and `\b` sees none in them.
_END = r"(?![a-z\u0370-\u052f])"
_BEGINS = re.compile(
    rf"{_MARK}(?:(?:{_phrases(_AUTOMATIC)}){_END}"
    # Sieve's own Subject is "Auto: " and the one that it found (RFC 5230 §5.3); Lotus Notes has it, too.
    r"|auto:"
    rf"|(?:{_phrases(_AWAY)})[\])}}*\"'. ]*(?:[:(\u2013\u2014]|- |$))"
)


def is_automatic_subject(subject: str) -> bool:
    """Whether a decoded Subject begins as those of out-of-office notes do.

    "Re: Automatic reply: …" doesn't: a program puts its phrase in front of the Subject that it found, so what
    has a "Re:" before it was answered by a person, and at worst it is one answer too many.
    """
    return _BEGINS.match(_folded(subject[:_LOOKED_AT])) is not None


_SUPPRESSED = frozenset({"", "no", "none", "false", "0"})
_MARKED = (
    *("x-autoreply", "x-auto-reply", "x-autoreply-from", "x-auto-reply-from", "x-mail-autoreply"),
    *("x-autorespond", "x-autoresponder", "x-autoresponse", "x-auto-response", "x-auto-submitted"),
    *("x-vacation", "x-webmin-autoreply", "x-cron-env"),
)
# X-Auto-Response-Suppress and Feedback-ID are no signs: Outlook and Fastmail put them on what people write. Nor
# are X-Loop and X-MS-Exchange-Inbox-Rules-Loop: they tell that a rule has passed a mail on, and a mail to this
# service may well come in through such a rule.
_VALUES = {
    "x-fc-machinegenerated": re.compile(r"true|yes|1"),
    "x-post-messageclass": re.compile(r"9; ?autoresponder.*"),
    "x-precedence": re.compile(r"bulk|junk|list|auto[_-]?reply"),
    "preference": re.compile(r"auto[_-]?reply"),
    "delivered-to": re.compile(r"autoresponder"),
    "x-mailer": re.compile(r".*\bauto-?respon.*|vacation\b.*"),
    # CommuniGate marks so what it passes on, too: Forward, Mirror and Redirect carry a person's words.
    "x-autogenerated": re.compile(r"(?!no\b|forward|mirror|redirect).+"),
}


def has_automatic_header(headers: Headers) -> bool:
    """Whether one of the headers is there that answering programs set besides, or instead of, Auto-Submitted."""
    if any(first_word(value) not in _SUPPRESSED for name in _MARKED for value in headers.all(name)):
        return True
    for name, pattern in _VALUES.items():
        if any(pattern.fullmatch(value[:200].strip().lower()) for value in headers.all(name)):
            return True
    # Exchange's rules answer, but they redirect, too; a redirected mail has Resent-From (RFC 5322 §3.6.6).
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
# TMDA's X-Delivery-Agent stands on its users' own mails, too; the address that takes a confirmation doesn't.
_TMDA_ADDRESS = re.compile(
    r"[-+]confirm-(?:[a-z]{1,20}\.)?\d{1,15}\.\d{1,10}\.[0-9a-f]{4,40}@", re.IGNORECASE
)


def is_challenge(headers: Headers, sender: str) -> bool:
    """Whether a mail from the normal address `sender` wants its reader to prove to be a person."""
    if _CHALLENGERS & headers.names() or headers.first("message-id").strip().endswith("-tmda-confirm>"):
        return True
    if any(_TMDA_ADDRESS.search(headers.first(name)[:1000]) for name in ("from", "reply-to")):
        return True
    if "mailinblack" in media_type(headers)[1].get("boundary", "").lower():
        return True
    senders = (sender, headers.first("return-path").strip(" <>").lower())
    if any(_CHALLENGE_FROM.fullmatch(sender[:400]) for sender in senders):
        return True
    subject = words_decoded(headers.first("subject"))[:_LOOKED_AT]
    return _CHALLENGE_SUBJECT.match(subject.lower()) is not None


_BULK = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply", "autoreply"})
_LIST = frozenset(
    f"list-{name}" for name in ("id", "post", "unsubscribe", "help", "subscribe", "owner", "archive")
) | {"mailing-list", "x-mailing-list"}
# Exchange reports from microsoftexchange and 32 hexadecimal digits.
_DAEMON = re.compile(r"mail(?:er)?[-_.]?d(?:ae|ea)mon|mdaemon|postmaster|microsoftexchange[0-9a-f]{32}")
_REPORTS = frozenset(
    f"message/{kind}{what}"
    for kind in ("", "global-")
    for what in ("delivery-status", "disposition-notification")
) | {"multipart/report"}
_REPORT_HEADERS = frozenset({"x-failed-recipients", "x-ms-embedded-report"})
_FAILS = re.compile(
    r"undeliver|non-?deliver|failure notice|returned (?:mail|to sender)|returning message to sender"
    r"|not (?:be )?delivered|(?:mail|message|delivery)\b.{0,20}\bfail|fail\w*\b.{0,20}\bdeliver"
    r"|delivery (?:problem|error|status)|unzustellbar|nicht zugestellt|non (?:remis|distribu)"
    r"|échec de (?:la )?remise|no se (?:ha )?(?:pudo|podido) entregar|mancat[ao] (?:consegna|recapito)"
    r"|onbestelbaar|недоставлен|не доставлен",
    re.IGNORECASE,
)
_NEVER_READ = (
    r"no[-_.]?repl(?:y|ies)|(?:do|does)[-_.]?not[-_.]?reply|dont[-_.]?reply|no[-_.]?response"
    r"|nicht[-_.]?antworten|keine[-_.]?antwort|ne[-_.]?pas[-_.]?repondre|nepasrepondre"
    r"|no[-_.]?responder|nao[-_.]?respond(?:a|er)|non[-_.]?rispondere"
    r"|auto[-_.]?(?:reply|responder|respond)|automated[-_.]response"
)
# Nobody is called so, but Bounce is a name: in the singular it counts only with an address encoded behind it.
_ROBOT = re.compile(
    rf"(?:.*[-_.])?(?:{_NEVER_READ})(?:[-_.].*)?"
    r"|(?:.*-)?bounces|listserv|majordomo"
)
_ENCODED_BOUNCE = re.compile(r"(?:.*-)?bounces\+.*|bounces?[-+].*=.*")
# What a letter's reply address has behind the own one; a bare `-` or `.` may well stand in a player's address.
_DETAIL = re.compile(r"\+.*|[=_-]\d+\.[a-z0-9]+")


def machine_sign(headers: Headers, sender: str, own_addresses: frozenset[str]) -> MachineSign | None:
    """What shows that a machine wrote the mail, None if nothing does (RFC 3834 §2, RFC 5230 §4.6, RFC 2369).

    `sender` is the normal From address ('' if there is none), `own_addresses` are normal ones of this
    service; they are known with any detail behind a `+`, and with a token behind another delimiter, too.
    Where several signs are there, the first one here counts: our own, then a report, then the others.
    """
    names = headers.names()
    if MACHINE_HEADER.lower() in names or any(_is(sender, own) for own in own_addresses):
        return MachineSign.OWN
    null_path = any("".join(value.split()) == "<>" for value in headers.all("return-path"))
    subject = words_decoded(headers.first("subject"))
    if _is_report(headers, names) or is_daemon(sender) or (null_path and tells_of_failure(subject)):
        return MachineSign.REPORT
    if is_challenge(headers, sender):
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
    return _weaker_sign(subject, sender)


def _weaker_sign(subject: str, sender: str) -> MachineSign | None:
    """What shows a machine that hides: its Subject, its address."""
    if is_automatic_subject(subject):
        return MachineSign.OUT_OF_OFFICE
    if not sender:
        return MachineSign.NO_SENDER
    local = sender.rpartition("@")[0][:200]
    if _ROBOT.fullmatch(local.partition("+")[0]) or _ENCODED_BOUNCE.fullmatch(local):
        return MachineSign.NO_REPLY
    return None


def is_daemon(sender: str) -> bool:
    """Whether a normal address is one that mail servers report from (RFC 5321 §4.5.1, RFC 3464 §2)."""
    return _DAEMON.fullmatch(sender.rpartition("@")[0]) is not None


def tells_of_failure(subject: str) -> bool:
    """Whether a decoded Subject is one of those under which mail servers bring letters back."""
    return _FAILS.search(subject) is not None and not is_automatic_subject(subject)


def _is_report(headers: Headers, names: frozenset[str]) -> bool:
    kind, parameters = media_type(headers)
    return kind in _REPORTS or "report-type" in parameters or bool(_REPORT_HEADERS & names)


def _is(address: str, own: str) -> bool:
    """Whether an address is our own one, with a detail or without."""
    local, _, domain = own.rpartition("@")
    written, _, host = address.rpartition("@")
    if host != domain or not written.startswith(local):
        return False
    detail = written.removeprefix(local)
    return not detail or _DETAIL.fullmatch(detail) is not None
