"""How stages are started: several processes, micro-batches, and mistakes that are named."""

import pytest
from reactivate.experiment.launching import launching

ALONE = "exec python -m"
FOUR = "exec torchrun --standalone --nproc-per-node 4 -m"


@pytest.mark.parametrize(
    ("config", "rule", "command", "option"),
    [
        ({}, "train", ALONE, ""),
        ({"processes": 4}, "train", FOUR, ""),
        ({"processes": 4}, "defend", FOUR, ""),
        ({"processes": 4, "micro_batch": 32}, "prune", ALONE, ""),
        ({"processes": 4, "micro_batch": 32}, "observe", ALONE, ""),
        ({"processes": 1, "micro_batch": 32}, "defend", ALONE, " --micro-batch 32"),
    ],
)
def test_stages_whose_batches_can_be_divided_are(config, rule, command, option):
    launch, passing = launching(config)
    assert (format(launch, rule), format(passing, rule)) == (command, option)


def test_stages_of_one_process_may_be_warm():
    launch, _ = launching({"processes": 4}, warm=True)
    assert format(launch, "tabulate") == "exec python -m reactivate.warm"
    assert format(launch, "train") == FOUR


def test_processes_need_a_gpu_each_where_gpus_are_counted():
    for gpus in (None, 0, 4):
        assert launching({"processes": 4}, gpus)[0].processes == 4
    with pytest.raises(ValueError, match=r"^processes is 4, .* Add --resources gpu=4$"):
        launching({"processes": 4}, 1)


@pytest.mark.parametrize("name", ["processes", "micro_batch"])
@pytest.mark.parametrize("value", [0, -1, "many", 1.5])
def test_a_number_that_is_none_is_named(name, value):
    with pytest.raises(ValueError, match=f"^{name} is {value!r}; accepted: a whole number"):
        launching({name: value})
