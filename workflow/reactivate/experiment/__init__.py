"""What config/ says, read and checked once: papers, exhibits, cells, settings, folders."""
