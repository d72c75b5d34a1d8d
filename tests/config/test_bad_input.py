"""A mistake in the configuration is one clear message: file, key, value, what is accepted."""

import pytest
from reactivate.experiment import loading
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment

GMP = "papers/gmp/paper.yaml"
CHAPTER3 = "papers/thesis/chapter3.yaml"
CHAPTER5 = "papers/thesis/chapter5.yaml"
CRELU = "papers/crelu/paper.yaml"
IIEU = "papers/iieu/paper.yaml"
SCALES = "scales.yaml"
GMP_SCALES = "papers/gmp/scales.yaml"
THESIS_SCALES = "papers/thesis/scales.yaml"
CRELU_SCALES = "papers/crelu/scales.yaml"
IIEU_SCALES = "papers/iieu/scales.yaml"
HEADLINES = "papers/psc/headlines.yaml"
QUOTE = (
    "quote: >-\n"
    "      Table 3 shows that GmP consistently achieves the best test RMSE on all benchmarks"
)  # of gmp_best
QUOTED = f"{QUOTE}\n    lines: [253, 253]"
RESTS = "    claims: [never_below_the_bound, bound_system]\n    exhibits: [bound, bound_fit]\n"
BAD = {
    "unknown key of a recipe": (
        [(GMP, "    loss: mse", "    lost: mse")],
        [
            "config/papers/gmp/paper.yaml: recipes.document: unknown key 'lost'",
            "did you mean loss?",
        ],
    ),
    "unknown key of an exhibit": (
        [(GMP, "    locator: Table 3", "    loctor: Table 3")],
        [
            "config/papers/gmp/paper.yaml: exhibits.table3",
            "unknown key 'loctor'",
            "did you mean locator?",
        ],
    ),
    "unknown key of a paper": (
        [(GMP, "\nmodels:", "\nmodel:")],
        ["config/papers/gmp/paper.yaml: unknown key 'model'", "did you mean models?"],
    ),
    "missing key": (
        [(GMP, "    epochs: 5000\n", "")],
        ["config/papers/gmp/paper.yaml: recipes.document.epochs is missing; add it"],
    ),
    "a word where a number is due": (
        [(GMP, "    epochs: 5000", "    epochs: many")],
        ["recipes.document.epochs is 'many'", "valid integer"],
    ),
    "a number with a point where a count is due": (
        [(GMP, "    epochs: 5000", "    epochs: 5000.5")],
        ["recipes.document.epochs is 5000.5", "valid integer"],
    ),
    "a word that is not among the accepted": (
        [(GMP, "    loss: mse", "    loss: msee")],
        ["recipes.document.loss is 'msee'", "'mse' or 'mae'"],
    ),
    "a fraction above one": (
        [(GMP, "test_fraction: 0.2", "test_fraction: 1.2")],
        ["recipes.document.splits.test_fraction is 1.2", "less than 1"],
    ),
    "a patience of zero": (
        [(GMP, "stop: {patience: 100}", "stop: {patience: 0}")],
        ["recipes.document.stop.patience is 0", "greater than or equal to 1"],
    ),
    "validation without data": (
        [(GMP, "validation_fraction: 0.2", "validation_fraction: 0")],
        ["recipes.document", "monitor: validation needs splits.validation_fraction above 0"],
    ),
    "misspelt activation": (
        [(GMP, "activation: relu", "activation: rleu")],
        [
            "config/papers/gmp/paper.yaml: exhibits.table1: unknown activation 'rleu'",
            "relu",
            "activations/__init__.py",
        ],
    ),
    "misspelt argument of a network at a scale": (
        [(IIEU_SCALES, "arguments: {short: 160}", "arguments: {shrot: 160}")],
        ["unknown argument 'shrot'", "short", "smoke.recipes.mmdetection_1x"],
    ),
    "dropout of a network without any": (
        [
            (
                CRELU_SCALES,
                "convpool: &tiny {epochs: 2,",
                "convpool: &tiny {dropout_factor: 0.5, epochs: 2,",
            )
        ],
        ["unknown argument 'dropout_factor'", "input_dropout", "smoke.recipes.convpool"],
    ),
    "a mark at a protocol that a table does not have": (
        [(CHAPTER5, "reason: the thesis states none for MNIST}", "reason: x, afterwards: [doc]}")],
        [
            "chapter5.yaml: exhibits.table5_1.choices.augmentation.afterwards: "
            "unknown reading 'doc'",
            "document",
            "Add it to augmentation.alternatives",
        ],
    ),
    "breakpoints of a misspelt activation": (
        [(CHAPTER5, "tanh: *tried", "tnah: *tried")],
        [
            "chapter5.yaml: observations.vgg16_120.breakpoints: unknown activation 'tnah'",
            "did you mean tanh?",
            "activations/__init__.py",
        ],
    ),
    "breakpoints that fall": (
        [(CHAPTER5, "[-1.0, 1.0]", "[1.0, -1.0]")],
        [
            "observations.vgg16_120.breakpoints",
            "[1.0, -1.0] do not increase; accepted: increasing",
        ],
    ),
    "misspelt dataset": (
        [(GMP, "wine, yacht]", "wine, yatch]")],
        [
            "config/papers/gmp/paper.yaml: exhibits.table3: unknown dataset 'yatch'",
            "did you mean yacht?",
            "datasets.yaml",
        ],
    ),
    "misspelt parameterization": (
        [
            (GMP, "[sp, wn, bn, gmp]", "[sp, wm, bn, gmp]"),
            (GMP, '      wn: ["3.459', '      wm: ["3.459'),
        ],
        [
            "config/papers/gmp/paper.yaml: exhibits.table3: unknown parameterization 'wm'",
            "Known: bn, gmp, sp, wn",
        ],
    ),
    "misspelt model": (
        [(GMP, "model: mlp100", "model: mlp10")],
        [
            "config/papers/gmp/paper.yaml: exhibits.table3: unknown model 'mlp10'",
            "did you mean mlp100?",
        ],
    ),
    "misspelt protocol": (
        [(GMP, "protocols: [document, authors_code", "protocols: [document, author_code")],
        [
            "config/papers/gmp/paper.yaml: exhibits.table2: ",
            "protocols does not say what 'author_code' is",
            "did you mean authors_code?",
        ],
    ),
    "misspelt recipe": (
        [(GMP, "recipe: resnet50", "recipe: resnet5")],
        [
            "config/papers/gmp/paper.yaml: exhibits.table1: unknown recipe 'resnet5'",
            "did you mean resnet50?",
            "Add it to recipes in config/papers/gmp",
        ],
    ),
    "a protocol without a recipe": (
        [(GMP, "  cv:\n    like: document", "  vc:\n    like: document")],
        [
            "config/papers/gmp/paper.yaml: exhibits.table3: unknown recipe 'cv'",
            "Known: all_rows, all_rows_code,",
        ],
    ),
    "a protocol without its variant of a recipe": (
        [(CHAPTER3, "  chapter3_authors_code:", "  chapter3_code:")],
        [
            "config/papers/thesis/chapter3.yaml: exhibits.table3_2: ",
            "unknown recipe 'chapter3_authors_code'",
            "recipes in config/papers/thesis",
        ],
    ),
    "a protocol nobody explains": (
        [(GMP, "\n  cv: As document, the", "\n  cw: As document, the")],
        ["config/papers/gmp/paper.yaml: exhibits.table3: protocols does not say what 'cv' is"],
    ),
    "a factor of the rate for an unknown parameterization": (
        [
            (
                THESIS_SCALES,
                "lr_factor: {default: 0.1, bn: 1.0}",
                "lr_factor: {default: 0.1, nb: 1.0}",
            )
        ],
        ["laptop.recipes.chapter3_resnet34.lr_factor: unknown parameterization 'nb'"],
    ),
    "factors of the rate without a default": (
        [(THESIS_SCALES, "lr_factor: {default: 0.1, bn: 1.0}", "lr_factor: {bn: 1.0}")],
        ["laptop.recipes.chapter3_resnet34.lr_factor.default is missing; add it"],
    ),
    "a learning rate of an unknown parameterization": (
        [(GMP, "lr: {default: 0.01, gmp: 0.1}", "lr: {default: 0.01, gpm: 0.1}")],
        ["recipes.document.lr: unknown parameterization 'gpm'", "did you mean gmp", "default"],
    ),
    "a learning rate for some only": (
        [(GMP, "lr: {default: 0.01, gmp: 0.1}", "lr: {gmp: 0.1}")],
        ["config/papers/gmp/paper.yaml: recipes.document.lr.default is missing; add it"],
    ),
    "a recipe like one that is not there": (
        [(GMP, "    like: document", "    like: dokument")],
        ["recipes.authors_code.like is 'dokument'", "accepted: one of the recipes written above"],
    ),
    "a list where recipes are due": (
        [(GMP, "\nrecipes:\n", "\nrecipes: [adam]\nmeasurements:\n")],
        ["config/papers/gmp/paper.yaml: recipes is ['adam']", "accepted: a mapping"],
    ),
    "too few printed numbers": (
        [(GMP, ', "0.584±0.046"]', "]")],
        [
            "config/papers/gmp/paper.yaml: exhibits.table3",
            "printed.gmp has 5 numbers for 6 columns "
            "(boston, concrete, energy, power, wine, yacht)",
        ],
    ),
    "too many printed numbers": (
        [(GMP, '"0.584±0.046"]', '"0.584±0.046", "1.0"]')],
        ["exhibits.table3", "printed.gmp has 7 numbers for 6 columns"],
    ),
    "a printed row that is not in the grid": (
        [(GMP, '      wn: ["3.459', '      nw: ["3.459')],
        ["exhibits.table3", "printed has the rows sp, nw, bn, gmp, but rows lists sp, wn, bn"],
    ),
    "a number without quotes": (
        [(GMP, '"0.613±0.006"', "0.613")],
        [
            "config/papers/gmp/paper.yaml: exhibits.table3",
            "printed.gmp holds 0.613 without quotes",
        ],
    ),
    "a printed number that cannot be read": (
        [(GMP, '"0.613±0.006"', '"0.613+-0.006"')],
        ["exhibits.table3", "cannot read '0.613+-0.006' as a printed number", "'92.60±0.12'"],
    ),
    "a key written twice": (
        [(GMP, "    loss: mse", "    loss: mse\n    loss: mae")],
        ["config/papers/gmp/paper.yaml: the key 'loss' is written twice", "line "],
    ),
    "text that is not YAML": (
        [(GMP, "paper: gmp\n", "paper: [gmp\n")],
        ["config/papers/gmp/paper.yaml: ", "line "],
    ),
    "a model that cannot be part of a path": (
        [(GMP, "  mlp100: {", "  mlp-100: {"), (GMP, "model: mlp100", "model: mlp-100")],
        ["'mlp-100' cannot be part of a result path: use only a-z, 0-9 and _"],
    ),
    "a recipe that cannot be part of a path": (
        [
            (GMP, "  cv:\n    like: document", "  c-v:\n    like: document"),
            (GMP, "[document, cv,", "[document,"),
        ],
        ["'c-v' cannot be part of a result path", "config/papers/gmp"],
    ),
    "an exhibit that leaves its folder": (
        [(GMP, "  table3:\n", "  ../table3:\n")],
        ["'../table3' cannot be part of a result path"],
    ),
    "an axis that nobody names": (
        [(GMP, "fixed: {model: mlp100, activation: relu}", "fixed: {model: mlp100}")],
        [
            "config/papers/gmp/paper.yaml: exhibits.table3: ",
            "fixed, row sp and column boston name dataset, model, parameterization; together they",
            "dataset, model, activation, parameterization once",
        ],
    ),
    "an axis named twice": (
        [
            (
                GMP,
                "fixed: {model: mlp100, activation: relu}",
                "fixed: {model: mlp100, activation: relu, dataset: wine}",
            )
        ],
        [
            "exhibits.table3: ",
            "name activation, dataset, dataset, model, parameterization; together they must",
            "dataset, model, activation, parameterization once",
        ],
    ),
    "an axis that no run has": (
        [(CHAPTER5, "cifar10: {dataset: cifar10, model", "cifar10: {data: cifar10, model")],
        ["exhibits.table5_1: ", "row sigmoid and column cifar10 name activation, data, model"],
    ),
    "numbers that nothing computes": (
        [(IIEU, "        flops: {by: function,", "        flops: {by: hand,")],
        ["config/papers/iieu/paper.yaml: exhibits.table5: ", "column flops name activation, by, "],
    ),
    "a function that computes no cell": (
        [
            (
                CHAPTER3,
                "    title: Validation accuracy of VGG16.\n",
                '    title: x\n    function: "reactivate.documents.psc.bound:bound"\n',
            )
        ],
        ["exhibits.table3_2: function and cells that are `by: function` need each other"],
    ),
    "cells that no function computes": (
        [(IIEU, '    function: "reactivate.documents.iieu.tables3_5:table5"\n', "")],
        ["exhibits.table5: function and cells that are `by: function` need each other"],
    ),
    "a file with another paper's name": (
        [(GMP, "paper: gmp\n", "paper: gnp\n")],
        ["config/papers/gmp/paper.yaml: paper is 'gnp', the folder is 'gmp'"],
    ),
    "a claim on an unknown exhibit": (
        [(GMP, "check: {exhibit: table3, best: gmp}", "check: {exhibit: table4, best: gmp}")],
        [
            "config/papers/gmp/paper.yaml: unknown trained exhibit 'table4'",
            "did you mean table3, table2, table1? Known: table1, table2, table3.",
            "claims.gmp_best of config/papers/gmp",
        ],
    ),
    "a claim on an unknown row": (
        [(GMP, "check: {exhibit: table3, best: gmp}", "check: {exhibit: table3, best: gpm}")],
        [
            "unknown row or column 'gpm'",
            "did you mean gmp?",
            "claims.gmp_best of config/papers/gmp",
        ],
    ),
    "a claim that compares an unknown row": (
        [(CHAPTER3, "best: relu, rows: [init]", "best: relu, rows: [innit]")],
        [
            "config/papers/thesis/chapter3.yaml: unknown row 'innit'",
            "did you mean init, bn_init?",
            "claims.relu_most_robust",
        ],
    ),
    "a claim that compares an unknown column": (
        [(CRELU, "best: crelu_conv1_4, columns: [top1,", "best: crelu_conv1_4, columns: [tpo1,")],
        ["unknown column 'tpo1'; did you mean top1", "claims.first_layers_best"],
    ),
    "a claim whose best is not among those compared": (
        [(CRELU, "rows: [vgg, conv1_3_5]", "rows: [vgg, conv1]")],
        ["unknown row or column 'conv1_3_5'", "claims.deeper_networks of config/papers/crelu"],
    ),
    "a claim whose best has no rival": (
        [(CRELU, "rows: [vgg, conv1_3_5]", "rows: [conv1_3_5]")],
        ["best: conv1_3_5 is compared with no other", "claims.deeper_networks"],
    ),
    "a claim on cells that are computed": (
        [(IIEU, "best: iieu_b, columns: [top1]", "best: iieu_b, columns: [params]")],
        ["row relu, column params is not trained", "claims.significant_accuracy"],
    ),
    "a claim on cells that are not run": (
        [(IIEU, "best: iieu_b, columns: [top1]", "best: iieu_b, columns: [throughput]")],
        ["row relu, column throughput is not trained", "claims.significant_accuracy"],
    ),
    "a claim on an unknown protocol": (
        [(GMP, "default: 0.01}, protocol: cv}", "default: 0.01}, protocol: vc}")],
        ["unknown protocol 'vc'", "Known: all_rows, all_rows_code,", "claims.optimal_lr"],
    ),
    "a chosen rate of an unknown row": (
        [(GMP, "chosen_lr: {gmp: 0.1", "chosen_lr: {gpm: 0.1")],
        ["unknown row 'gpm'", "claims.optimal_lr of config/papers/gmp"],
    ),
    "a chosen rate for some rows only": (
        [(GMP, "chosen_lr: {gmp: 0.1, default: 0.01}", "chosen_lr: {gmp: 0.1}")],
        ["chosen_lr.default is missing", "claims.optimal_lr of config/papers/gmp"],
    ),
    "a lead that grows along an unknown column": (
        [(GMP, "along: [[top1_256,", "along: [[top1_128,")],
        ["unknown column 'top1_128'", "claims.improvement_grows of config/papers/gmp"],
    ),
    "a lead that grows along one column": (
        [(GMP, "along: [[top1_256, top1_512, top1_1024],", "along: [[top1_256],")],
        ["along: ['top1_256'] has no order", "claims.improvement_grows of config/papers/gmp"],
    ),
    "a lead of what is no row": (
        [(GMP, "best: gmp_imn\n      along:", "best: top1_256\n      along:")],
        ["unknown row 'top1_256'", "claims.improvement_grows of config/papers/gmp"],
    ),
    "a lead of some columns along others": (
        [(GMP, "      along: [[top1_256", "      columns: [top1_256]\n      along: [[top1_256")],
        ["claims.improvement_grows.check", "along needs best, a row, and no columns"],
    ),
    "a claim without a quote": (
        [(GMP, QUOTED, "lines: [253, 253]")],
        ["config/papers/gmp/paper.yaml: claims.gmp_best.quote is missing; add it"],
    ),
    "a quote without words": (
        [(GMP, QUOTED, "quote: []\n    lines: [253, 253]")],
        ["claims.gmp_best.quote: [] is no quotation; accepted: words of the document, or a list"],
    ),
    "a quote of a number": (
        [(GMP, QUOTED, "quote: [253]\n    lines: [253, 253]")],
        ["claims.gmp_best.quote: [253] is no quotation"],
    ),
    "lines from the last to the first": (
        [(GMP, QUOTED, f"{QUOTE}\n    lines: [253, 252]")],
        ["claims.gmp_best.lines: [253, 252] are no lines; accepted: [first, last], counted"],
    ),
    "more lines than passages": (
        [(GMP, QUOTED, f"{QUOTE}\n    lines: [[1, 1], [2, 2]]")],
        ["claims.gmp_best: quote has 1 passages, lines has 2 pairs; give every passage its"],
    ),
    "another word on the text of a quote": (
        [(GMP, QUOTED, f"{QUOTED}\n    text: damged")],
        ["claims.gmp_best.text is 'damged'", "'damaged'"],
    ),
    "a headline on an unknown claim": (
        [(HEADLINES, "claims: [never_below_the_bound,", "claims: [never_below_a_bound,")],
        [
            "config/papers/psc/headlines.yaml: headlines.lower_bound: unknown claim 'never_below",
            "did you mean never_below_the_bound?",
        ],
    ),
    "a headline on an unknown exhibit": (
        [(HEADLINES, "exhibits: [bound, bound_fit]", "exhibits: [bound, bound_fits]")],
        ["headlines.lower_bound: unknown exhibit 'bound_fits'; did you mean bound_fit"],
    ),
    "a headline on nothing": (
        [(HEADLINES, RESTS, "")],
        ["headlines.lower_bound: it rests on nothing; name claims or exhibits that tell of it"],
    ),
    "a claim that asks two things": (
        [(GMP, "{exhibit: table3, chosen_lr:", "{exhibit: table3, best: gmp, chosen_lr:")],
        ["claims.optimal_lr.check", "exactly one of best, chance, chosen_lr, judge, function"],
    ),
    "an unknown kind of exhibit": (
        [(GMP, "    kind: trained", "    kind: traind")],
        [
            "exhibits.table3.kind is 'traind'",
            "'trained', 'best', 'computed', 'quoted', 'figure', 'curves'",
        ],
    ),
    "a function outside the package": (
        [(CHAPTER3, '"reactivate.documents.thesis.chapter3.figure3_2:', '"os:')],
        ["config/papers/thesis/chapter3.yaml: exhibits.figure3_2", "'os:figure3_2'"],
    ),
    "a row not run that is not there": (
        [(IIEU, "not_run: {throughput:", "not_run: {thruput:")],
        [
            "config/papers/iieu/paper.yaml: exhibits.table5: not_run names 'thruput', "
            "which is neither a row nor a column"
        ],
    ),
    "a cell not run that is not there": (
        [(IIEU, "not_run: {relu/params:", "not_run: {relu/parms:")],
        ["exhibits.table7: not_run names 'relu/parms'", "nor, as row/column, a cell"],
    ),
    "a claim judged by a function and an exhibit": (
        [(GMP, "check: {function: ", "check: {exhibit: table3, function: ")],
        ["claims.theorem3_bound.check", "need an exhibit, function and not_run take none"],
    ),
    "a scale that changes what it may not": (
        [(GMP_SCALES, "document: {epochs: 40, seeds: 2}", "document: {epochs: 40, loss: mae}")],
        [
            "config/papers/gmp/scales.yaml: smoke.recipes.document: unknown key 'loss'",
            "Known: arguments, batch_size, crop, data_fraction, dropout_factor, epochs, lr_factor",
        ],
    ),
    "a scale with a fraction above one": (
        [(GMP_SCALES, "data_fraction: 0.5", "data_fraction: 1.5")],
        [
            "config/papers/gmp/scales.yaml: laptop.recipes.cv.data_fraction is 1.5",
            "less than or equal",
        ],
    ),
    "a batch of small networks, which are trained on all data at once": (
        [
            (
                GMP_SCALES,
                "document: {epochs: 40, seeds: 2}",
                "document: {epochs: 40, batch_size: 8}",
            )
        ],
        [
            "config/papers/gmp/scales.yaml: smoke.recipes.document.batch_size changes nothing",
            "small networks; remove it",
        ],
    ),
    "a rate of pieces that have their own": (
        [(CRELU_SCALES, "    allcnn_sgd: *tiny", "    allcnn_sgd: {epochs: 2, lr_factor: 0.5}")],
        [
            "config/papers/crelu/scales.yaml: smoke.recipes.allcnn_sgd.lr_factor changes nothing",
            "pieces, each with its own rate; remove it",
        ],
    ),
    "no tests, where the schedule watches them": (
        [(GMP_SCALES, "resnet50: &tiny {", "resnet50: &tiny {tests: end, ")],
        ["smoke.recipes.resnet50.tests is end, but the schedule watches an accuracy"],
    ),
    "the printed protocol, limited": (
        [(GMP_SCALES, "\nlaptop:\n", "\npaper: {recipes: {cv: {seeds: 1}}}\nlaptop:\n")],
        [
            "config/papers/gmp/scales.yaml: paper.recipes",
            "the scale 'paper' is the printed protocol",
        ],
    ),
    "a limit on an unknown recipe": (
        [(GMP_SCALES, "document: {epochs: 40, seeds: 2}", "dokument: {epochs: 40}")],
        [
            "config/papers/gmp/scales.yaml: smoke.recipes names 'dokument'",
            "document, authors_code, cv",
        ],
    ),
    "limits of an unknown scale": (
        [(GMP_SCALES, "laptop:\n", "labtop:\n")],
        ["config/papers/gmp/scales.yaml: unknown scale 'labtop'", "did you mean laptop?"],
    ),
    "a selected row that is not there": (
        [(GMP_SCALES, "rows: [sp, gmp]", "rows: [sp, gpm]")],
        ["unknown row 'gpm'", "Known: bn, gmp, sp, wn", "config/papers/gmp/scales.yaml: smoke"],
    ),
    "a selected column that is not there": (
        [(GMP_SCALES, "columns: [boston, yacht]", "columns: [boston, yatch]")],
        ["unknown column 'yatch'", "did you mean yacht?", "config/papers/gmp/scales.yaml: smoke"],
    ),
    "a selected protocol that is not there": (
        [(GMP_SCALES, "protocols: [document], rows", "protocols: [dokument], rows")],
        [
            "unknown protocol 'dokument'",
            "did you mean document?",
            "config/papers/gmp/scales.yaml: smoke",
        ],
    ),
    "a selected exhibit that is not there": (
        [
            (
                GMP_SCALES,
                "table3: {protocols: [document], rows",
                "table4: {protocols: [document], rows",
            )
        ],
        [
            "unknown trained exhibit 'table4'",
            "did you mean table3, table2, table1? Known: figure4, table1, table2, table3.",
            "config/papers/gmp/scales.yaml: smoke",
        ],
    ),
    "a recipe that lasts epochs and iterations": (
        [(CHAPTER3, "    iterations: 24000", "    iterations: 24000\n    epochs: 40")],
        [
            "config/papers/thesis/chapter3.yaml: recipes.fcnn: ",
            "a recipe needs exactly one of epochs and iterations",
        ],
    ),
    "a recipe that lasts neither": (
        [(CHAPTER3, "    iterations: 24000\n", "")],
        ["recipes.fcnn: a recipe needs exactly one of epochs and iterations"],
    ),
    "pieces that do not last as long as the recipe": (
        [(CRELU, "        - {epochs: 10, lr: 0.001,", "        - {epochs: 11, lr: 0.001,")],
        [
            "config/papers/crelu/paper.yaml: recipes.allcnn_sgd: ",
            "schedule.pieces last 46 epochs, epochs is 45",
        ],
    ),
    "a mistake in one of the pieces": (
        [(CRELU, "- {epochs: 10, lr: 0.001,", "- {epochs: 10, lr: 0,")],
        ["recipes.allcnn_sgd.schedule.pieces.1.lr is 0; Input should be greater than 0"],
    ),
    "more seeds than folds": (
        [(CRELU, "    folds: 10\n    seeds: 10\n", "    folds: 10\n    seeds: 11\n")],
        ["recipes.convpool_folds: seeds is 11, but there are only 10 folds"],
    ),
    "a plateau without epochs to count": (
        [(GMP, "    epochs: 90\n", "    iterations: 90\n")],
        ["recipes.resnet50: schedule plateau needs epochs, not iterations"],
    ),
    "a warm-up without a length": (
        [(CHAPTER3, "warm_up: {iterations: 500, ", "warm_up: {")],
        ["recipes.chapter3.warm_up: warm_up needs exactly one of iterations and epochs"],
    ),
    "scale jitter without a range": (
        [(GMP, "train: scale_jitter, largest: 480", "train: scale_jitter")],
        ["recipes.resnet50.pictures: largest belongs to train: scale_jitter"],
    ),
    "a cut larger than the picture": (
        [
            (
                GMP,
                "{size: 224, resize: 256, train: scale_jitter",
                "{size: 288, resize: 256, train: scale_jitter",
            )
        ],
        ["recipes.resnet50.pictures: size 288 cannot be cut out of resize 256"],
    ),
    "an unknown schedule": (
        [(IIEU, "{kind: cosine, final: 0.000001}", "{kind: cosin, final: 0.000001}")],
        ["recipes.cifar100.schedule.kind is 'cosin'", "'linear', 'cosine', 'pieces', 'plateau'"],
    ),
    "a schedule without a kind": (
        [(IIEU, "{kind: cosine, final: 0.000001}", "{final: 0.000001}")],
        ["config/papers/iieu/paper.yaml: recipes.cifar100.schedule.kind is missing; add it"],
    ),
    "a key that another schedule has": (
        [(IIEU, "{kind: cosine, final: 0.000001}", "{kind: cosine, final: 0.1, factor: 0.1}")],
        ["recipes.cifar100.schedule: unknown key 'factor'", "Known: epochs, every, final, kind"],
    ),
    "an unknown optimizer": (
        [(CRELU, "optimizer: {name: adam", "optimizer: {name: adamm")],
        ["recipes.allcnn_adam.optimizer.name is 'adamm'", "'sgd', 'adam'"],
    ),
    "an unknown stage": (
        [(CHAPTER3, "    stage: train", "    stage: trian")],
        ["recipes.chapter3.stage is 'trian'", "accepted: 'sweep', 'train'"],
    ),
    "an unknown key of an image recipe": (
        [(CRELU, "    measure_train: true", "    mesure_train: true")],
        ["recipes.convpool: unknown key 'mesure_train'; did you mean measure_train?"],
    ),
    "an image recipe's rate of an unknown parameterization": (
        [(GMP, "gmp_imn: 0.1}", "gmp_inm: 0.1}")],
        [
            "config/papers/gmp/paper.yaml: recipes.vgg6_256.lr: ",
            "unknown parameterization 'gmp_inm'",
            "did you mean gmp_imn",
        ],
    ),
    "an unknown network": (
        [(CHAPTER3, "network: resnet34,", "network: resnet43,")],
        [
            "config/papers/thesis/chapter3.yaml: exhibits.figure3_3: unknown model 'resnet43'",
            "did you mean resnet34",
            "models/__init__.py",
        ],
    ),
    "a small network's recipe for an image network": (
        [(GMP, "activation: relu, recipe: resnet50}", "activation: relu, recipe: document}")],
        [
            "config/papers/gmp/paper.yaml: ",
            "recipe document has stage sweep, which cannot train the model resnet50 of kind image",
        ],
    ),
    "an image network's recipe for a small network": (
        [
            (
                GMP,
                "model: mlp100, activation: relu}",
                "model: mlp100, activation: relu, recipe: resnet50}",
            )
        ],
        ["recipe resnet50 has stage train, which cannot train the model mlp100 of kind mlp"],
    ),
    "a small network of a parameterization that only image networks have": (
        [
            (GMP, "[sp, wn, bn, gmp]", "[sp, wn_mbn, bn, gmp]"),
            (GMP, '      wn: ["3.459', '      wn_mbn: ["3.459'),
        ],
        [
            "config/papers/gmp/paper.yaml: exhibits.table3: unknown parameterization 'wn_mbn'",
            "Known: bn, gmp, sp, wn",
        ],
    ),
    "a stand-in that is no dataset": (
        [(SCALES, "imagenet32: tiny_imagenet20", "imagenet32: tiny_imagenet")],
        [
            "config/scales.yaml: smoke.stand_ins: unknown dataset 'tiny_imagenet'",
            "did you mean tiny_imagenet20",
            "datasets.yaml",
        ],
    ),
    "a stand-in for what is no dataset": (
        [(SCALES, "stand_ins: {imagenet:", "stand_ins: {imagnet:")],
        [
            "config/scales.yaml: smoke.stand_ins: unknown dataset 'imagnet'",
            "did you mean imagenet",
        ],
    ),
    "a stand-in that is a table": (
        [(SCALES, "imagenet32: tiny_imagenet20", "imagenet32: wine")],
        [
            "config/scales.yaml: smoke.stand_ins names 'wine', a table",
            "accepted: datasets of images",
        ],
    ),
    "a stand-in at the printed scale": (
        [(SCALES, "  says: the printed protocol", "  says: x\n  stand_ins: {imagenet: cifar10}")],
        ["config/scales.yaml: paper.stand_ins", "the scale 'paper' is the printed protocol"],
    ),
    "a reach that no scale has": (
        [(THESIS_SCALES, "    cpu:\n", "    cpus:\n")],
        ["unknown reach 'cpus'; did you mean cpu?", "config/papers/thesis/scales.yaml: paper"],
    ),
    "a reach of an unknown column": (
        [(THESIS_SCALES, "table5_1: {columns: [mnist]}", "table5_1: {columns: [minst]}")],
        [
            "unknown column 'minst'; did you mean mnist?",
            "exhibits.table5_1 (config/papers/thesis/scales.yaml: paper)",
        ],
    ),
    "scales that are a list": (
        [(SCALES, "smoke:", "- smoke\n- laptop\n---\nsmoke:")],
        ["config/scales.yaml"],
    ),
}


