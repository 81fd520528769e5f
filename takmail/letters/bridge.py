"""Let the templates that are not blocks yet use messages and blocks. It goes when all letters are made of blocks."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from jinja2 import Environment, pass_context
from jinja2.runtime import Context

from takmail.blocks import (
    Block,
    Button,
    Buttons,
    Cells,
    Code,
    Columns,
    Drawing,
    Indented,
    Items,
    Lines,
    Link,
    Message,
    Only,
    Page,
    Paragraph,
    Quote,
    Rule,
    Side,
    Small,
    SmallButtons,
    SmallLinks,
    Texts,
    paragraph,
)
from takmail.games.registry import GAMES
from takmail.letters import markup
from takmail.letters.answers.builders import answer_blocks
from takmail.letters.answers.doubts import what_is_wrong, what_may_be_meant
from takmail.letters.catalogue import ENGLISH, UNBROKEN, Catalogue, Words, page_blocks
from takmail.letters.kinds import accounts, broken, invitations
from takmail.letters.layout import columns, described, fill, unbroken
from takmail.letters.news_blocks import NEWS
from takmail.letters.parts import ending, mail
from takmail.letters.parts.below import below, in_step
from takmail.letters.parts.board import board, board_in_text, board_rows
from takmail.letters.parts.matches import match_sentences
from takmail.letters.parts.next_steps import next_steps
from takmail.letters.parts.offers import agreed, given_up, lapsed_offers, offered
from takmail.letters.parts.proposals import proposed_boards
from takmail.letters.parts.terms import what_this_is
from takmail.letters.parts.touch import touch, yes_or_no
from takmail.letters.parts.turns import move_played, other_runs, played, way_back
from takmail.letters.parts.two_boards import two_boards
from takmail.letters.parts.verdicts import not_changed, proof, verdict
from takmail.letters.parts.words import words_told
from takmail.letters.reader import Reader
from takmail.world import NewPlayers, Standing

PARTS: dict[str, Callable[..., Any]] = {
    "board": board,
    "address_was_read": mail.address_was_read,
    "below": below,
    "board_in_text": board_in_text,
    "board_rows": lambda reader: (board_rows(reader),),
    "coins": ending.coins,
    "given_up": given_up,
    "in_step": in_step,
    "last_answer": mail.last_answer,
    "lapsed_offers": lapsed_offers,
    "next_steps": next_steps,
    "match": lambda reader, match: paragraph(*match_sentences(reader, match)),
    "offered": offered,
    "only_answers": mail.only_answers,
    "opponents_words": mail.opponents_words,
    "outcome": ending.outcome,
    "play_again": ending.play_again,
    "played": played,
    "agreed": agreed,
    "move_played": move_played,
    "not_changed": not_changed,
    "other_runs": other_runs,
    "proof": proof,
    "proposed_boards": proposed_boards,
    "two_boards": two_boards,
    "verdict": verdict,
    "way_back": way_back,
    "what_is_wrong": what_is_wrong,
    "what_may_be_meant": what_may_be_meant,
    "words_told": words_told,
    "record": ending.record,
    "score": ending.score,
    "touch": touch,
    "unread": lambda why: (mail.unread(why),),
    "yes_or_no": lambda _reader: (yes_or_no(),),
    "what_this_is": what_this_is,
}
"""The parts that old templates still show, as in `{{ worded(parts.board(reader(view))) }}`."""
LETTERS: dict[str, Callable[..., Any]] = {
    "invitation": lambda reader, *facts: invitations.invitation(reader, invitations.Invitation(*facts)),
    "rematch": invitations.rematch,
    "ended": lambda event, outcome: broken.ended(broken.BrokenGame(getattr(event, "why", ""), outcome)),
    "frozen": lambda event, standing, operator_knows: broken.frozen(
        broken.BrokenGame(event.why, is_over=standing is Standing.OVER, operator_knows=operator_knows)
    ),
}
"""The letters that are made of blocks."""


WORDINGS = {name: getattr(game, "wording", None) for name, game in GAMES.by_name.items()}
"""The words of each game. Tests add those of their own game."""


def add_to(environment: Environment, catalogue: Catalogue, *, marks: bool) -> None:
    """Give templates the functions `say`, `worded`, `has_message` and the mapping `wordings`."""
    space = unbroken(" ") if marks else " "

    def words_of(context: Context) -> tuple[Words, dict[str, object]]:
        view = context.get("view", None)
        common = {name: context[name] for name in ("service", "address") if name in context}
        if view:
            common["opponent"] = view["opponent"] if isinstance(view, dict) else view.opponent
        elif "opponent" in context:
            common["opponent"] = context["opponent"]
        return catalogue.words(context.get("language", "en")), common

    @pass_context
    def say(context: Context, name: str, **values: object) -> str:
        words, common = words_of(context)
        return words.text(Message(name, values), common).replace(UNBROKEN, space)

    @pass_context
    def worded(context: Context, value: Any) -> str:
        words, common = words_of(context)
        if isinstance(value, Message | str):
            return words.text(value, common).replace(UNBROKEN, space)
        if all(isinstance(one, Message | str) for one in value):
            return words.sentences(value, common).replace(UNBROKEN, space)
        slots: list[markup.Slot] = context.get("slots", [])
        marked = _all_marked(value, words, common, slots)
        return marked if marks else markup.text_of(marked)

    @pass_context
    def answered(context: Context, report: Any) -> str:
        name = getattr(report, "template", None) or report.reason
        words, common = words_of(context)
        slots: list[markup.Slot] = context.get("slots", [])
        return _all_marked(answer_blocks(reader_of(context), name, report.facts), words, common, slots)

    @pass_context
    def summary(context: Context, word: str) -> str:
        words, common = words_of(context)
        return words.text(Message(f"summary_{word}"), common)

    @pass_context
    def told(context: Context, event: Any, is_first: bool) -> str:
        words, common = words_of(context)
        blocks = NEWS[type(event)](event, reader_of(context), is_first)
        return _all_marked(blocks, words, common, context.get("slots", []))

    environment.globals |= {
        "told": told,
        "has_builder": lambda event: type(event) in NEWS,
        "summary": summary,
        "say": say,
        "reader": pass_context(reader_of),
        "answered": answered,
        "accounts": accounts,
        "worded": worded,
        "letters": LETTERS,
        "parts": PARTS,
        "has_message": lambda name: catalogue.words("en").has(name),
        "wordings": WORDINGS,
    }


def reader_of(context: Context, view: Any = None) -> Reader:
    """Return the reader of the letter that is rendered. `view` is what is shown, if it is not the letter's own view."""
    view = view or context.get("view", None)
    kind = view.game if view else context.get("game", GAMES.default)
    games = context.get("all_games", GAMES)
    return Reader(
        view or None,
        kind,
        games,
        NewPlayers(context.get("new_players", NewPlayers.ANYONE)),
        bool(context.get("has_ended", False)),
        bool(context.get("opponent_left", False)),
        context.get("language", ENGLISH),
        bool(context.get("words_wait", False)),
        context.get("touch", None),
        int(context.get("move_lists", 1)),
    )


