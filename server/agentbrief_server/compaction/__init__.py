"""How does a person get from the wish to compact or restore to the deed, and back again?"""
