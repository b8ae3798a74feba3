"""How do frames come in and go out, and how does the process end?"""
