"""What does a store of OpenClaw's sessions hold, and what lies beside it?"""
