"""Learning rates of GmP Figures 2 and 3."""

RATES = (0.01, 0.1)
OWN_RATE = {"sp": 0.01, "wn": 0.01, "bn": 0.01, "gmp": 0.1}  # with which each is compared