def _all_marked(
    blocks: Iterable[Block], words: Words, common: Mapping[str, object], slots: list[markup.Slot]
) -> markup._Marked:
    """Return blocks in marks, with a blank line between two of them, but none between a heading and its list."""
    lines: list[str] = []
    is_heading = False
    for block in blocks:
        marked = _marked(block, words, common, slots)
        if not marked:
            continue
        is_list = isinstance(block, Indented | Items | Columns | Cells)
        lines += ["\n" if is_heading and is_list else "\n\n"] if lines else []
        lines.append(marked)
        is_heading = isinstance(block, Paragraph) and words.sentences(block.sentences, common).endswith(":")
    return markup._Marked("".join(lines))


def _marked(block: Block, words: Words, common: Mapping[str, object], slots: list[markup.Slot]) -> str:
    def text(one: Texts) -> str:
        worded = words.sentences(one, common) if isinstance(one, tuple) else words.text(one, common)
        return worded.replace(UNBROKEN, unbroken(" "))

    def slot(name: str, it: object) -> str:
        slots.append(markup.Slot(name, it))
        return markup._mark(markup.Kind.SLOT, str(len(slots) - 1))

    match block:
        case Paragraph(sentences):
            return markup.paragraphs(text(sentences))
        case Lines(lines):
            return "\n".join(map(fill, map(text, lines)))
        case Indented(lines):
            return "\n".join(markup.paragraphs(text(line), "  ") for line in lines)
        case Items(entries):
            return "\n".join(markup.item(text(entry)) for entry in entries)
        case Columns(rows):
            lefts = [text(left) for left, _ in rows]
            width = max(map(len, lefts))
            return "\n".join(
                described(text(right), left.ljust(width))
                for left, (_, right) in zip(lefts, rows, strict=True)
            )
        case Cells(texts):
            return markup.pre(columns(texts))
        case Code(lines):
            return markup.pre("\n".join(lines))
        case Quote(said):
            return markup.words(said)
        case Page(page):
            return _all_marked(page_blocks(words, page, common), words, common, slots)
        case Small(line):
            return text(line)
        case Link(address, label):
            return markup.linked(address, text(label))
        case Buttons(all_buttons):
            return slot("buttons", tuple(_button(one, text) for one in all_buttons))
        case SmallButtons(all_buttons):
            return slot("small_buttons", tuple(_button(one, text) for one in all_buttons))
        case SmallLinks(links):
            return slot("links", tuple(_button(one, text) for one in links))
        case Rule():
            return slot("rule", None) + markup.text_only("--------")
        case Only(side, blocks):
            limit = markup.text_only if side is Side.TEXT else markup.html_only
            return limit(_all_marked(blocks, words, common, slots))
        case Drawing("marked", subject):
            return str(subject)
        case Drawing(name, subject):
            return slot(name, subject)


def _button(button: Button, text: Any) -> tuple[str, str]:
    return text(button.label), button.line


def marked_blocks(
    blocks: tuple[Block, ...], words: Words, common: Mapping[str, object], slots: list[markup.Slot]
) -> Iterator[str]:
    """Yield each block in the marks of `markup`."""
    return (_marked(block, words, common, slots) for block in blocks)
