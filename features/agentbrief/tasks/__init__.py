"""What did the user ask for? One file a task, which puts rooms together and has no logic of its own."""
