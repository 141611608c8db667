"""Settings, the loop, and what methods are made of."""