def load_everything():
    for name in loading.paper_names():
        loading.load_paper_scales(name)


@pytest.mark.parametrize("mistake", sorted(BAD))
def test_a_mistake_is_named_with_its_file_value_and_what_is_accepted(edit, mistake):
    changes, expected = BAD[mistake]
    for change in changes:
        edit(*change)
    with pytest.raises(ValueError) as error:
        load_everything()
    message = str(error.value)
    assert [part for part in expected if part not in message] == [], message


def test_the_copied_configuration_is_good_before_it_is_broken(project):
    load_everything()


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (lambda: loading.load_paper("gnp"), "unknown paper 'gnp'; did you mean gmp?"),
        (lambda: loading.load_scale("labtop"), "unknown scale 'labtop'; did you mean laptop?"),
        (
            lambda: loading.load_exhibit("gmp", "table33"),
            "unknown exhibit 'table33'; did you mean",
        ),
        (
            lambda: Experiment.load("smoke").exhibit("gmp", "table33").places,
            "unknown exhibit 'table33'; did you",
        ),
        (
            lambda: Experiment.load("paper", "cpus").exhibit("thesis", "table5_1").places,
            "unknown reach 'cpus'; did you mean cpu? Known: all, cpu",
        ),
        (lambda: Experiment.load("smoke", "gpu"), "unknown reach 'gpu'; did you mean cpu?"),
    ],
)
def test_an_unknown_name_on_a_command_line_is_answered_with_the_known_ones(project, ask, expected):
    with pytest.raises(ValueError, match="Known: ") as error:
        ask()
    assert expected in str(error.value)


