"""The arguments of a stage: names of what to make, all required."""

import argparse


def named_arguments(description: str | None, *names: str) -> list[str]:
    """Reads ``--name value`` for each name from the command line; values in the order of names."""
    parser = argparse.ArgumentParser(description=description)
    for name in names:
        parser.add_argument(f"--{name}", required=True)
    parsed = vars(parser.parse_args())
    return [parsed[name] for name in names]
