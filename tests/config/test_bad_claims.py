"""A mistake in a claim, a finding or a protocol is one clear message with its file and name."""

import pytest
from reactivate.experiment import loading

GMP = "papers/gmp/paper.yaml"
BEST = "check: {exhibit: table3, best: gmp}"
SLIP = "    misprint:\n      quote:\n        - >-\n          Performance of a single"
LIST = "\n      cases: all\n      fixed: {paper: 200, laptop: 50}"
CHOICE = "        value: direction\n        alternatives: [location]\n"
PSC = "papers/psc/paper.yaml"
BAD = {
    "a comparison of ours with a misspelt row": (
        (PSC, "      ahead: [psc, spsc]", "      ahead: [psc, spcs]"),
        [
            "config/papers/psc/paper.yaml: findings.negatives_help.compared: unknown row 'spcs'; "
            "did you mean spsc?"
        ],
    ),
    "a comparison of ours by a metric that nothing measures": (
        (PSC, "      metric: top1", "      metric: top11"),
        ["findings.negatives_help.compared: unknown metric 'top11'; did you mean top1"],
    ),
    "a comparison of ours between nothing": (
        (PSC, "      behind: [relu]", "      behind: []"),
        ["findings.negatives_help.compared.behind is []", "at least 1 item"],
    ),
    "a comparison of ours that does not say which cases": (
        (PSC, "minus that of ReLU, replicate: a seed, cases: all}", "x, replicate: a seed}"),
        ["findings.negatives_help: compared.effect.cases is missing; accepted: all, some or most"],
    ),
    "a claim that nobody can run, without a sentence": (
        (GMP, BEST, "check: {not_run: compute}"),
        ["claims.gmp_best.check: not_run needs why, in a sentence, and why needs not_run"],
    ),
    "a reason for which nothing is left out": (
        (GMP, BEST, "check: {not_run: lazy, why: It is long.}"),
        ["claims.gmp_best.check.not_run: the verdict not_run cannot have the detail 'lazy'"],
    ),
    "a check with a key of old": (
        (GMP, BEST, "check: {exhibit: table3, best: gmp, where: every}"),
        ["claims.gmp_best.check: unknown key 'where'"],
    ),
    "a claim without what would change it": (
        (
            GMP,
            "    would_change: A figure with more units than the ten that the caption names.\n",
            "",
        ),
        ["config/papers/gmp/paper.yaml: claims.figure3_units.would_change is missing; add it"],
    ),
    "a misprint that is checked too": (
        (GMP, SLIP, f"    {BEST}\n{SLIP}"),
        ["claims.figure3_units: a claim needs exactly one of check, misprint and contradicts"],
    ),
    "a misprint whose right form has no lines": (
        (GMP, "      lines: [[164, 164], [164, 164]]\n", ""),
        ["claims.figure3_units.misprint.lines is missing; add it"],
    ),
    "a comparison without an effect": (
        (
            GMP,
            "    kind: statement\n    says: The spatial location, or",
            "    kind: comparison\n    says: The spatial location, or",
        ),
        [
            "claims.location_determines_boundary: a comparison needs effect: one number per "
            "replicate"
        ],
    ),
    "an effect of a statement": (
        (
            GMP,
            "    kind: comparison\n    says: In Figures 1b-1e,",
            "    kind: statement\n    says: In Figures 1b-1e,",
        ),
        ["claims.gmp_is_most_stable: a statement has no effect; only a comparison has"],
    ),
    "a kind that no claim has": (
        (
            GMP,
            "    kind: comparison\n    says: In Figures 1b-1e,",
            "    kind: order\n    says: In Figures 1b-1e,",
        ),
        ["claims.gmp_is_most_stable.kind is 'order'", "'statement', 'number' or 'comparison'"],
    ),
    "an effect that asks for a margin": (
        (GMP, LIST, f"\n      asks: comparable{LIST}"),
        ["claims.gmp_is_most_stable.effect: an effect asks comparable with margin None"],
    ),
    "a list that speaks of other cases": (
        (GMP, LIST, "\n      cases: every"),
        ["claims.gmp_is_most_stable.effect.cases is 'every'", "'all', 'some' or 'most'"],
    ),
    "a choice without a reason": (
        (GMP, f"{CHOICE}        reason:", f"{CHOICE}        because:"),
        ["claims.gmp_is_most_stable.choices.change: unknown key 'because'"],
    ),
    "a finding that is a claim": (
        (GMP, "\nfindings:\n  uniform_angles:", "\nfindings:\n  gmp_best:"),
        ["gmp_best is both a claim and a finding; rename one in config/papers/gmp"],
    ),
    "a finding about a person": (
        (GMP, "    about: reading", "    about: author"),
        ["findings.uniform_angles.about is 'author'", "'program', 'cited', 'choice', 'reading'"],
    ),
    "a finding with a verdict": (
        (GMP, "    about: reading", "    about: reading\n    would_change: Nothing."),
        ["findings.uniform_angles: unknown key 'would_change'"],
    ),
    "a finding on an unknown analysis": (
        (
            GMP,
            'check: {function: "reactivate.documents.gmp.section4_3_claims:uniform_angles"}',
            'check: {exhibit: figure9, judge: "reactivate.documents.gmp.section4_3_claims:u"}',
        ),
        ["unknown analysis 'figure9'", "findings.uniform_angles of config/papers/gmp"],
    ),
    "a protocol without words": (
        (
            GMP,
            "  authors_code:\n    says: The authors'",
            "  authors_code:\n    said: The authors'",
        ),
        ["protocols.authors_code: unknown key 'said'; Known: afterwards, is_ours"],
    ),
    "a mark at a reading that the claim does not have": (
        (GMP, "on_test_split: [the better of 0.01 and 0.1]", "on_test_split: [two rates]"),
        [
            "config/papers/gmp/paper.yaml: claims.levy_rates.choices.rates.on_test_split: "
            "unknown reading 'two rates'",
            "Known: cross-validation over 0.001 to 1, the better of 0.01 and 0.1. "
            "Add it to rates.alternatives",
        ],
    ),
    "a mark at a crossing, one part of which is unknown": (
        (GMP, "afterwards: [than at the start]", "afterwards: [than others / than at the end]"),
        [
            "claims.banana_locations_cover_the_data.choices.nearer.afterwards: unknown reading "
            "'than at the end'; did you mean than at the start",
        ],
    ),
    "a mark that is no truth": (
        (GMP, "    on_test_split: true\n  cv:", "    on_test_split: often\n  cv:"),
        ["protocols.authors_code.on_test_split is 'often'", "valid boolean"],
    ),
}


@pytest.mark.parametrize("mistake", sorted(BAD))
def test_a_mistake_in_a_claim_is_named_with_its_file_and_what_is_accepted(edit, mistake):
    change, expected = BAD[mistake]
    edit(*change)
    paper = change[0].split("/")[1]
    with pytest.raises(ValueError, match=f"config/papers/{paper}") as error:
        loading.load_paper(paper)
    message = str(error.value)
    assert [part for part in expected if part not in message] == [], message
