"""Do it so that it can be undone. The only room that rewrites or removes; it knows steps, not reasons."""
