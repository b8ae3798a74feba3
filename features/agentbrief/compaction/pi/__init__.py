"""What would be summarised of a transcript of pi or OpenClaw, and how?"""
