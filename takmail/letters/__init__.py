"""Letters: which follow from what has happened, how they are worded, and whether they wait."""
