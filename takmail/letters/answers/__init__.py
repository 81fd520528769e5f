"""Say what commands answer. An answer that is one message needs nothing here: its reason is the message's name."""
