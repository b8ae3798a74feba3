"""What is asked about compaction: preview, carry out, checkpoints and the way back, notes, steering."""
