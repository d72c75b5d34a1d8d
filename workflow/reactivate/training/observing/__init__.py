"""Looking at a network while it trains, without changing what it learns."""
