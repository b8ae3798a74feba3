"""One editor command a file."""
