"""Where each table of the PSC supplement is in its extracted text, line by line."""

from transcription import Fraction

TEXT = "001_*"  # the name of its file
TABLES = (
    Fraction("psc/bound/w/minimum", r"gives \$w = b = \\frac\{(\d+)\}\{(\d+)\}\$"),
    Fraction("psc/bound/b/minimum", r"gives \$w = b = \\frac\{(\d+)\}\{(\d+)\}\$"),
    Fraction("psc/bound/loss/minimum", r"\} = \\frac\{(\d+)\}\{(\d+)\}\.\$\$"),
)
