"""What is wrong, and what would fix it? One rule a file; its docstring is its page."""
