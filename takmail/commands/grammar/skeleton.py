"""Compute the skeleton of a name. Names that look alike have the same skeleton.

The algorithm is that of UTS #39 ("Confusable Detection") with two differences:

* Case is ignored. A Greek or Cyrillic letter is therefore replaced by the letter that its capital looks like.
* The table has only alphabets in which a whole word can look Latin, because names must not mix alphabets.
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
_EQUIVALENT = {"0": "o", "1": "l", "i": "l", "m": "rn", "w": "vv", "æ": "ae", "œ": "oe"}
"""Characters, each with the text that it counts as.

A small L, a capital i and the digit one look alike in either case.
"""
_LATIN = str.maketrans(
    {foreign: latin for latin, letters in _LOOK_LIKE.items() for foreign in letters} | _LIKE_KATAKANA
)
_FOLDED = str.maketrans(_EQUIVALENT)
_INVISIBLE = re.compile(
    "[\u02b0-\u02ff\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters and marks that are invisible or look at most like an apostrophe."""
_OVERLAY, _ABOVE_OR_BELOW = 1, 200
"""Unicode combining classes: that of strokes through a letter, and the lowest one of marks above and below a letter."""


def skeleton(name: str) -> str:
    """Return the skeleton of a name: each letter and digit of it is replaced by the plainest one that it resembles.

    Accents, spaces and other signs are ignored, because readers hardly notice them. Vowel signs of Indian alphabets are
    letters and count. A name without letters and digits has the skeleton ''.
    """
    folded = _without_marks(unicodedata.normalize("NFKC", name).casefold())
    plain = _without_marks(folded.casefold()).translate(_LATIN).translate(_FOLDED)
    seen = _INVISIBLE.sub("", plain)
    return "".join(c for c in seen if unicodedata.category(c)[0] in "LMN")


def _without_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not _is_accent(c))


def _is_accent(letter: str) -> bool:
    combining = unicodedata.combining(letter)
    return combining == _OVERLAY or combining >= _ABOVE_OR_BELOW
