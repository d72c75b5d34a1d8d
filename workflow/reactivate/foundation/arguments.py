"""The arguments of a stage: names of what to make."""

import argparse

REACH = {"reach": "all"}  # for stages that heed what the machine can run


def named_arguments(description: str | None, *names: str, **defaults: str) -> list[str]:
    """Reads ``--name value`` from the command line; values in the order of the names.

    Args:
        description: Of the stage, for its help.
        names: That must be given.
        defaults: That may be given, and their values if they are not.
    """
    parser = argparse.ArgumentParser(description=description)
    for name in names:
        parser.add_argument(f"--{name}", required=True)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", default=default)
    parsed = vars(parser.parse_args())
    return [parsed[name] for name in (*names, *defaults)]
