"""How is a foreign agent's transcript compacted into a copy, which that agent could go on with?

The original is only read. Both formats are appended to by their agents, so the copy is the original byte for
byte, and behind it the records that the agent itself writes when it compacts.
"""
