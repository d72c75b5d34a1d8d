"""The block of README.md that counts verdicts, generated from published/."""

import re
from pathlib import Path

import pandas as pd

from reactivate.auditing.counts import verdict_counts
from reactivate.experiment.loading import load_scales, paper_names
from reactivate.experiment.paths import PUBLISHED, audit_file

README = Path("README.md")
BEGIN, END = "<!-- verdicts: begin -->", "<!-- verdicts: end -->"


def verdict_block() -> str:
    """A line per paper and published scale: how many claims got which verdict."""
    lines = [
        "| paper | scale | claims | verdicts |",
        "| --- | --- | --- | --- |",
    ]
    paths = {scale: audit_file(scale, "csv", PUBLISHED) for scale in load_scales()}
    counts = {s: verdict_counts(pd.read_csv(path)) for s, path in paths.items() if path.exists()}
    for paper in paper_names():
        for scale, papers in counts.items():
            if paper in papers:
                text = ", ".join(f"{count} {name}" for name, count in papers[paper].items())
                claims = sum(papers[paper].values())
                lines.append(f"| {paper} | {scale} | {claims} | {text} |")
    return "\n".join(lines)


def with_block(text: str, block: str) -> str:
    """The README with its block replaced."""
    pattern = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"README.md has no block between {BEGIN} and {END}; put the marks back")
    return pattern.sub(lambda _: f"{BEGIN}\n{block}\n{END}", text)
