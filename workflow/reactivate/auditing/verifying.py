"""Everything an audit rests on, hashed again: what was changed, is lost, old or uncommitted."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reactivate.auditing.assurances import (
    PROVENANCE,
    Assurance,
    checksum,
    of_sums,
    settle,
    vouched,
)
from reactivate.auditing.consistency import Comparison, gives_its_table
from reactivate.auditing.currency import older_code, outdated_checks
from reactivate.auditing.data import older_data
from reactivate.auditing.findings import Finding
from reactivate.evidence.publication import SUMS
from reactivate.evidence.records import RECORD, changed_paths
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.loading import load_exhibit, paper_names
from reactivate.experiment.paths import PUBLISHED, RESULTS, checks_file
from reactivate.foundation.files import read_json


@dataclass
class Verification:
    """A scale below ``results/`` or ``published/``, hashed again."""

    scale: str
    root: Path
    contents: dict[Path, dict[str, Any]] = field(default_factory=dict)
    assurances: list[Assurance] = field(default_factory=list)
    doubtful: set[Path] = field(default_factory=set)  # not what was recorded: not believed

    @property
    def folder(self) -> Path:
        return self.root / self.scale

    @property
    def files(self) -> int:
        """How many were hashed."""
        return len({assurance.about for assurance in self.assurances})

    def findings(self) -> list[Finding]:
        """What is the matter with files of this scale."""
        found = list(self._read())
        uncommitted = set[Path]()
        if self.root == PUBLISHED:
            uncommitted = changed_paths(self.folder) or uncommitted
            found += self._hear_sums(uncommitted)
        found += settle(self.assurances).values()
        self.doubtful = {finding.path for finding in found if finding.wrong}
        believed = {p: c for p, c in self.contents.items() if p not in self.doubtful}
        for path, content in believed.items():
            found += _about(path, content)
        found += Comparison(self.scale, self.root, believed, self.doubtful).findings()
        found += [Finding("uncommitted", path, "it is not as committed") for path in uncommitted]
        return found

    def _read(self) -> Iterator[Finding]:
        """Reads records, exhibits' provenance and judgements, and what they vouch for."""
        judged = {checks_file(self.scale, paper, self.root) for paper in paper_names()}
        for path in sorted(self.folder.rglob("*.json")):
            vouches = path.name == RECORD or path.name.endswith(PROVENANCE)
            if not vouches and path not in judged:
                continue
            try:
                content = read_json(path)
                said = vouched(path, content, self.root) if vouches else []
            except ValueError as error:
                yield Finding("tampered", path, f"it cannot be read ({error})")
                continue
            # published files have sums; of results a table and its provenance watch each other
            table = self.root == RESULTS and vouches and path.name != RECORD
            if table and not gives_its_table(content):
                yield Finding(*self._denied(path, content))
                continue
            self.assurances += said
            self.contents[path] = content

    def _denied(self, path: Path, content: dict[str, Any]) -> tuple[str, Path, str]:
        """A provenance file whose numbers do not give the table that it vouches for."""
        make = f"make it again with: snakemake --force {path.name.replace(PROVENANCE, '.csv')}"
        exhibit = load_exhibit(content["paper"], content["exhibit"])
        assert isinstance(exhibit, Grid)
        printed = {(c["row"], c["column"]): c["printed"] for c in content["cells"]}
        if any(exhibit.printed_at(*place) != text for place, text in printed.items()):
            return "stale", path, f"printed otherwise in config/papers; {make}"
        return "tampered", path, f"its numbers are not those of the table it vouches for; {make}"

    def _hear_sums(self, uncommitted: set[Path]) -> Iterator[Finding]:
        """Hears the list of all files; yields what it does not know."""
        sums = self.folder / SUMS
        try:
            listed = list(of_sums(self.folder))
        except FileNotFoundError:
            yield Finding("missing", sums, f"reactivate publish --scale {self.scale} writes it")
            return
        except ValueError as error:
            yield Finding("tampered", sums, str(error))
            return
        for assurance in listed:
            if sums in uncommitted and assurance.about not in uncommitted:
                found = checksum(assurance.about)
                if found != assurance.expected:  # the list was changed, not the file
                    said = f"of {assurance.about}, which is as committed: {found}"
                    yield Finding("tampered", sums, f"it says {assurance.expected} {said}")
                    continue
            self.assurances.append(assurance)
        known = {assurance.about for assurance in listed}
        for path in sorted(self.folder.rglob("*")):
            if path.is_file() and path not in known and path != sums:
                yield Finding("unvouched", path, f"{sums} does not list it")


def _about(path: Path, content: dict[str, Any]) -> Iterator[Finding]:
    """What a file that is as recorded says against itself."""
    if content.get("git", {}).get("dirty"):
        commit = content["git"]["commit"]
        yield Finding("dirty", path, f"made from commit {commit} and changes on top of it")
    if "claims" in content:
        old = list(outdated_checks(path.parts[2], content))
        if old:
            said = f"{len(old)} of {len(content['claims'])} statements were judged by older code"
            yield Finding("stale", path, f"{said}, e.g. {old[0]}")
    elif "code" in content:
        yield from (Finding("stale", path, said) for said in _older_code(path, content))
        yield from (Finding("stale", path, said) for said in older_data(content))


def _older_code(path: Path, content: dict[str, Any]) -> Iterator[str]:
    try:
        said = older_code(path, content)
    except ValueError as error:
        yield f"the configuration no longer has it ({error})"
        return
    if said is not None:
        yield said
