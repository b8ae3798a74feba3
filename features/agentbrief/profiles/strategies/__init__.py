"""What data alone cannot say, one module a family of agents."""
