"""Which earlier states can come back?"""
