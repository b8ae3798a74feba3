"""Where is it? Spans, lines, white space, the Markdown outline, and text that cannot be seen."""
