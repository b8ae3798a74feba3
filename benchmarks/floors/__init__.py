"""The floors: the smallest programs that do the same work. They are kept small and never improved."""
