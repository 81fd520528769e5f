"""The closed list of words with which people describe a move of Tak, in English, Russian and Chinese.

A text that has a square and otherwise only these words says no more than a move. Russian words are matched by stem
because they have many forms. Chinese words are matched by character. All entries are in lower case.
"""

import re

from takmail.games.tak.board import Direction
from takmail.games.tak.pieces import Kind

_ENGLISH_WORDS = """
i i'd i'll ill think guess will do shall gonna wanna want me my mine let let's lets please pls plz ok okay so
hm hmm yes yeah no sure mean meant instead rather a an the it them one's and then here here's now next first
turn ply answer reply place places placed placing placement put puts putting set sets setting lay lays laying
laid play plays played playing drop drops dropped dropping choose try trying build building move moves moved
moving go goes going step steps slide slides sliding shift shifts take takes taking pick picks picked picking
grab grabs lift lifts carry carries carrying leave leaves leaving capture captures capturing crush crushes
crushing cover covers covering stack stacks stacking spread spreads spreading split pile tower flat flats
flatstone flatstones flatten flattens flattening wall walls standing cap caps capstone capstones stone stones
piece pieces tile tiles road roads tak tac tinue top bottom white black all whole entire rest square squares
space spaces field spot cell position row column corner direction on onto at to from in into of off over by
with toward towards up down left right upward upwards downward downwards north south east west northern
southern eastern western northward northwards southward southwards eastward eastwards westward westwards n s e
w v x t f c b ptn p m ps pw pc pf mn ms mw
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_PHRASES = re.compile(
    r"(?<!\w)(?:(?:here|move|turn|ply|answer|reply) is|this is my|it(?: is|'s)|well(?=[,.:])"
    r"|your (?:turn|go)|твоя очередь|ваша очередь|теперь (?:ты|вы)"
    r"|(?:your move|твой ход|ваш ход)(?= *(?:[^\w ]|now|next|then|теперь|$))"
    r"|over to you|you(?:'re| are) (?:up|to move)"
    r"|i(?:'d| would) like(?: to)?|i(?:'m| am)(?= (?:placing|putting|moving|playing|dropping|going|taking)))(?!\w)"
)
"""Phrases that may introduce a move. In other places their words mean more, as in `c3 is a wall` and `your c3`."""
_CHINESE_PHRASES = re.compile(
    "(?:[轮輪]到|[该該]|到)(?:你|您)(?:走|下)?了?|(?:你|您)的回合|[觉覺]得|[认認][为為]"
)

_RUSSIAN = re.compile(
    r"я|мы|мне|тебе|вам|мо[йеёяю]|мои[мх]?|мо[её]й|моего|пожалуйста|плиз|итак|так|ок|да|нет|лучше|вместо|ну|вот|это|его|е[её]|их|а|и|затем|потом"
    r"|теперь|тогда|сначала|думаю|полагаю|кажется|хочу|буду|будет|давай|пусть"
    r"|в|во|на|с|со|из|от|до|к|ко|по|за|для|через|под|над|сверху|снизу|один|одну|одна|одно|два|две|три|четыре|пять"
    r"|(?:по|вы|рас|пере|при|до|со|у)?став(?:ь|ьте|ить|лю|лял?а?|ил?а?|им|ишь|ите|ляю|лять|ляем|ка|ку)?"
    r"|(?:по|вы|рас|пере|до|у)?(?:лож(?:у|ить|ила?|им|ите|и)|кла(?:ду|сть|л|ла|д[её]м|ди))"
    r"|(?:по|с|пере|вы)?(?:хо(?:жу|дить|дила?|дим|ди|д|да|ду|дом|де|ды)|йду|йти|шла?|ш[её]л)|иду|идти|ид[её]м"
    r"|(?:пере|по|с|за|про)?дви(?:гаю|гать|гаем|гала?|гай|жение|нуть|ну|нем|нула?)"
    r"|перемест(?:ить|им|ила?)|перемещ(?:аю|у|ать|аем|ение)|(?:сы|по)?игра(?:ю|ть|ем|ла?)"
    r"|бер(?:у|[её]м)|вз(?:ять|яла?)|возьму|сн(?:имаю|ять|иму|яла?)|бро(?:саю|сить|шу)|остав(?:ляю|ить|лю|ила?)|строю|строить"
    r"|кам(?:ень|ня|ню|нем|не|ни|ней|ням|нями)|фиш(?:к[аиуе]|ек|кой|ками)|фигур(?:[аыуе]|ой|ами)?|плит(?:к[аиуе]|кой|[ауы]|ой)"
    r"|плоск(?:ий|ая|ую|ое|им|ой|ого|ие|их)|лежач(?:ий|ая|ую|его|им)|флэт(?:ом|а)?|флет(?:ом|а)?|плашмя|плашк[аиуе]"
    r"|сте(?:н[аыуе]|ной|нк[аиуе]|нкой|ночку)|стоя(?:чий|чая|чую|щий|щую|чего|щего|чим|щим)|вертикальн(?:ый|ую|ая|ого|о)"
    r"|к[аэе]п(?:а|у|ом|ой)?|к[аэе]пст[ао]у?н(?:а|у|ом)?|замков(?:ый|ого|ым|ом)|колпак(?:а|ом)?|шапк[ауои]й?"
    r"|ст[оэе](?:пк[аиуе]|пкой|пок|к|ка|ки)|башн(?:я|и|ю|ей)|куч(?:а|у|и|ей)"
    r"|дорог(?:а|у|и|е|ой)|клет(?:к[аиуе]|ку|ок)|пол(?:е|я|ю)|верхн(?:ий|юю|их|ие)|вс[еёя]|весь|всю|бел(?:ый|ую|ого|ым)|ч[её]рн(?:ый|ую|ого|ым)"
    r"|север(?:а|у|нее)?|юг(?:а|у)?|южнее|восток(?:а|у)?|восточнее|запад(?:а|у)?|западнее"
    r"|вверх|вниз|влево|вправо|налево|направо"
)

_CHINESE = frozenset(
    "我请請把将將个個的在到于於从從由从往向朝至去走移动動放下落置摆擺搁擱拿取起提捡撿留"
    "平立站竖豎直墙牆壁帽冠王盖蓋拱角基顶頂石头頭棋子块塊片颗顆枚堵面堆叠疊塔普通特殊白黑"
    "上左右东東西南北方边邊格位里裡处處步手着著这這那是了和与與然后後再先吧就想一二两兩三四五六七八路道号回合推翻压壓全部"
)
IDEOGRAPH = "\u2e80-\u9fff\uf900-\ufaff"
"""The range of Chinese characters, for use in a regular expression."""

_NUMBERS = {
    **dict(zip(["one", "two", "three", "four", "five", "six", "seven", "eight"], "12345678", strict=True)),
    **dict(zip(["один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь"], "12345678", strict=True)),
    **dict(
        zip(["одну", "две", "трех", "четырех", "пяти", "шести", "семи", "восьми"], "12345678", strict=True)
    ),
    **dict(zip("一二三四五六七八两兩", "1234567822", strict=True)),
}
_NUMBER = re.compile(rf"(?<![^\W{IDEOGRAPH}])(?:{'|'.join(_NUMBERS)})(?![^\W{IDEOGRAPH}])")

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")

LATIN = {
    **dict(zip("абвгдефсцнкх", "abbgdefcchkx", strict=True)),
    **dict(zip("αβγδεζη", "abgdefh", strict=True)),
}
"""The letter of a square for a letter of another alphabet that is similar by look or sound."""

KINDS = {
    Kind.FLAT: re.compile(
        r"(?<!\w)(?:flats?|flatstones?|f|pf|ps|плоск\w+|плашмя|лежач\w+|фл[эе]т\w*)(?!\w)|平"
    ),
    Kind.WALL: re.compile(
        r"(?<!\w)(?:walls?|standing|pw|стен\w+|стоя[чщ]\w+|вертикальн\w+)(?!\w)|[墙牆壁竖豎立站]"
    ),
    Kind.CAPSTONE: re.compile(
        r"(?<!\w)(?:caps?|capstones?|c|pc|к[аэе]п|к[аэе]п[аус]\w*|замков\w+|колпак\w*|шапк\w+)(?!\w)|[帽冠王盖蓋]|[顶頂]石|特殊"
    ),
}
"""The words for each kind of piece."""

DIRECTIONS = {
    Direction.NORTH: re.compile(r"(?<!\w)(?:north\w*|n|mn|север\w*|вверх|up\w*)(?!\w)|北|[向往]上"),
    Direction.SOUTH: re.compile(r"(?<![\w'])(?:south\w*|s|ms|v|юг\w*|южнее|вниз|down\w*)(?!\w)|南|[向往]下"),
    Direction.EAST: re.compile(r"(?<!\w)(?:east\w*|e|восто\w+|вправо|направо|right)(?!\w)|[东東右]"),
    Direction.WEST: re.compile(r"(?<!\w)(?:west\w*|w|mw|запад\w*|влево|налево|left)(?!\w)|[西左]"),
}
"""The words for each direction."""

NO_WAY = re.compile(r"(?<!\w)(?:pick|put|set|lay|take|lift)\w*(?: it| them)? (?:up|down)(?!\w)")
"""Verbs with an `up` or `down` that is no direction."""

PLACING = re.compile(
    r"(?<!\w)(?:plac(?:e|ing)|put|set|lay|laid|drop|build|(?:по|вы|рас)?став|(?:по|вы|рас)?(?:лож|кла[дс])|бро[сш]|стро)|[放落置摆擺]"
)
"""Words that mean a placement from the reserve."""

MOVING = re.compile(
    r"(?<!\w)(?:(?<!my )(?<!your )(?<!next )(?<!the )mov(?:e|es|ing)(?!\w| is|:)"
    r"|slid|shift|pick|lift|carr|spread|from(?!\w)|(?:пере|по|с|за|про)?дви[гн]|переме[сщ])|[移动動从從拿取捡撿]"
)
"""Words that mean a move of a stack."""


def says_more(text: str) -> bool:
    """Return whether a lower-case text without its squares has a word that isn't in the list."""
    text = _CHINESE_PHRASES.sub(" ", _PHRASES.sub(" ", text))
    return not all(map(_is_known, _WORD.findall(text)))


def _is_known(word: str) -> bool:
    return word in _ENGLISH or _CHINESE.issuperset(word) or _RUSSIAN.fullmatch(word) is not None


def with_digits(text: str) -> str:
    """Return the text with the numerals from one to eight replaced by digits."""
    return _NUMBER.sub(lambda word: _NUMBERS[word[0]], text)
