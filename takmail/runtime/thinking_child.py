"""The child process that thinks for bots and reviews games. `thinker` starts it."""

import os

from takmail.runtime.child_limits import serve_parent
from takmail.runtime.questions import Question

NICENESS = 10
"""How far this process stands back behind those that handle mails."""

if __name__ == "__main__":
    os.nice(NICENESS)
    serve_parent(Question.answer)
