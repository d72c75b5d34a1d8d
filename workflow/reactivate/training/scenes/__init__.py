"""Trainings on scenes: finding objects in pictures, and telling the class of every pixel."""
