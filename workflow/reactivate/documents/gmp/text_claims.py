"""GmP: statements that other places of the document contradict."""

from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.loading import load_exhibit
from reactivate.experiment.printed import Printed

FIGURE3_UNITS = {"Section 3.5": 100, "the caption": 10}
MEASURES = ("top1", "top5")
BATCHES = (256, 512, 1024)


def figure3_units() -> Judgement:
    """Section 3.5: the networks of Figure 3 have 100 ReLU units."""
    said = ", ".join(f"{count} in {place}" for place, count in FIGURE3_UNITS.items())
    return judge(
        len(set(FIGURE3_UNITS.values())) == 1,
        f"units of Figure 3: {said}; ten paths are drawn, and the authors' code has 10",
    )


def improvement_grows() -> Judgement:
    """Section 5.2: GmP+IMN's lead over each other method grows with the batch size."""
    table = load_exhibit("gmp", "table2")
    assert isinstance(table, Grid)

    def printed(row: str, measure: str, batch: int) -> float:
        return Printed.parse(table.printed_at(row, f"{measure}_{batch}")).value

    falls = []
    for row in table.row_names:
        for measure in MEASURES:
            leads = [printed("gmp_imn", measure, b) - printed(row, measure, b) for b in BATCHES]
            if row != "gmp_imn" and not leads[0] < leads[1] < leads[2]:
                falls.append(f"{row} {measure} " + ", ".join(f"{lead:.2f}" for lead in leads))
    others = (len(table.row_names) - 1) * len(MEASURES)
    return judge(
        not falls,
        f"leads in Table 2 at batches {BATCHES}; not growing in {len(falls)} of {others}: "
        + "; ".join(falls),
    )
