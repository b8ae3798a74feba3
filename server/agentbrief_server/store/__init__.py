"""How are stores of sessions told in the editor, and cleaned up with its user?"""
