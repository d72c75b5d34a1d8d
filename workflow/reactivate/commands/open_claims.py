"""Claims that more seeds may decide: where each stands, and what its next look would take."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from reactivate.auditing.analysed_claims import inquire as inquire_analysis
from reactivate.auditing.comparisons import compared, inquire, readings_of
from reactivate.auditing.learning import Learning
from reactivate.auditing.own_comparisons import compared_places, inquire_runs
from reactivate.auditing.rows import left_out
from reactivate.commands.look_costs import Work
from reactivate.evidence.provenance import Evidence
from reactivate.experiment.cell import Cell
from reactivate.experiment.exhibits import Trained
from reactivate.experiment.experiment import EXISTING, Experiment
from reactivate.experiment.paths import RECORD
from reactivate.experiment.places import Place
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.seeds import why_not_raised
from reactivate.experiment.statements import Statement
from reactivate.foundation.registry import unknown_name
from reactivate.judging.judgement import Judgement
from reactivate.judging.prospects import TRIES, Inquiry, chance_to_decide, is_open
from reactivate.judging.verdicts import UNDECIDED, Kind
from reactivate.stages.audit import as_configured


@dataclass(frozen=True)
class Prospect:
    """The probability that a claim is decided by a look, and what it takes to get there."""

    chance: float
    hours: float | None  # of core; None: nobody knows

    @property
    def value(self) -> float:
        """Decisions that an hour is expected to bring."""
        return 0.0 if self.hours is None else self.chance / max(self.hours, 1e-9)


@dataclass(frozen=True)
class OpenClaim:
    """A comparison, the runs that it needs, and what was found of it so far."""

    name: str  # paper/claims/name, or paper/findings/name
    exhibit: RunExhibit
    places: tuple[Place, ...]  # whose cells it compares
    found: Inquiry | Judgement
    of_analysis: bool  # whether an analysis of all cells of the exhibit stands between

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return self.exhibit.paper.paper

    @cached_property
    def judgement(self) -> Judgement:
        """The verdict as it is now."""
        return self.found.judgement if isinstance(self.found, Inquiry) else self.found

    @property
    def cells(self) -> list[Cell]:
        """The cells that it compares, each once."""
        return list(dict.fromkeys(place.cell for place in self.places))

    @property
    def look(self) -> int | None:
        """The replicates of its next look; None if there is none."""
        return self.found.next_look if isinstance(self.found, Inquiry) else None

    @cached_property
    def closed(self) -> str:
        """Why more seeds are not run for it, in words; empty if they may decide it."""
        if self.judgement.verdict != UNDECIDED or not isinstance(self.found, Inquiry):
            return f"{self.judgement.verdict}: {self.judgement.reason}"
        if self.look is None or not is_open(self.found):
            return f"stays undecided, no replicates would change it: {self.judgement.reason}"
        if not self._reads_all_seeds:
            return "undecided: its analysis looks at one network of each kind"
        for place in self.places:
            of = self.exhibit
            why = why_not_raised(of.scale, of.paper, of.limits, place.cell, self.look)
            if why and self.exhibit.cell(place).seeds < self.look:
                return f"undecided: {place.cell.stem} cannot have {self.look} seeds: {why}"
        present = min((self.exhibit.cell(place).seeds for place in self.places), default=0)
        if self.found.attempted < present and not self.work(present).seconds:
            return f"undecided: {present} seeds are {self.found.attempted} of its replicates"
        if self.next.hours is None:
            return "undecided: nobody knows what its runs would take"
        if not self.value:
            return f"undecided: {TRIES} made-up continuations to the last look do not decide it"
        return ""

    @cached_property
    def prospects(self) -> dict[int, Prospect]:
        """The probability to be decided, and the core-hours, by each look that is left."""
        assert isinstance(self.found, Inquiry)
        left = [look for look in self.found.plan.looks if look > self.found.attempted]
        return {
            look: Prospect(
                chance_to_decide(self.found, look, f"{self.name} {look}"), self.work(look).hours
            )
            for look in left
        }

    @property
    def next(self) -> Prospect:
        """The prospect of the next look."""
        assert self.look is not None
        return self.prospects[self.look]

    @property
    def value(self) -> float:
        """Decisions that an hour is expected to bring, up to the look where they are most.

        A next look that seldom decides may be on the way to one that does.
        """
        return max(prospect.value for prospect in self.prospects.values())

    def work(self, seeds: int) -> Work:
        """The runs that are missing for so many seeds of every cell it compares."""
        work = Work()
        for place in self.places:
            cell = self.exhibit.cell(place)
            count = max(seeds, cell.seeds) if self.of_analysis else seeds
            self._add(work, place, count)
        if self.of_analysis:
            mine = set(self.cells)
            for place in self.exhibit.places:
                if place.cell not in mine:
                    self._add(work, place, self.exhibit.cell(place).seeds)
            if work.seconds:
                work.add_analysis(self.exhibit.analysis_folder / RECORD)
        return work

    def targets(self, work: Work) -> list[Path]:
        """The files that Snakemake is asked for, to have that work done.

        Runs are named beside the analysis of them: where Snakemake does not remember what an
        analysis was made from, it does not notice that more runs are asked for.
        """
        analysis = [self.exhibit.analysis_folder / RECORD] if self.of_analysis else []
        return list(dict.fromkeys([*work.seconds, *analysis]))

    def _add(self, work: Work, place: Place, seeds: int) -> None:
        """Counts what so many seeds of a place need: observed trainings, or runs."""
        cell = self.exhibit.cell(place)
        if self.exhibit.is_observed:
            work.add_observations(cell, seeds)
        else:
            work.add_seeds(cell, place.measurement, seeds, whole=self.of_analysis)

    @property
    def _reads_all_seeds(self) -> bool:
        is_analysis = not isinstance(self.exhibit.form, Trained) and self.of_analysis
        return not is_analysis or self.exhibit.reads_every_seed


def open_claims(scale: str, asked: list[str]) -> list[OpenClaim]:
    """The comparisons that were asked for, by paper or one by one; those of all papers if none.

    Raises:
        ValueError: There is no such paper or claim.
    """
    experiment = Experiment.load(scale, EXISTING)
    wanted = asked or list(experiment.papers)
    papers = dict.fromkeys(name.split("/")[0] for name in wanted)
    for paper in papers:
        if paper not in experiment.papers:
            raise unknown_name("paper", paper, list(experiment.papers), "config/papers")
    every = {claim.name: claim for paper in papers for claim in _of_paper(experiment, paper)}
    for name in wanted:
        if name not in papers and name not in every:
            where = f"claims, or findings that are compared, in config/papers/{name.split('/')[0]}"
            raise unknown_name("comparison", name, list(every), where)
    return [claim for name, claim in every.items() if {name, claim.paper} & set(wanted)]


def _of_paper(experiment: Experiment, name: str) -> Iterator[OpenClaim]:
    paper = experiment.paper(name)
    for claim, statement in paper.claims.items():
        check = statement.check
        if statement.kind is Kind.COMPARISON and check is not None and check.exhibit is not None:
            yield _of_claim(experiment, name, claim, statement)
    for finding, form in paper.findings.items():
        if form.compared is not None:
            assert form.check is not None
            exhibit = experiment.exhibit(name, str(form.check.exhibit))
            places = tuple(compared_places(exhibit, form.check, form.compared))
            found = inquire_runs(exhibit, form.check, form.compared)
            yield OpenClaim(f"{name}/findings/{finding}", exhibit, places, found, False)


def _of_claim(experiment: Experiment, paper: str, name: str, statement: Statement) -> OpenClaim:
    check = statement.check
    assert check is not None
    exhibit = experiment.exhibit(paper, str(check.exhibit))
    rows = set(check.rows or [place.row for place in exhibit.places])
    columns = set(check.columns or [place.column for place in exhibit.places])
    places = tuple(p for p in exhibit.places if p.row in rows and p.column in columns)
    address = f"{paper}/claims/{name}"
    if check.judge is not None:
        found = inquire_analysis(experiment, paper, statement)
        return OpenClaim(address, exhibit, places, found, True)
    evidence, source = Evidence({}), exhibit.file("provenance.json")
    if source.exists():
        evidence = as_configured(exhibit, Evidence.read(source))
    table = Learning(exhibit, evidence)
    first = [names[0] for names in compared(table.form, check)]
    data = table.form.coordinates(*first)["dataset"]
    missing = left_out(experiment.scale, experiment.absence(exhibit), data)
    inquiry = inquire(statement, table, missing)
    read = [check.protocol] if check.protocol else readings_of(exhibit.paper, table.form.protocols)
    judged = tuple(place for place in places if place.protocol in read)
    return OpenClaim(address, exhibit, judged, missing if inquiry is None else inquiry, False)
