"""What happened, told to a person?"""
