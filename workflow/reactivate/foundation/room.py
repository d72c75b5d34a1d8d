"""What to say when a file cannot be written: the place, the reason, and the setting to change."""

import errno
import os
import re
import tempfile
from pathlib import Path

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
REFUSED = (errno.EROFS, errno.EACCES, errno.EPERM)
CACHE, CHECKPOINTS = "REACTIVATE_CACHE", "REACTIVATE_CHECKPOINTS"
LINKED = ("results", "data", "published", "exports")  # folders of the project


def setting_of(path: Path) -> str:
    """The setting by which a file of this name gets another place.

    Example:
        >>> setting_of(Path("results/smoke/gmp/table3.csv"))
        'a link in place of results/'
    """
    place = path.absolute()
    for variable in (CACHE, CHECKPOINTS):
        chosen = os.environ.get(variable)
        if chosen and place.is_relative_to(Path(chosen).expanduser().absolute()):
            return variable
    if place.is_relative_to(Path(tempfile.gettempdir()).absolute()):
        return "TMPDIR"
    of_project = [name for name in LINKED if name in path.parts]
    return f"a link in place of {of_project[0]}/" if of_project else "--out"


def os_error(error: BaseException) -> OSError | None:
    """The error of the system in an error; libraries in Rust tell its number in words only.

    Example:
        >>> os_error(RuntimeError("I/O error: No space left on device (os error 28)")).errno
        28
    """
    if isinstance(error, OSError):
        return error
    told = re.search(r"\(os error (\d+)\)", str(error))
    return OSError(int(told[1]), os.strerror(int(told[1]))) if told else None


def written_file(error: OSError) -> str | None:
    """The file that was written, of which an error tells; of a copy that is the second one."""
    name = error.filename if error.filename2 is None else error.filename2
    return None if name is None else os.fsdecode(name)


def cannot_write(path: Path, error: OSError, setting: str | None = None) -> OSError:
    """The error for a file that cannot be written, with its reason and what can be done.

    Args:
        path: The file.
        error: What the system said.
        setting: The option or variable that chooses another place, if it is known better.
    """
    blocked = isinstance(error, FileExistsError | NotADirectoryError)
    reason = f"{path.parent} is not a folder" if blocked else error.strerror
    remedy = "make room on its disk" if error.errno in NO_ROOM else "make the folder writable"
    chosen = setting or setting_of(path)
    return OSError(f"cannot write {path}: {reason}; {remedy} or set another with {chosen}")


def explained(error: OSError) -> OSError:
    """An error of the system, with what can be done where a file could not be written."""
    if error.errno not in (*NO_ROOM, *REFUSED):
        return error
    if (written := written_file(error)) is not None:
        return cannot_write(Path(written), error)
    return OSError(
        f"cannot write a file: {error.strerror}; make room in results/ and data/, or set another "
        f"place with {CACHE}, {CHECKPOINTS} or TMPDIR"
    )
