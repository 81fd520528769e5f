"""Every message of every language can be worded, and every message that Python names is there with its parameters."""

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import TypeVar

import pytest
from jinja2 import nodes

import takmail
from takmail.blocks import message
from takmail.commands.profile import SETTINGS
from takmail.games.bots import BotName
from takmail.games.tak.wording.reasons import PARAMETERS
from takmail.letters.catalogue import ENGLISH, LOCALES, UNBROKEN, Speaker, environment, filters, folder_of
from takmail.letters.templates import Templates, folder
from takmail.vocabulary.chinese import TRADITIONAL
from takmail.world import tzinfo_of
from tests.support import translations
from tests.support.latin import english_in
from tests.support.tables import each_row
from tests.support.width import IS_WIDE, each_language

PACKAGE = Path(takmail.__file__).parent
CATALOGUE = Templates(folder())
ENGLISH_WORDS = CATALOGUE.words(ENGLISH)
COMMON = {"opponent", "service", "address", "today", "has_game", "is_guest", "new_players"}
"""The parameters that a letter gives to each message."""
SAID_TWICE: dict[str, str] = {}
"""Messages that have the parameters and the text of another one, and why: another language tells them apart."""
LANGUAGES = each_language(CATALOGUE.languages)
NAMES = ("Ben", 'Ada "the Rook" O\'Neil', "王小明", "Ольга Петрова")
NUMBERS = (0, 1, 2, 5, 21)
NAMED = (
    *("MIME", "winmail", "dat", "Outlook", "MiB", "KiB", "Downings", "Middletown", "Tarway", "TPS"),
    *("Start", "Setup", "pass", "caps", "rules", "calls", "score", "komi"),
)
"""Names, and words of records, that each language has without quotation marks."""
Part = TypeVar("Part", bound=nodes.Node)
_ALLOWED = (
    nodes.Macro,
    nodes.Output,
    nodes.TemplateData,
    nodes.Name,
    nodes.If,
    nodes.Compare,
    nodes.Operand,
    nodes.Const,
    nodes.Filter,
    nodes.Keyword,
    nodes.Not,
    nodes.And,
    nodes.Or,
    nodes.Mod,
    nodes.Tuple,
    nodes.List,
)


@cache
def macros(language: str, family: str = "*") -> list[nodes.Macro]:
    """Return the syntax trees of all macros of a language, or of one of its families."""
    return [macro for tree in _trees(language, family) for macro in tree.find_all(nodes.Macro)]


def _trees(language: str, family: str) -> Iterator[nodes.Template]:
    made = environment(language)
    for path in sorted((folder() / folder_of(language)).glob(f"{family}.jinja")):
        tree = made.parse(path.read_text(encoding="utf-8"))
        outside = [one for one in tree.body if not isinstance(one, nodes.Macro)]
        texts = [part for one in outside for part in one.find_all(nodes.TemplateData)]
        assert not "".join(part.data for part in texts).strip(), f"{path.name} has text outside of its macros"
        yield tree


@cache
def parts(macro: nodes.Macro, kind: type[Part]) -> list[Part]:
    """Return the nodes of a kind within a macro."""
    return [*macro.find_all(kind)]


def parameters(macro: nodes.Macro) -> list[str]:
    return [one.name for one in macro.args]


@cache
def package() -> dict[Path, str]:
    """Return the texts of the package's modules."""
    return {path.relative_to(PACKAGE): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}


