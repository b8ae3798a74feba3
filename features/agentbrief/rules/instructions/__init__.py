"""Rules on instruction files."""
