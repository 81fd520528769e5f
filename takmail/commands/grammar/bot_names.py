"""Read whom a player wants to play who plays against a bot: `bot`, `bot easy`, `the computer`, `сильный бот`."""

from takmail.vocabulary import table, words_of

BOT = "bot"
"""The word for any bot. It begins the plain form of a bot's name, as in `bot easy`."""


def bot_in(words: str) -> str | None:
    """Return the name of the bot that these words mean, '' if any bot is meant, None if none is.

    They have a word for a bot, and perhaps its name before or behind it.
    """
    known, named = table("bots"), list[str]()
    for word in words.split():
        parts = words_of(word)
        if known.meaning(word) is None and parts and all(map(known.meaning, parts)):
            named += parts  # Chinese words with no space between them
        elif table("fillers").meaning(word) is None:
            named.append(word)
    meanings = [known.meaning(word) or word for word in named]
    return " ".join(word for word in meanings if word != BOT) if BOT in meanings else None


def is_bot_word(word: str) -> bool:
    """Return whether a word in lower case means a bot."""
    return table("bots").meaning(word) == BOT
