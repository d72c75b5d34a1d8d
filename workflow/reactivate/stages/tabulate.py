"""Collect the runs or the recomputed values of an exhibit into its table, beside the printed."""

from reactivate.auditing.judged_tables import told_of, verdicts_of
from reactivate.evidence import tables
from reactivate.evidence.entries import entries_of, measured_note
from reactivate.evidence.latex import latex
from reactivate.evidence.provenance import Evidence, Provenance, ShownCell, write_provenance
from reactivate.evidence.typesetting import markdown
from reactivate.experiment.exhibits import Best, Computed, Trained
from reactivate.experiment.experiment import EVERYTHING, EXISTING, Experiment
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import sha256, write_atomically


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.tabulate --scale S --paper P --exhibit E [--reach R]``."""
    scale, paper, name, reach = named_arguments(__doc__, "scale", "paper", "exhibit", **REACH)
    if not tabulate(scale, paper, name, reach):
        raise ValueError(
            f"none of the runs of {paper}/{name} at the scale {scale} exists, and the reach "
            f"{reach!r} makes none; without it: snakemake results/{scale}/{paper}/{name}.csv"
        )


def tabulate(scale: str, paper: str, name: str, reach: str = EVERYTHING) -> bool:
    """Writes ``csv``, ``md``, ``tex`` and ``provenance.json`` of an exhibit.

    Returns:
        Whether there is anything to show: of what exists there may be nothing.
    """
    experiment = Experiment.load(scale, reach)
    resolved = experiment.exhibit(paper, name)
    exhibit = resolved.form
    if not isinstance(exhibit, Trained | Best | Computed):
        raise ValueError(f"{paper}/{name} is a figure; make it with: snakemake its .png")
    shown = entries_of(resolved, existing=reach == EXISTING)
    if not shown:
        return False
    entries = [entry for entry, _ in shown]
    cells = [
        ShownCell.of(entry, exhibit.printed_at(entry.row, entry.column), records)
        for entry, records in shown
    ]
    source = resolved.paper
    judged = source.trained[exhibit.of] if isinstance(exhibit, Best) else exhibit
    evidence = Evidence({cell.place: cell for cell in cells})
    verdicts = verdicts_of(experiment, source, name, evidence)
    told = told_of(source, exhibit, verdicts)
    stand_ins = experiment.form.stand_ins
    text = tables.caption(exhibit, judged, source.title, scale, entries, stand_ins, told)
    text += measured_note(resolved, entries)
    layout = tables.Layout(exhibit, entries)
    with write_atomically(resolved.file("csv")) as part:
        layout.tidy(told).to_csv(part, index=False)
    for ending, typeset in (("md", markdown), ("tex", latex)):
        with write_atomically(resolved.file(ending)) as part:
            part.write_text(typeset(layout, told, text), encoding="utf-8")
    provenance = Provenance(
        paper=paper,
        exhibit=name,
        scale=scale,
        caption=text,
        metric=judged.metric.model_dump() if isinstance(judged, Trained) else None,
        cells=cells,
        verdicts=verdicts,
        files={e: sha256(resolved.file(e)) for e in ("csv", "md", "tex")},
    )
    write_provenance(resolved.file("provenance.json"), provenance)
    return True


if __name__ == "__main__":
    main()