def constants_of(text: str) -> set[str]:
    """Return the literals of a module that are text."""
    nodes = ast.walk(ast.parse(text))
    return {one.value for one in nodes if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def calls() -> Iterator[tuple[str, str, set[str]]]:
    """Yield where messages are named, each name, and the parameters that are given."""
    for path, text in package().items():
        # To parse all modules takes seconds, and few name a message.
        for node in ast.walk(ast.parse(text)) if "message(" in text else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "message":
                where = f"{path}:{node.lineno}"
                assert node.args, where
                for name in literals(node.args[0], where):
                    given = {one.arg for one in node.keywords if one.arg is not None}
                    yield where, name, given


def literals(node: ast.expr, where: str) -> Iterator[str]:
    """Yield the names that an expression may be: a literal, or a choice between literals."""
    if isinstance(node, ast.IfExp):
        yield from literals(node.body, where)
        yield from literals(node.orelse, where)
        return
    assert isinstance(node, ast.Constant), f"{where}: the name of a message is no literal"
    yield node.value


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_has_only_what_may_stand_in_it(language: str) -> None:
    for macro in macros(language):
        for node in parts(macro, nodes.Node):
            assert isinstance(node, _ALLOWED), f"{language} {macro.name}: {type(node).__name__}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_parameter_of_an_english_message_is_used(language: str) -> None:
    for macro in macros(language):
        used = {one.name for one in parts(macro, nodes.Name) if one.ctx == "load"}
        assert used <= set(parameters(macro)), f"{language} {macro.name}"
        if language == ENGLISH:
            assert used == set(parameters(macro)), macro.name


def test_each_named_message_exists_and_gets_its_parameters() -> None:
    for where, name, given in calls():
        assert name in ENGLISH_WORDS.macros, f"{where}: there is no message {name}"
        wanted = set(ENGLISH_WORDS.macros[name].arguments)
        assert wanted - COMMON <= given <= wanted, f"{where}: {name} takes {sorted(wanted)}"


def test_each_message_is_named_somewhere() -> None:
    """A page of help is found by its command or topic (tests/letters/test_help.py), a reason of Tak by its name."""
    names = {source.name for source in translations.sources(ENGLISH)}
    names -= {f"{keyword}_{what}" for keyword in SETTINGS for what in ("chosen", "told")}
    names -= {f"tak_{name.replace('-', '_')}" for name in PARAMETERS}
    for text in package().values():
        if names & {*re.findall(r'"(\w+)"', text)}:
            names -= constants_of(text)
    assert {name for name in names if not name.startswith(("help_", "summary_"))} == set()


def test_no_two_messages_say_the_same() -> None:
    """To change a sentence, one place is enough. What several games say alike is in the family `play`."""
    said: dict[tuple[frozenset[str], str], set[str]] = {}
    for one in translations.sources(ENGLISH):
        text = "".join(one.text.split())
        if len(one.text.split()) > 3 and one.name not in SAID_TWICE:
            said.setdefault((frozenset(one.parameters.split(", ")), text), set()).add(one.name)
    assert [names for names in said.values() if len(names) > 1] == []


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one not in (ENGLISH, TRADITIONAL)])
def test_a_language_has_all_messages_with_their_parameters_and_none_is_old(language: str) -> None:
    assert list(translations.faults(language)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_message_is_worded_with_whatever_parameters(language: str) -> None:
    words = CATALOGUE.words(language)
    for macro in macros(language):
        for values in islice(samples(macro), None if IS_WIDE else 3):
            text = words.macros[macro.name](**values)
            assert "None" not in text.split(), f"{language} {macro.name} {values}"
            assert "{" not in text, f"{language} {macro.name}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_has_the_same_plurals_in_each_message(language: str) -> None:
    """Only words that stand in two cases have others, such as «5 партий» and «в 5 партиях»."""
    forms: dict[str, set[tuple[tuple[str, str], ...]]] = {}
    for macro in macros(language):
        for one in parts(macro, nodes.Filter):
            if one.name == "plural":
                plurals = {form.key: counted_by(form.value) for form in one.kwargs}
                if not any("%" in words for words in plurals.values()):
                    forms.setdefault(plurals["one"], set()).add(tuple(sorted(plurals.items())))
    assert {word for word, plurals in forms.items() if len(plurals) > 1} <= {"партии"}


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != ENGLISH])
def test_no_message_has_english_words(language: str) -> None:
    """What a player reads in quotation marks may be typed so. The pages of help explain what is typed."""
    found = {}
    for macro in macros(language):
        text = " ".join(part.data for part in parts(macro, nodes.TemplateData))
        words = {*english_in(text)}.difference(NAMED)
        if words and not macro.name.startswith(("help_", "summary_")):
            found[macro.name] = words
    assert found == {}


