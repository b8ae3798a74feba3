"""How does each agent write a session down? One module a format, none of which knows another."""
