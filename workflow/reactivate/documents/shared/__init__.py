"""What the code of several documents uses."""
