"""What config/ says of data: datasets and weights, where they are from, their checksums."""
