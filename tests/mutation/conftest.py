"""The runner of the mutation run lies beside its tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
