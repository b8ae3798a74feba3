"""Which earlier states of a session can come back, and what would that do?"""