def counted_by(form: nodes.Expr) -> str:
    """Return what a plural form says behind its number, whether that stands in the form or before it."""
    text = form.left if isinstance(form, nodes.Mod) else form
    return str(text.as_const()).removeprefix("%s ")


def samples(macro: nodes.Macro) -> Iterator[dict[str, object]]:
    """Yield parameters for a message, made from how it uses them: five of each at most, and few together."""
    values = {name: possible(macro, name) for name in parameters(macro)}
    tried = min(max(map(len, values.values()), default=1), 8)
    for at in range(tried):
        yield {name: some[at % len(some)] for name, some in values.items()}
    few = {name: some for name, some in values.items() if len(some) <= 12 and all(map(is_choice, some))}
    for chosen in product(*few.values()) if len(few) < 4 else ():
        yield {**{name: some[0] for name, some in values.items()}, **dict(zip(few, chosen, strict=True))}


def is_choice(value: object) -> bool:
    return isinstance(value, bool) or (isinstance(value, str) and value not in NAMES)


def possible(macro: nodes.Macro, name: str) -> list[object]:
    """Return values that a parameter may have, by what the message does with it."""
    if name == "today":
        return [datetime(2026, 11, 27, tzinfo=UTC)]
    compared = [
        option
        for one in parts(macro, nodes.Compare)
        if isinstance(one.expr, nodes.Name) and one.expr.name == name
        for operand in one.ops
        for option in constants(operand.expr)
    ]
    for one in parts(macro, nodes.Filter):
        if isinstance(one.node, nodes.Name) and one.node.name == name:
            match one.name:
                case "plural":
                    return list(NUMBERS)
                case "date" | "moment":
                    return [datetime(2026, 11, 27, 18, 5, tzinfo=UTC)]
                case "numbered":
                    return [[1], [1, 22], [1, 22, 333]]
                case "decimal":
                    return [0.5, 1, 2.25]
                case "quoted":
                    return [["ps a1"], ["ps a1", "pw a1"], ["ps a1", "pw a1", "pc a1"]]
                case "listed" | "listed_or" | "commas" | "semicolons":
                    return [["A1"], ["A1", "B2"], ["A1", "B2", "C3"]]
    if compared:
        return [*compared, *([2, 5] if isinstance(compared[0], int) else [])]
    if any(is_tested(one.test, name) for one in parts(macro, nodes.If)):
        shown = any(one.name == name for out in parts(macro, nodes.Output) for one in out.nodes
                    if isinstance(one, nodes.Name))  # fmt: skip
        return ["Ben", ""] if shown else [True, False]
    return list(NAMES)


def is_tested(test: nodes.Node, name: str) -> bool:
    return any(one.name == name for one in [test, *test.find_all(nodes.Name)] if isinstance(one, nodes.Name))


def constants(node: nodes.Expr) -> list[object]:
    if isinstance(node, nodes.Const):
        return [node.value]
    if isinstance(node, nodes.Tuple | nodes.List):
        return [one.value for one in node.items if isinstance(one, nodes.Const)]
    return []


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", '"ps a1", "pw a1" and "pc a1"'),
        ("ru", "«ps a1», «pw a1» и «pc a1»"),
        ("zh", "“ps a1”、“pw a1”和“pc a1”"),
        ("zh-hant", "「ps a1」、「pw a1」和「pc a1」"),
    ],
)
def test_a_list_of_lines_has_the_quotation_marks_of_the_language(language: str, words: str) -> None:
    made = filters(language)
    assert made["listed"](made["quoted"](("ps a1", "pw a1", "pc a1"))) == words.replace(
        " a1", f"{UNBROKEN}a1"
    )


