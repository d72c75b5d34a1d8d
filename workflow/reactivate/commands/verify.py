"""Make everything above what was measured again, and name what is not as it was published."""

import sys
import time
from dataclasses import asdict
from pathlib import Path

from reactivate.artifacts.notebooks import notebook_findings
from reactivate.artifacts.recomputing import Recomputation
from reactivate.artifacts.rerunning import drawn, repeat, trained_runs
from reactivate.artifacts.signing import signature_findings
from reactivate.auditing.data import data_findings
from reactivate.auditing.findings import Finding, counted, merged
from reactivate.auditing.verifying import Verification
from reactivate.commands.parsing import Parser, whole_number
from reactivate.commands.terminal import folded, painted, print_json
from reactivate.evidence.publication import SIGNATURE
from reactivate.experiment.loading import load_scale, load_scales
from reactivate.experiment.paths import PREPARED, PUBLISHED, RESULTS


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate verify``."""
    parser.add_scales("all there are")
    parser.add_argument("--published", action="store_true", help="published/ only")
    parser.add_argument("--strict", action="store_true", help="fail for what is stale too")
    parser.add_argument(
        "--rerun", type=whole_number, default=0, metavar="RUNS", help="train so many runs again"
    )
    parser.add_argument("--signers", type=Path, help="who may sign: names and public SSH keys")
    parser.add_json()
    parser.examples("reactivate verify --published", "reactivate verify --published --rerun 3")
    parser.set_defaults(
        run=lambda a: verify(a.scale, a.published, a.strict, a.rerun, a.signers, a.json)
    )


def verify(
    scales: list[str],
    published: bool = False,
    strict: bool = False,
    rerun: int = 0,
    signers: Path | None = None,
    as_json: bool = False,
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
        as_json: Whether to print for programs.
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
    seconds = time.monotonic() - start
    if as_json:
        told = [
            asdict(each) | {"path": each.path.as_posix(), "wrong": each.wrong} for each in findings
        ]
        print_json({"findings": told, "verified": places, "seconds": round(seconds, 1)})
    else:
        for finding in findings:
            kind = painted(finding.kind, "red" if finding.wrong else "yellow")
            print(folded(str(finding), "  ").replace(finding.kind, kind, 1))
        verified = f"verified {', '.join(places)} in {seconds:.1f} s: {counted(findings)}"
        print(folded(verified, "  "))
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
        findings += notebook_findings()
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
