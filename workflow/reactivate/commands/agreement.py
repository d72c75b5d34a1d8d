"""Print how far each scale can be trusted: the order of its numbers beside the printed one."""

import pandas as pd

from reactivate.auditing.agreement import Agreement, agreements
from reactivate.auditing.chain import Ledger
from reactivate.commands.parsing import Parser
from reactivate.commands.terminal import print_json
from reactivate.experiment.loading import load_scales
from reactivate.experiment.paths import PUBLISHED, RESULTS


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate agreement``."""
    parser.add_json()
    parser.examples("reactivate agreement", "reactivate agreement --json")
    parser.set_defaults(run=lambda a: agreement(a.json))


def agreement(as_json: bool = False) -> None:
    """Prints, per table and audited scale, Kendall's tau with its interval.

    Args:
        as_json: Whether to print for programs.
    """
    found, sources = [], {}
    for scale in load_scales():
        ledgers = (Ledger(scale, root) for root in (RESULTS, PUBLISHED))
        ledger = next((each for each in ledgers if each.file("csv").exists()), None)
        if ledger is not None:
            sources[scale] = ledger.file("csv")
            agreed = agreements(ledger.rows.values())
            found += [{**vars(line), "scale": scale} for line in agreed]
    if not sources:
        raise ValueError(
            f"neither {RESULTS} nor {PUBLISHED} holds an audit; make one, e.g. "
            "snakemake results/smoke/audit.csv"
        )
    columns = [*Agreement.__dataclass_fields__, "scale"]
    table = pd.DataFrame(found, columns=columns)
    if as_json:
        told = table.sort_values(["paper", "exhibit", "scale"]).to_dict("records")
        audits = {scale: path.as_posix() for scale, path in sources.items()}
        print_json({"audits": audits, "tables": told})
        return
    for scale, path in sources.items():
        print(f"scale {scale} from {path}")
    table["tau"] = [f"{t.tau:+.2f} [{t.low:+.2f}, {t.high:+.2f}]" for t in table.itertuples()]
    shown = ["paper", "exhibit", "scale", "protocol", "compared", "pairs", "tau"]
    print(table.sort_values(["paper", "exhibit", "scale"])[shown].to_string(index=False))
