"""Print how far each scale can be trusted: the order of its numbers beside the printed one."""

import pandas as pd

from reactivate.auditing.agreement import agreements
from reactivate.experiment.loading import load_scales
from reactivate.experiment.paths import PUBLISHED, RESULTS, audit_file


def agreement() -> None:
    """Prints, per table and audited scale, Kendall's tau with its interval."""
    tables = []
    for scale in load_scales():
        path = next(
            (p for root in (RESULTS, PUBLISHED) if (p := audit_file(scale, "csv", root)).exists()),
            None,
        )
        if path is not None:
            print(f"scale {scale} from {path}")
            tables.append(agreements(pd.read_csv(path)).assign(scale=scale))
    if not tables:
        raise ValueError(
            f"neither {RESULTS} nor {PUBLISHED} holds an audit; make one, e.g. "
            "snakemake results/smoke/audit.csv"
        )
    table = pd.concat(tables, ignore_index=True)
    table["tau"] = [f"{t.tau:+.2f} [{t.low:+.2f}, {t.high:+.2f}]" for t in table.itertuples()]
    shown = ["paper", "exhibit", "scale", "protocol", "compared", "pairs", "tau"]
    print(table.sort_values(["paper", "exhibit", "scale"])[shown].to_string(index=False))
