"""What is wrong with transcripts, and with where they are kept? One rule a file."""
