"""How does a person read it? Markdown pages, tables, JSON."""
