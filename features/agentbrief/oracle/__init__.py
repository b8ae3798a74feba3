"""What does another agent say itself that it loaded, and how does that stand beside a brief?"""
