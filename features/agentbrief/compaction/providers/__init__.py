"""Who can write a summary? The format's own engine, a program of the user, the editor, a third party."""
