"""Which records stand in a JSONL file, where, how damaged, and what is new in it?"""
