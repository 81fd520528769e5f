"""Decide on one mail with pure functions: from the loaded data to all events and letters that the mail causes."""
