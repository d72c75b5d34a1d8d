"""The parser of the documents' text, and what a document adds to it, can be imported."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "transcription"))
