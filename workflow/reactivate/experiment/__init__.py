"""The content of config/, read and checked once: papers, exhibits, cells, settings, folders."""
