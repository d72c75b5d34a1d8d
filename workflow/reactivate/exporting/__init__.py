"""Published results in the forms that other services read."""