@pytest.mark.parametrize(
    ("coordinates", "expected"),
    [
        (("boston", "mlp100", "relu", "gmp", "dokument"), "unknown recipe 'dokument'"),
        (("boston", "mlp10", "relu", "gmp", "document"), "unknown model 'mlp10'"),
        (("bosten", "mlp100", "relu", "gmp", "document"), "unknown dataset 'bosten'"),
        (("boston", "mlp100", "rleu", "gmp", "document"), "unknown activation 'rleu'"),
        (("boston", "mlp100", "relu", "gpm", "document"), "unknown parameterization 'gpm'"),
    ],
)
@pytest.mark.parametrize(
    "ask",
    [
        lambda cell: Experiment.load("smoke").cell("gmp", cell).sweep_settings,
        lambda cell: Experiment.load("paper").cell("gmp", cell).modules(),
    ],
    ids=["settings", "code"],
)
def test_a_cell_with_an_unknown_coordinate_is_refused(project, coordinates, expected, ask):
    with pytest.raises(ValueError, match="config/papers/gmp: ") as error:
        ask(Cell(*coordinates))
    assert expected in str(error.value)


@pytest.mark.parametrize("name", ["mlp-100", "MLP", "a/b", "", "ä", "a b", ".."])
def test_a_cell_whose_name_cannot_be_a_path_is_refused(name):
    with pytest.raises(ValueError, match="cannot be part of a result path") as error:
        Cell("boston", name, "relu", "gmp", "document")
    assert repr(name) in str(error.value)
    assert "use only a-z, 0-9 and _" in str(error.value)


@pytest.mark.parametrize("stem", ["mlp100-relu-gmp", "mlp100-relu-gmp-document-x", ""])
def test_a_path_that_is_not_a_cell_is_refused(stem):
    with pytest.raises(ValueError, match="expected model-activation-parameterization-recipe"):
        Cell.parse("boston", stem)


def test_from_another_folder_the_configuration_is_not_silently_empty(
    tmp_path, project, monkeypatch
):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match="run from the folder of the Snakefile"):
        loading.load_scales()
