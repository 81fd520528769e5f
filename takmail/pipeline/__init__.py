"""Decide on one mail with pure functions: from what is stored to all events and letters that the mail causes."""
