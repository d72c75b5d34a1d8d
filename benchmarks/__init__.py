"""Speed of what this package does, as ratios to what one would do without it."""
