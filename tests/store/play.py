"""A random play in which each class of events happens."""

from collections.abc import Callable
from random import Random
from typing import Any

from takmail.games.choice import Choices
from takmail.games.interface import Refused, Seat
from takmail.world import events as ev
from takmail.world.ids import GameNumber, PlayerId, QuestionId, SeekNumber
from takmail.world.kinds import (
    BOARD_PROPOSALS,
    RUNNING,
    LogWord,
    OfferEnd,
    OfferKind,
    QuestionKind,
    Ruling,
    Standing,
    TakenBackBy,
)
from takmail.world.offered_change import OfferedChange
from takmail.world.players import NO_TEXT, SETTINGS, LastText, Seek
from takmail.world.questions import Question
from takmail.world.records import Offer
from takmail.world.table import Played
from tests.store.scene import Scene, accepted, person, proposed, turn

TRIES = 100
"""The number of steps without a new class of events after which the next step must have one."""


class Play:
    """A random sequence of steps. Each method is a kind of step, and returns None if the step is impossible."""

    def __init__(self, scene: Scene, chance: Random) -> None:
        self.scene, self.chance = scene, chance
        self.seen: set[type[ev.Event]] = set()
        self.people = 3
        self.games = 0
        self.seeks = 0
        scene.joined("Ada", "Ben", "Gus")

    def step(self) -> None:
        """Store an outcome with one to three random events."""
        self._do(self._tried())

    def step_to_others(self) -> None:
        """Store an outcome with a new class of events, if some attempts find one."""
        for _ in range(TRIES):
            counted = self.people, self.games, self.seeks
            events = self._tried()
            if {type(one) for one in events} - self.seen:
                break
            self.people, self.games, self.seeks = counted
        else:
            events = self._tried()
        self._do(events)

    def _tried(self) -> list[ev.Event]:
        steps: list[Callable[[], list[ev.Event] | None]] = [
            getattr(self, name) for name in dir(self) if name.startswith("do_")
        ]
        events = None
        while not events:
            events = self.chance.choice(steps)()
        return events

    def _do(self, events: list[ev.Event]) -> None:
        self.seen |= {type(one) for one in events}
        if isinstance(events[-1], ev.SeekJoined):
            self.scene.do(*events[:-1])  # who joins a seek does so later
            events = events[-1:]
        self.scene.do(*events)

    def _game(self, *standings: Standing) -> Any:
        tables = [one for one in self.scene.state.games.values() if one.record.standing in standings]
        return self.chance.choice(tables) if tables else None

    def _seat(self) -> Seat:
        return self.chance.choice(list(Seat))

    def _player(self) -> PlayerId:
        known = [one.id for one in self.scene.state.players.values() if not one.is_erased]
        return self.chance.choice(known)

    def do_join(self) -> list[ev.Event] | None:
        if self.people >= 8:
            return None
        self.people += 1
        name = f"Player {self.people}"
        joined = ev.PlayerJoined(player=person(self.people, name.replace(" ", ""), None))
        named = ev.PlayerNamed(player=PlayerId(self.people), name=name, skeleton=name.lower())
        return [joined, named] if self.chance.random() < 0.5 else [joined]

    def do_propose(self) -> list[ev.Event] | None:
        one, other = self._player(), self._player()
        if one == other:
            return None
        self.games += 1
        event = proposed(self.games, (one, other), self.scene.now, rematch_of=None)
        written = ev.InvitationWritten(game=GameNumber(self.games))
        return [event, written] if self.chance.random() < 0.8 else [event]

    def do_answer(self) -> list[ev.Event] | None:
        game = self._game(Standing.INVITED)
        if game is None:
            return None
        guest = game.record.seat_of(game.record.guest)
        if self.chance.random() < 0.15:
            return [ev.InvitationDeclined(game=game.number, seat=guest)]
        if self.chance.random() < 0.25:
            return [ev.InvitationWithdrawn(game=game.number, seat=guest)]
        begun = accepted(game.record)
        if self.chance.random() < 0.5:
            first, second = game.record.seats
            begun = ev.GameBegun(game=game.number, seat=guest.other, setup="5", seats=(second, first))
        return [begun]

    def do_turn(self) -> list[ev.Event] | None:
        game = self._game(Standing.OPEN)
        if game is None or game.state.result is not None:
            return None
        return [turn(game, self._turn_of(game))]

    do_turn_again = do_more_turns = do_turn

    def _turn_of(self, game: Any) -> str:
        texts: list[str] = []
        groups: tuple[Choices, ...] = game.state.choices()
        for group in groups:
            texts += [one.typed for one in group.turns]
        reading = game.state.read(self.chance.choice(texts))
        return str(reading.text)

    def do_set_board(self) -> list[ev.Event] | None:
        game = self._game(Standing.OPEN)
        if game is None or not game.turns:
            return None
        seat = self._seat()
        try:
            board = game.state.adopt("s 0 0 0 0 / 0 0 0 0 0 / 0 0 0 0 0 / 0 0 0 0 0 / 0 0 0 0 S", seat)
            after = game.state.play(board)
        except Refused:
            return None
        turn = Played(len(game.turns) + 1, seat, game.names[seat], board, is_agreed=True)
        return [ev.BoardSet(game=game.number, turn=turn, written=board, checksum=after.checksum)]

    def do_take_back(self) -> list[ev.Event] | None:
        game = self._game(Standing.OPEN)
        if game is None or not game.turns:
            return None
        if self.chance.random() < 0.5:
            back = ev.TurnsTakenBack(
                game=game.number,
                after=len(game.turns) - 1,
                how=self.chance.choice([TakenBackBy.UNDO, TakenBackBy.RIGHT]),
            )
            return [
                *self._lapsed(game),
                back,
                ev.LastTurnTakenBack(game=game.number, turn=game.played(game.turns[-1])),
            ]
        after = self.chance.randrange(len(game.turns))
        how = TakenBackBy.BACK if after else TakenBackBy.RESTART
        back = ev.TurnsTakenBack(game=game.number, after=after, how=how)
        return [*self._lapsed(game), back]

    def _lapsed(self, game: Any) -> list[ev.Event]:
        """Close an offer because its board no longer exists."""
        return [
            ev.OfferClosed(game=game.number, offer=one.version, how=OfferEnd.LAPSED) for one in game.offers
        ]

    def do_take_this_mails_turn_back(self) -> list[ev.Event] | None:
        game = self._game(Standing.OPEN)
        if game is None or game.state.result is not None:
            return None
        back = ev.TurnsTakenBack(game=game.number, after=len(game.turns), how=TakenBackBy.UNDO)
        return [turn(game, self._turn_of(game)), back]

    def do_offer(self) -> list[ev.Event] | None:
        game = self._game(Standing.OPEN)
        if game is None:
            return None
        kind = self.chance.choice([OfferKind.DRAW, OfferKind.UNDO, OfferKind.RESTART])
        if kind == OfferKind.RESTART and not game.turns:
            return None
        target = 0 if kind == OfferKind.RESTART else None
        offer = Offer(0, self._seat(), kind, len(game.turns), self.scene.now, target=target)
        if kind not in BOARD_PROPOSALS:
            return [ev.OfferMade(game=game.number, offer=offer, notifies_opponent=True)]
        wish: Any = None  # for letters alone
        return [
            ev.ProposalMade(
                game=game.number,
                offer=offer,
                notifies_opponent=True,
                wish=wish,
                instead_of=None,
                is_in_place=False,
                comparison=None,
                shown_after=None,
            )
        ]

    def do_close_offer(self) -> list[ev.Event] | None:
        game = self._game(*RUNNING)
        if game is None or not game.offers:
            return None
        offer = self.chance.choice(game.offers)
        return [ev.OfferClosed(game=game.number, offer=offer.version, how=self.chance.choice(list(OfferEnd)))]

    def do_dispute(self) -> list[ev.Event] | None:
        game = self._game(Standing.OPEN)
        if game is None or not game.turns:
            return None
        one = self.chance.choice([*map(game.played, game.turns)])
        return [
            ev.DisputeOpened(
                game=game.number,
                seat=self._seat(),
                turn=one,
                reason=f"because of {self.chance.random()}",
                shown_reason="",
                is_named=True,
                verdict=None,
            )
        ]

    def do_say(self) -> list[ev.Event] | None:
        game = self._game(*RUNNING)
        if game is None:
            return None
        said = ev.ChatQueued(game=game.number, seat=self._seat(), words="hello")
        return [said, ev.ChatSent(game=game.number, seat=said.seat)]

    def do_drop_words(self) -> list[ev.Event] | None:
        one, other = self._player(), self._player()
        return [ev.ChatDropped(player=one, reader=None if one == other else other)]

    def do_boards(self) -> list[ev.Event] | None:
        game = self._game(*RUNNING)
        if game is None:
            return None
        seat = self._seat()
        kept = ev.BoardStored(game=game.number, seat=seat, board=str(self.chance.random()), turn=0)
        asked, answered = (
            ev.BoardAsked(game=game.number, seat=seat),
            ev.BoardAnswered(game=game.number, seat=seat),
        )
        renewed = ev.SeatTokenRenewed(game=game.number, seat=seat, number=self.chance.randint(2, 9))
        return self.chance.choice(
            [[kept], [asked], [answered], [kept, answered], [answered, asked], [renewed]]
        )

    def do_ask(self) -> list[ev.Event] | None:
        game = self._game(Standing.OPEN)
        at = self.scene.now
        if game is None or self.chance.random() < 0.5:
            address = f"{self.chance.choice('abc')}@example.net"
            kind = self.chance.choice([QuestionKind.COMMANDS, QuestionKind.ADDRESS])
            player = self._player() if kind is QuestionKind.ADDRESS else None
            question = Question(QuestionId(-1), kind, at, words="seeks", address=address, player=player)
            if player is None:
                return [ev.QuestionAsked(question=question)]
            return [ev.AddressAsked(question=question, sends_letter=False)]
        kind = self.chance.choice([QuestionKind.RESIGN, QuestionKind.HELD])
        question = Question(
            QuestionId(-1), kind, at, "x", game.number, self._seat(), game.record.version, len(game.turns)
        )
        return [ev.ResignationAsked(question=question)]

    def do_close_question(self) -> list[ev.Event] | None:
        game = self._game(*RUNNING)
        asked = [*self.scene.state.pending, *(() if game is None else game.questions)]
        if not asked:
            return None
        question = self.chance.choice(asked)
        if self.chance.random() < 0.5:
            return [ev.QuestionReplaced(question=question.id)]
        return [ev.QuestionClosed(question=question.id)]

    def do_end(self) -> list[ev.Event] | None:
        game = self._game(*RUNNING)
        if game is None or self.chance.random() < 0.6:
            return None
        number, seat = game.number, self._seat()
        if self.chance.random() < 0.5:
            return [
                ev.Resigned(game=number, seat=seat),
                ev.GameEnded(game=number, resigned=seat),
            ]
        ruling = self.chance.choice(list(Ruling))
        ended = ev.GameEnded(game=number, ruling=ruling)
        if ruling == Ruling.AGREED:
            wish = OfferedChange(OfferKind.DRAW, len(game.turns), None)
            return [ev.OfferAgreed(game=number, seat=seat, wish=wish), ended]
        ruled = ev.GameRuled(game=number, why="enough")
        return [ended, ruled, self._logged(LogWord.ENDED, "enough", number)]

    def do_adjourn(self) -> list[ev.Event] | None:
        game = self._game(*RUNNING)
        if game is None:
            return None
        number = game.number
        if game.record.standing == Standing.OPEN:
            asked = [
                ev.QuestionClosed(question=one.id)
                for one in game.questions
                if one.kind is QuestionKind.RESIGN
            ]
            adjourned = ev.GameAdjourned(game=number, why="a holiday")
            return [*asked, adjourned, self._logged(LogWord.ADJOURNED, "a holiday", number)]
        return [ev.GameResumed(game=number, why="back"), self._logged(LogWord.RESUMED, "back", number)]

    do_resume_more = do_adjourn

    def _logged(self, what: str, why: str, game: GameNumber | None = None) -> ev.Logged:
        return ev.Logged(who="Olga", what=what, why=why, game=game)

    def do_seek(self) -> list[ev.Event] | None:
        self.seeks += 1
        seek = Seek(SeekNumber(self.seeks), self._player(), "tak", "5", "me", 3, False, self.scene.now)
        opened = ev.SeekOpened(seek=seek, is_repeated=False)
        if self.chance.random() < 0.3:
            return [opened, ev.SeeksClosed(numbers=(seek.number,))]
        return [opened, ev.SeekOpened(seek=seek, is_repeated=True)]

    def do_join_seek(self) -> list[ev.Event] | None:
        seeker, other = self._player(), self._player()
        if seeker == other:
            return None
        self.seeks, self.games = self.seeks + 1, self.games + 1
        at = self.scene.now
        seek = Seek(SeekNumber(self.seeks), seeker, "tak", "5", None, None, False, at)
        record = proposed(
            self.games, (seeker, other), at, standing=Standing.OPEN, guest_label=None, invited_at=at
        ).record
        joined = ev.SeekJoined(
            game=record.number,
            record=record,
            seek=seek.number,
            seat=Seat.SECOND,
            is_in_answer=True,
        )
        return [ev.SeekOpened(seek=seek, is_repeated=False), joined]

    def do_person(self) -> list[ev.Event] | None:
        player = self._player()
        found = self.scene.state.players[player]
        address = found.addresses[0]
        more = f"more{player}@example.org"
        has_more = found.mailbox(more) is not None
        text = LastText("whole", "frame", self.chance.randrange(4), self.chance.randrange(4))
        changed: list[ev.Event] = [
            *(
                ev.SettingChosen(
                    player=player, keyword=keyword, value=self.chance.choice(list(setting.choices.values()))
                )
                for keyword, setting in SETTINGS.items()
            ),
            ev.PlayerNamed(player=player, name=f"New {player}", skeleton=f"new {player}"),
            ev.InvitationsWait(player=player, are_waiting=self.chance.random() < 0.5),
            self.chance.choice(
                [
                    ev.VerifiedMailReceived(
                        address=address,
                        renews_token=self.chance.random() < 0.3,
                        is_unsigned=self.chance.random() < 0.3,
                        text=self.chance.choice([NO_TEXT, text]),
                    ),
                    ev.MailboxBounced(address=address, bounces_before=found.mailboxes[0].bounces),
                ]
            ),
            ev.MailStopped(player=player, running=0),
            ev.MailResumed(player=player),
            ev.BlockedByOperator(player=player, is_blocked=True),
            ev.BlockedByOperator(player=player, is_blocked=False),
            ev.DataSent(player=player, data="{}"),
            ev.AddressRemoved(player=player, address=more)
            if has_more
            else ev.AddressAdded(player=player, address=more),
        ]
        # What a letter that comes back is held against is what stood there before.
        return sorted(self.chance.sample(changed, 2), key=lambda one: not isinstance(one, ev.MailboxBounced))

    def do_block(self) -> list[ev.Event] | None:
        one, other = self._player(), self._player()
        if one == other:
            return None
        blocked = ev.PlayerBlocked(player=one, other=other, name="Ben")
        unblocked = ev.PlayerUnblocked(player=one, other=other, name="Ben", is_changed=True)
        return [self.chance.choice([blocked, unblocked])]
