"""What does this transcript say?"""
