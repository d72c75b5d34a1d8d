"""The catalogs in config/: datasets and weights, their sources and their checksums."""
