"""The connections to mail servers."""
