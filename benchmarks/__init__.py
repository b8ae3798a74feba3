"""How fast are we, as a ratio to the least that the same work costs? Never a pass or a failure."""
