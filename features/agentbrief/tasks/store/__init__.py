"""What is asked about OpenClaw's stores: how they stand, what may go or come back, what a run would send."""
