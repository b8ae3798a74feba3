"""What are this agent's rules? Data files, one an agent, and small strategies for what data cannot say."""
