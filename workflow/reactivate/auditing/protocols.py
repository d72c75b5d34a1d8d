"""Protocols of claims that no run of ours measures: where a row has no protocol of a paper."""

# as ``evidence.tables`` has it, which loads pandas: for that who judges or joins need not wait
COMPUTED = "computed"  # of numbers that follow from definitions
QUOTED = "quoted"  # of numbers that other papers measured
READ = "read"  # of claims that need nothing but the document
