"""The child process that reads expensive mails. `reader_process` starts it."""

from takmail.mail.reader import MailToRead
from takmail.runtime.child_limits import serve_parent

if __name__ == "__main__":
    serve_parent(MailToRead.read)
