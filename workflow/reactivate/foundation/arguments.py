"""Arguments of a stage, which name what it shall make."""

import argparse

REACH = {"reach": "all"}  # for stages that heed what the machine can run


def named_arguments(description: str | None, *names: str, **defaults: str) -> list[str]:
    """Values of ``--name value`` on the command line, in the order of the names.

    Args:
        description: Description of the stage, for its help.
        names: Names that must be given.
        defaults: Names that may be given, and their values if they are not.
    """
    parser = argparse.ArgumentParser(description=description)
    for name in names:
        parser.add_argument(f"--{name}", required=True)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", default=default)
    parsed = vars(parser.parse_args())
    return [parsed[name] for name in (*names, *defaults)]
