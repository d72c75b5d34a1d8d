"""Thesis, chapters 4 and 5: the networks of its pictures, and those that answer its statements."""

from reactivate.documents.thesis.small_networks import dense

# |x| - 1 for x > -10: neurons (1,1) at x = 0, (1,2) at x = -10 and (2,1) at x = -1 and at x = 1.
VALLEY = dense(([[1.0], [1.0]], [0.0, 10.0]), ([[2.0, -1.0]], [9.0]), ([[1.0]], [0.0]))
# max(x, 0) - max(y, 0): it is 0 at (1, 1) and on the whole quadrant x, y < 0.
QUADRANTS = dense(([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]), ([[1.0, -1.0]], [0.0]))

# The thesis does not print the numbers behind Figures 4.5 and 5.1; these are chosen to show the
# same: one float neuron, (1,4), in the ball, and only neuron (1,4) between the two inputs.
LINES = ([[0.3, 1.0], [1.0, 0.3], [1.0, -0.8], [-0.6, 1.0]], [-0.8, 1.0, -0.9, 0.1])
FOUR_LINES = dense(
    LINES,
    (
        [
            [1.0, -0.5, 0.3, 0.8],
            [-0.7, 0.6, 1.0, -0.4],
            [0.2, 0.9, -0.8, 0.5],
            [-0.3, -0.6, 0.4, 1.0],
        ],
        [0.1, -0.2, 0.3, 0.0],
    ),
)
BALL = (0.1, 0.1, 0.45)  # centre and radius
EIGHT_NEURONS = dense(
    LINES,
    (
        [
            [-0.5, -1.0, 0.5, 0.5],
            [-0.5, 1.0, 0.0, 0.0],
            [0.5, -1.0, -2.0, 0.5],
            [-2.0, -2.5, 1.5, 1.5],
        ],
        [0.05, 0.05, -0.2, 0.55],
    ),
    ([[1.0, 1.0, 1.0, 1.0]], [0.0]),
)
INPUTS = ((0.6, -0.2), (0.2, 0.4))  # x and x' of Figure 5.1
WINDOW = (-2.0, 2.0)  # of both pictures, on either axis
