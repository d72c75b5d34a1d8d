"""Attacks on a classifier of images from 0 to 1."""
