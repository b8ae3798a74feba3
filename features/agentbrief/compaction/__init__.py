"""What would be summarised, and how?"""
