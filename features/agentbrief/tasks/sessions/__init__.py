"""What is asked about sessions: list, show, check, repair, keep."""
