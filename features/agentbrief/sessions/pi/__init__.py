"""What do transcripts of pi and OpenClaw share: their tree, what the model sees of it, how it goes on?"""
