"""What a scale changes for each arm of a comparison: fair only if it is the same for all."""

from reactivate.experiment.exhibits import Cells
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.statements import Check
from reactivate.judging.scale import Override


def arms_of(exhibit: RunExhibit, check: Check) -> dict[str, dict[str, Override]]:
    """Settings that a scale changes, by arm: the rows that are compared, or the columns.

    A setting is named with its place in the other direction, so that only what is compared with
    each other has to be alike.
    """
    form = exhibit.form
    if not isinstance(form, Cells):
        return {}
    rows, columns = check.rows or form.row_names, check.columns or form.column_names
    by_column = check.best is not None and check.best not in rows
    arms: dict[str, dict[str, Override]] = {}
    for place in exhibit.places:
        if place.row in rows and place.column in columns:
            names = (place.row, place.column)
            arm, other = names[::-1] if by_column else names
            for name, value in exhibit.overrides_of(place).items():
                said = arms.setdefault(arm, {})
                said[f"{name} ({other}, {place.protocol})"] = Override(value)
    return arms
