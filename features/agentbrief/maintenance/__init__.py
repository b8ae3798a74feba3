"""What may be cleaned up?"""
