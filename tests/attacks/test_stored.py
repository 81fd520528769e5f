"""One attack of each kind with a worker, on each database: no row changes, and no letter reveals another's data."""

from collections.abc import Callable
from functools import partial

import pytest

from tests.attacks import test_forged as forged
from tests.attacks import test_headers as headers
from tests.attacks import test_questions as questions
from tests.attacks import test_strangers as strangers
from tests.attacks import test_the_notebook as notebook
from tests.attacks import test_tokens as tokens
from tests.attacks.scene import OTHER, Scene
from tests.support.harness import ADA
from tests.support.width import combined, some_of

ATTACKS = some_of(
    [
        notebook.test_the_same_with_the_right_token_is_seen_to_change_something,
        partial(
            notebook.test_every_question_of_the_scene_waits_for_its_reader,
            who=ADA,
            words="no",
            asked="seek 6",
        ),
        partial(forged.test_i_write_in_ada_s_name_about_a_game_of_hers, sender=ADA, words="#4 accept\nps a1"),
        forged.test_i_write_in_ada_s_name_about_herself,
        forged.test_i_send_an_old_mail_of_ada_s_again_under_a_new_number,
        partial(
            headers.test_i_bring_the_mail_server_s_word_along,
            results=[headers.REAL, headers.PASS],
            words="#1 ps d4",
        ),
        partial(
            questions.test_i_answer_a_question_of_ada_s_that_was_passed_on_to_me,
            asked=questions.RESIGN,
            sender=OTHER,
            words="yes",
        ),
        questions.test_i_ask_for_an_address_of_ada_s_to_be_mine,
        strangers.test_i_take_back_one_invitation_to_write_the_next,
        partial(strangers.test_i_invite_an_address_and_hear_the_same_in_any_case, kind="stopped"),
        tokens.test_a_token_of_another_game_of_hers,
        tokens.test_my_own_way_to_stop_for_another,
    ],
    4,
)
HOSTILE = [
    partial(attack, **{name: one})
    for (attack, name), one in combined(
        [(headers.test_i_call_myself_so_with_name, "name"), (headers.test_i_say_something_to_ada, "words")],
        headers.FOR_A_DATABASE,
    )
]


@pytest.mark.parametrize("attack", ATTACKS + HOSTILE, ids=lambda one: getattr(one, "func", one).__name__)
def test_an_attack_changes_no_row_and_shows_nothing(
    stored_scene: Scene, attack: Callable[[Scene], None]
) -> None:
    attack(stored_scene)
