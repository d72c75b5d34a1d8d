"""Print how far each scale can be trusted: the order of its numbers beside the printed one."""

import pandas as pd

from reactivate.auditing.agreement import agreements
from reactivate.commands.parsing import Parser
from reactivate.commands.terminal import print_json
from reactivate.experiment.loading import load_scales
from reactivate.experiment.paths import PUBLISHED, RESULTS, audit_file


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
    tables, sources = [], {}
    for scale in load_scales():
        path = next(
            (p for root in (RESULTS, PUBLISHED) if (p := audit_file(scale, "csv", root)).exists()),
            None,
        )
        if path is not None:
            sources[scale] = path
            tables.append(agreements(pd.read_csv(path)).assign(scale=scale))
    if not tables:
        raise ValueError(
            f"neither {RESULTS} nor {PUBLISHED} holds an audit; make one, e.g. "
            "snakemake results/smoke/audit.csv"
        )
    table = pd.concat(tables, ignore_index=True)
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
