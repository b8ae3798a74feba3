"""What would the next run restore, and when does a session start anew?"""
