"""May I read it, write it, lock it? The only room that touches files; it does not know what a file means."""
