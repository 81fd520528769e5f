"""Define the limits on what others can make takmail read, keep, compute or send, by kind.

* `mails`: bytes and parts of incoming mails, and the work of reading them
* `words`: the characters and lines that players type
* `games`: what a player can have and ask for at the same time, and the work that a game can cause
* `questions`: the questions that wait for a player's answer
* `letters`: how many letters are sent, and how long they are

A limit with a key in config.toml names it. The others cannot be set. Times are with what they limit. Numbers that only
describe a form, such as the lines of a quoted header block, are with its parser.
"""
