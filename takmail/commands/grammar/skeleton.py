"""The skeleton of a name: names that could be taken for each other have the same one.

After Unicode's own way (UTS #39, "Confusable Detection"), with two differences. Case makes no difference, so a letter
counts as what its capital looks like, where that is a Greek or Cyrillic one. And of its table only those alphabets
are here from which a whole word can be made that looks like a Latin one: a word of several alphabets is no name at all.
"""

import re
import unicodedata

_LOOK_LIKE = {
    "2": "ƨƻϩᒿꙅꝛ",
    "3": "ȝɜʒзҙӡⲝⳅⳍꝫ𑣊𖼻",
    "4": "Ꮞ𑣏",
    "5": "𑣛",
    "6": "Ꮾⳓⳝ𑣕",
    "7": "𑣆",
    "8": "ȣ𐌚",
    "9": "ⳋꝯ𑣌𑣖",
    "a": "ɑαаᎪᗅꓮ𐊠𖽀ᴀ",
    "b": "ƀƃƅɓβбвьѣҍᏏᏴᑲᑳᖯᗷⲃꓐꞵ𐊂𐊡𐌁ʙ",
    "c": "ȼсҫᏟᴄⲥꓚ𐊢𐌂𐔜",
    "d": "ðđƌɖɗԁᎠᏧᑯᗞᗪꓒꓓᴅ",
    "e": "ɇεеҽҿᎬⴹꓰꬲ𐊆𑣎ᴇ",
    "f": "ƒϝքᖴᵮẝꓝꞙꬵ𐊇𐊥𐔥𑣂",
    "g": "ƍǥɠɡԍցᏀᏳᶃꓖɢ",
    "h": "ħɦηнћңһӈӊհᎻᏂᏲᕼⱨⲏꓧꚕ𐋏ʜ",
    "j": "ɉʝϳјᎫᒍꓙᴊ",
    "k": "ƙκкқҟᏦⱪⲕꓗꝁ𐔘ᴋ",
    "l": "ıłƚǀɨɩɪɫɭιіӏւᎥᏞᒪᣳᵻᵼⲓⳑⵏꓡꓲꙇ𐊊𐌉𐔦𑣃𑣒𖼖𖼨ʟ",
    "m": "μϻмӎᎷᗰⲙꓟꭑ𐊰𐌑ᴍ",
    "n": "ŋƞɲɳνղոռᵰⲛꓠ𐔓ɴ",
    "o": "øɵθοσϭоѳөօᎾᏫᴏᴑⲑⲟⴱⵁⵔꓳꝋꬽꬾ𐊒𐊫𐔖𑣈𑣗",
    "p": "þƥƿρϸрᏢᑭᣖᵽⲣⳏꓑ𐊕ᴘ",
    "q": "ʠԛգզⵕ",
    "r": "ɍɼɽʀгғᎡᏒᖇᣴᴦᵲⲅꓣꭇꭈ𖼵",
    "s": "ƽʂѕտᏕᏚᣵᵴꓢꜱ𐊖𑣁𖼺",
    "t": "ŧƫƭʈτтҭᎢᵵⱦⲧꓔ𐊗𐊱𐌕𖼊",
    "u": "ʉʋџսᏌᑌᴜᵾꓴꞟꭎꭒ𑣘𖽂",
    "v": "ѵᏙᐯᴠⴸꓦ𐔝𑣀𖼈",
    "w": "ɯшѡѽԝաᎳᏔᴡⲽꓪꝡ",
    "x": "χхҳᕁᕽⲭⵝꓫꭓ𐊐𐊴𐌗𐔧",
    "y": "ƴɏɣʏγυуүұᎩᎽᶌỿⲩꓬꭚ𐊲𑣜𖽃",
    "z": "ƶȥʐζᏃᙆᴢᵶꓜ𑣄𑣉",
}
_LIKE_KATAKANA = dict(zip("力口二夕工卜八へ一", "カロニタエトハヘー", strict=True))
_ONE_FOR_ANOTHER = {"0": "o", "1": "l", "i": "l", "m": "rn", "w": "vv", "æ": "ae", "œ": "oe"}
"""A small L, a capital i and a one are alike, so all three letters are, whatever their case."""
_LATIN = str.maketrans(
    {foreign: latin for latin, letters in _LOOK_LIKE.items() for foreign in letters} | _LIKE_KATAKANA
)
_FOLDED = str.maketrans(_ONE_FOR_ANOTHER)
_UNSEEN = re.compile(
    "[\u02b0-\u02ff\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing, or no more than an apostrophe."""
_OVERLAY, _ABOVE_OR_BELOW = 1, 200
"""Combining classes: strokes through a letter, and the least of those above and below it."""


def skeleton(name: str) -> str:
    """What all names share that look like this one: its letters and digits, as the plainest ones that they resemble.

    Accents, spaces and other signs make no difference, as readers hardly see them; vowel signs of Indian
    alphabets do, as they are letters. '' for a name without a letter or digit.
    """
    folded = _without_marks(unicodedata.normalize("NFKC", name).casefold())
    plain = _without_marks(folded.casefold()).translate(_LATIN).translate(_FOLDED)
    seen = _UNSEEN.sub("", plain)
    return "".join(c for c in seen if unicodedata.category(c)[0] in "LMN")


def _without_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not _is_accent(c))


def _is_accent(letter: str) -> bool:
    combining = unicodedata.combining(letter)
    return combining == _OVERLAY or combining >= _ABOVE_OR_BELOW
