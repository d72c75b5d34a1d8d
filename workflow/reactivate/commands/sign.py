"""Sign what was published, so that others can tell who answers for it."""

from pathlib import Path

from reactivate.artifacts.signing import sign as sign_list
from reactivate.auditing.assurances import require_listed
from reactivate.commands.parsing import Parser
from reactivate.experiment.loading import load_scale, load_scales
from reactivate.experiment.paths import PUBLISHED


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate sign``."""
    parser.add_scales("all that are published")
    parser.add_argument("--key", type=Path, required=True, help="e.g. ~/.ssh/id_ed25519")
    parser.examples("reactivate sign --key ~/.ssh/id_ed25519")
    parser.set_defaults(run=lambda a: sign(a.scale, a.key.expanduser()))


def sign(scales: list[str], key: Path) -> None:
    """Signs the lists of sums of published scales, whose files must be as listed.

    Args:
        scales: Which scales; empty: all that are published.
        key: An SSH key; it stays where it is.
    """
    for scale in scales:
        load_scale(scale)
    chosen = scales or [scale for scale in load_scales() if (PUBLISHED / scale).is_dir()]
    if not chosen:
        raise ValueError(f"there is nothing to sign below {PUBLISHED}; see: reactivate publish")
    for scale in chosen:
        require_listed(PUBLISHED / scale)
        print(f"signed {sign_list(PUBLISHED / scale, key)}")
