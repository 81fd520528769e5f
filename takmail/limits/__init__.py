"""Define all limits on what others can make takmail read, keep or send, by kind.

* `mails`: bytes and parts of incoming mails, and the work of reading them
* `words`: the characters and lines that players type
* `games`: what a player can have at the same time, and ask for in one mail
* `questions`: the questions that wait for a player's answer
* `letters`: how many letters are sent, and how long they are

A limit with a key in config.toml names it. The others cannot be set. Times are with the workers in `runtime`. Numbers
that only describe a form, such as the lines of a quoted header block, are with its parser.
"""