FRIDAY = datetime(2026, 11, 27, 17, 0, 59, tzinfo=UTC)
NEW_YEAR = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)
REPEATED, HOUR = datetime(2026, 11, 1, 4, 0, tzinfo=UTC), timedelta(hours=1)


@each_row(
    ("language", "at", "zone", "words"),
    [
        ("en", FRIDAY, "Europe/Berlin", "Friday 27 November, 18:00"),
        ("ru", FRIDAY, "Europe/Berlin", "27 ноября (пятница), 18:00"),
        ("zh", FRIDAY, "Europe/Berlin", "11月27日星期五18:00"),
        ("zh-hant", FRIDAY, "Europe/Berlin", "11月27日星期五18:00"),
        ("en", FRIDAY, "+1000", "Saturday 28 November, 03:00"),
        ("ru", FRIDAY, "-0330", "27 ноября (пятница), 13:30"),
        ("en", NEW_YEAR, "Europe/Berlin", "Friday 1 January 2027, 00:30"),
        ("ru", NEW_YEAR, "Europe/Berlin", "1 января 2027 года (пятница), 00:30"),
        ("zh", NEW_YEAR, "Asia/Shanghai", "2027年1月1日星期五07:30"),
        # The letter is of 27 March, and summer time begins on the next day.
        ("en", datetime(2026, 3, 28, 17, tzinfo=UTC), "Europe/Berlin", "Saturday 28 March, 18:00"),
        ("en", datetime(2026, 3, 29, 17, tzinfo=UTC), "Europe/Berlin", "Sunday 29 March, 19:00"),
        # Summer time ends, and the clock shows half past one twice.
        ("en", REPEATED, "America/St_Johns", "Sunday 1 November, 01:30 UTC-02:30"),
        ("ru", REPEATED + HOUR, "America/St_Johns", "1 ноября (воскресенье), 01:30 UTC-03:30"),
        ("zh", REPEATED, "America/St_Johns", "11月1日星期日01:30（UTC-02:30）"),
        ("en", REPEATED + 2 * HOUR, "America/St_Johns", "Sunday 1 November, 02:30"),
        ("en", datetime(2028, 2, 29, 23, 59, tzinfo=UTC), "Asia/Kolkata", "Wednesday 1 March 2028, 05:29"),
        ("en", NEW_YEAR, None, "Thursday 31 December, 23:30 UTC"),
        ("ru", NEW_YEAR, None, "31 декабря (четверг), 23:30 UTC"),
        ("zh", NEW_YEAR, "+0000", "12月31日星期四23:30（UTC）"),
        ("en", NEW_YEAR, "UTC", "Thursday 31 December, 23:30 UTC"),
        ("en", NEW_YEAR, "Europe/London", "Thursday 31 December, 23:30"),
    ],
)
def test_a_time_is_that_of_the_readers_clock(
    language: str, at: datetime, zone: str | None, words: str
) -> None:
    today = datetime(2026, 3, 27, 12, tzinfo=UTC).astimezone(tzinfo_of(zone))
    assert filters(language)["moment"](at, today) == words


@pytest.mark.parametrize(
    ("language", "strong", "engine"),
    [
        ("en", "Bot strong", "Bot tiltak"),
        ("ru", "Бот Сильный", "Бот tiltak"),
        ("zh", "电脑“很强”", "电脑“tiltak”"),
        ("zh-hant", "電腦「很強」", "電腦「tiltak」"),
    ],
)
def test_a_bot_has_a_name_in_each_language_and_a_person_does_not(
    language: str, strong: str, engine: str
) -> None:
    words, bot = CATALOGUE.words(language), BotName.of("strong")
    assert [words.name(name) for name in (bot, BotName.of("tiltak"), "Bot strong")] == [
        strong,
        engine,
        "Bot strong",
    ]
    assert strong in words.text(message("label_stronger_bot", name=bot), {})
    assert strong in Speaker(words, {}).about(bot).text(message("bot_is_thinking"))


def test_each_language_has_a_locale_and_a_folder() -> None:
    assert set(CATALOGUE.languages) <= set(LOCALES)
