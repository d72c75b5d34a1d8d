"""Make everything above what was measured again, and name what is not as it was published."""

import sys
import time
from pathlib import Path

from reactivate.artifacts.recomputing import Recomputation
from reactivate.artifacts.rerunning import drawn, repeat, trained_runs
from reactivate.artifacts.signing import signature_findings
from reactivate.auditing.data import data_findings
from reactivate.auditing.findings import Finding, counted, merged
from reactivate.auditing.verifying import Verification
from reactivate.evidence.publication import SIGNATURE
from reactivate.experiment.loading import load_scale, load_scales
from reactivate.experiment.paths import PREPARED, PUBLISHED, RESULTS


def verify(
    scales: list[str],
    published: bool = False,
    strict: bool = False,
    rerun: int = 0,
    signers: Path | None = None,
) -> None:
    """Prints a line per finding and a summary; exits with 1 if something is wrong.

    Files are hashed; what is published is also made again from its leaves and compared. Wrong is
    what was tampered with, is missing, uncommitted, made from other data, or what nothing vouches
    for. What is stale (made by older code) or dirty (made from uncommitted files) is named too,
    but is no reason to fail unless asked for.

    Args:
        scales: Which scales; empty: all that are there.
        published: Only what was published, not ``results/``.
        strict: Whether to fail for stale and dirty files too.
        rerun: How many published runs to train again.
        signers: File of those who may sign publications; None: signatures are not looked at.
    """
    start = time.monotonic()
    findings, places = find(scales, published)
    there = [s for s in scales or load_scales() if (PUBLISHED / s).is_dir()]
    if signers is not None:
        found = [f for scale in there for f in signature_findings(PUBLISHED / scale, signers)]
        findings = merged([*findings, *found])
    else:
        unsigned = [s for s in there if not (PUBLISHED / s / SIGNATURE).exists()]
        places += [f"{PUBLISHED / scale} without a signature" for scale in unsigned]
        if len(unsigned) < len(there):
            places.append("signatures by nobody in particular (--signers tells who may)")
    if rerun:
        runs = trained_runs(scales or list(load_scales()))
        chosen = drawn(runs, rerun)
        findings = merged([*findings, *(f for path in chosen for f in repeat(path, runs[path]))])
        places.append(f"{len(chosen)} of {len(runs)} runs, trained again")
    for finding in findings:
        print(finding)
    seconds = time.monotonic() - start
    print(f"verified {', '.join(places)} in {seconds:.1f} s: {counted(findings)}")
    if any(finding.wrong or strict for finding in findings):
        sys.exit(1)


def find(scales: list[str], published: bool = False) -> tuple[list[Finding], list[str]]:
    """All findings, and a few words on every place that was looked at.

    Raises:
        ValueError: There is nothing to look at.
    """
    for scale in scales:
        load_scale(scale)
    roots = [PUBLISHED] if published else [RESULTS, PUBLISHED]
    known = scales or load_scales()
    there = [(root, scale) for root in roots for scale in known if (root / scale).is_dir()]
    if not there:
        wanted = " or ".join(str(root / scale) for root in roots for scale in known)
        raise ValueError(
            f"there is nothing to verify; accepted: {wanted}. Make results, e.g. with: "
            "snakemake smoke"
        )
    findings, places = data_findings(), [f"{_datasets()} datasets"]
    for root, scale in there:
        verification = Verification(scale, root)
        findings += verification.findings()
        places.append(f"{verification.files} files of {root / scale}")
    if any(root == PUBLISHED for root, _ in there):
        every = [scale for scale in load_scales() if (PUBLISHED / scale).is_dir()]
        recomputation = Recomputation(every)  # a page shows verdicts of other scales too
        doubted = {finding.path for finding in findings if finding.wrong}
        left_out = [PUBLISHED / scale for scale in every if scale not in known]
        for finding in recomputation.findings(doubted):
            if not any(folder in finding.path.parents for folder in left_out):
                findings.append(finding)
        places.append(recomputation.told)
    return merged(findings), places


def _datasets() -> int:
    return len(list(Path(PREPARED).glob("*.safetensors")))
