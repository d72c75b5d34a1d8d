"""Decide claims: more seeds where they are likeliest to decide, one look after the other."""

import math
from argparse import Namespace
from collections.abc import Callable

from reactivate.commands.decision_log import DecisionLog, Look, resumed, write_log
from reactivate.commands.judge import lent
from reactivate.commands.making import snakemake
from reactivate.commands.open_claims import OpenClaim, open_claims
from reactivate.commands.parsing import Parser
from reactivate.commands.repository import commit_changed
from reactivate.commands.terminal import folded, print_json
from reactivate.experiment.cell import Cell
from reactivate.experiment.exhibits import Trained
from reactivate.experiment.experiment import EXISTING, Experiment
from reactivate.experiment.loading import PAPERS, load_scale, paper_names
from reactivate.experiment.raising import raise_seeds
from reactivate.experiment.seeds import SEEDS
from reactivate.judging.verdicts import UNDECIDED

Run = Callable[[list[str]], None]


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate decide``."""
    parser.add_argument("claim", nargs="*", help="or a paper, e.g. psc; default: all")
    parser.add_scale()
    parser.add_argument("--hours", type=float, required=True, help="core-hours to spend at most")
    parser.add_argument("--cores", default="all", help="for Snakemake; default: all")
    parser.add_argument("--profile", help="of Snakemake, e.g. profiles/slurm")
    parser.add_argument(
        "--commit", action="store_true", help="commit raised seeds before their runs"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the plan, run nothing")
    parser.add_argument("--json", action="store_true", help="with --dry-run: print JSON")
    parser.examples(
        "reactivate decide psc --hours 0.2 --commit",
        "reactivate decide iieu/claims/highest_accuracy --hours 4 --dry-run",
        "reactivate decide --hours 200 --profile profiles/slurm",
    )
    parser.set_defaults(run=_asked)


def _asked(arguments: Namespace) -> None:
    """Decides, or prints the plan."""
    a = arguments
    if a.json and not a.dry_run:
        raise ValueError("--json is given without --dry-run; accepted: both, or neither")
    if a.dry_run:
        plan(a.claim, a.scale, a.hours, as_json=a.json)
    else:
        decide(a.claim, a.scale, a.hours, a.cores, a.profile, commit=a.commit)


def decide(
    asked: list[str],
    scale: str,
    hours: float,
    cores: str = "all",
    profile: str | None = None,
    *,
    commit: bool = False,
) -> None:
    """Runs more seeds, look by look, of the claims that an hour is likeliest to decide.

    Args:
        asked: Papers and claims; empty: all.
        scale: Whose runs; at ``paper`` seeds that a document states stay as they are.
        hours: Core-hours that may be spent.
        cores: For Snakemake.
        profile: Of Snakemake, instead of cores: a cluster.
        commit: Whether raised numbers of seeds are committed before their runs are made, whose
            records then name a commit that has them.

    Raises:
        ValueError: A name does not exist, the hours are none, or a run failed.
    """
    papers = _papers(asked, scale, hours)
    with lent(scale, papers):
        _loop(asked, scale, hours, lambda targets: snakemake(targets, cores, profile), commit)


def plan(asked: list[str], scale: str, hours: float, *, as_json: bool = False) -> None:
    """Prints what :func:`decide` would do; it runs nothing and leaves nothing behind.

    Args:
        asked: Papers and claims; empty: all.
        scale: Whose runs.
        hours: Core-hours that may be spent.
        as_json: Whether to print for programs.
    """
    with lent(scale, _papers(asked, scale, hours), kept=False):
        claims = open_claims(scale, asked)
        print_json(_plan(claims)) if as_json else _print_plan(claims, hours)


def _papers(asked: list[str], scale: str, hours: float) -> list[str]:
    """The papers that are asked for, if the request can be."""
    load_scale(scale)
    if not (math.isfinite(hours) and 0 < hours <= 1e6):
        raise ValueError(f"--hours is {hours}; accepted: core-hours above 0")
    return sorted({name.split("/")[0] for name in asked} & set(paper_names()) or paper_names())


def _loop(asked: list[str], scale: str, hours: float, run: Run, commit: bool) -> None:
    """Completes a look that was begun, then takes the best that fits until none is left."""
    log = resumed(scale, asked, hours)
    if log.unfinished is not None:
        print(f"going on with the look at {log.unfinished.claim}")
        log = _take(scale, log, run, commit)
    while True:
        claims = open_claims(scale, asked)
        chosen = best_look(claims, hours - log.spent)
        if chosen is None:
            break
        log = log.begin(look_at(chosen))
        write_log(scale, log)
        log = _take(scale, log, run, commit)
    write_log(scale, log.model_copy(update={"finished": True}))
    _print_end(claims, log, scale)


def best_look(claims: list[OpenClaim], hours: float) -> OpenClaim | None:
    """The claim whose next look is worth most of those that fit into the hours."""
    fitting = [
        claim
        for claim in claims
        if not claim.closed and claim.next.hours is not None and claim.next.hours <= hours
    ]
    return max(fitting, key=lambda claim: (claim.value, claim.name), default=None)


def look_at(claim: OpenClaim) -> Look:
    """The next look at a claim, with what it has to run."""
    assert claim.look is not None
    work = claim.work(claim.look)
    return Look(
        claim=claim.name,
        seeds=claim.look,
        cells=[f"{cell.dataset}/{cell.stem}" for cell in claim.cells],
        records=[record.as_posix() for record in work.seconds],
        targets=[target.as_posix() for target in claim.targets(work)],
    )


def _take(scale: str, log: DecisionLog, run: Run, commit: bool) -> DecisionLog:
    """Takes the look that was begun: seeds are raised, runs made, and the claim judged."""
    look = log.unfinished
    assert look is not None
    print(f"{look.claim}: {look.seeds} replicates, {len(look.records)} runs", flush=True)
    paper = look.claim.split("/")[0]
    raise_seeds(scale, paper, {Cell.parse(*c.split("/")): look.seeds for c in look.cells})
    if commit:
        message = f"seeds: {look.seeds} replicates of {look.claim} at {scale}"
        commit_changed([PAPERS / paper / SEEDS], message)
    if look.targets:
        run(look.targets)
    (claim,) = open_claims(scale, [look.claim])
    _tabulate(claim)
    (claim,) = open_claims(scale, [look.claim])
    log = log.complete()
    write_log(scale, log)
    print(folded(f"  {claim.judgement.verdict}: {claim.judgement.reason}", "    "))
    for name, part in claim.judgement.parts:
        print(folded(f"    {name}: {part.verdict}: {part.reason}", "      "))
    print(f"  {look.hours:.3f} core-hours, {log.spent:.3f} of {log.hours:g} in all", flush=True)
    return log


def _tabulate(claim: OpenClaim) -> None:
    """Makes the table of a claim again from all runs that are there, published ones too."""
    from reactivate.stages.tabulate import tabulate  # imports torch

    if isinstance(claim.exhibit.form, Trained):
        tabulate(claim.exhibit.scale, claim.paper, claim.exhibit.name, EXISTING)


def _ahead(claims: list[OpenClaim]) -> list[OpenClaim]:
    """The claims that more seeds may decide, the best first."""
    return sorted((c for c in claims if not c.closed), key=lambda c: (-c.value, c.name))


def _plan(claims: list[OpenClaim]) -> list[dict[str, object]]:
    """Every claim for programs: its looks, the best claim first, or why there is none."""
    return [
        {
            "claim": claim.name,
            "closed": claim.closed,
            "looks": [
                {"replicates": look, "core_hours": ahead.hours, "chance": ahead.chance}
                for look, ahead in (() if claim.closed else claim.prospects.items())
                if ahead.hours is not None
            ],
        }
        for claim in [*_ahead(claims), *(claim for claim in claims if claim.closed)]
    ]


def _print_plan(claims: list[OpenClaim], hours: float) -> None:
    """Prints every claim: what its next look would take, or why there is none."""
    ahead = _ahead(claims)
    needed = 0.0
    if ahead:
        print("looks, with core-hours and how likely each decides, the best claim first")
    for claim in ahead:
        told = [
            f"{look}: {prospect.hours:.3f} h, {100 * prospect.chance:.0f} %"
            for look, prospect in claim.prospects.items()
            if prospect.hours is not None
        ]
        print(folded(f"{claim.name}: {'; '.join(told)}", "  "))
        needed += claim.next.hours or 0.0
    if ahead:
        print(f"the next look of all: {needed:.3f} core-hours; given are {hours:g}")
    for claim in claims:
        if claim.closed:
            print(folded(f"{claim.name}: {claim.closed}", "  "))


def _print_end(claims: list[OpenClaim], log: DecisionLog, scale: str) -> None:
    """Prints what was decided, what it took, and what the rest would take."""
    tried = dict.fromkeys(look.claim for look in log.looks)
    decided = [c for c in claims if c.name in tried and c.judgement.verdict != UNDECIDED]
    print(f"decided with {log.spent:.3f} of {log.hours:g} core-hours: {len(decided)}")
    for claim in decided:
        print(folded(f"  {claim.name}: {claim.closed}", "    "))
    _print_plan([claim for claim in claims if claim not in decided], log.hours)
    touched = dict.fromkeys(
        exhibit.file("csv").as_posix()
        for paper in dict.fromkeys(name.split("/")[0] for name in tried)
        for exhibit in Experiment.load(scale).exhibits(paper)
        if {f"{p.cell.dataset}/{p.cell.stem}" for p in exhibit.places}
        & {cell for look in log.looks for cell in look.cells}
    )
    if touched:
        print(f"exhibits with the new seeds: snakemake {' '.join(touched)}")
