"""One mutant, tried in a forked process: torch was imported before, no file is written."""

import ast
import gc
import importlib
import importlib.abc
import importlib.machinery
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from mutants import Mutant, file
from suite import OPTIONS, Reach

LIBRARY = "tests/unit/test_library.py"  # tests of all packages, of which these
OF_PACKAGES = (
    "test_a_name_of_a_package_is_that_of_its_module_and_hides_none",
    "test_a_record_of_a_package_cannot_be_changed",
)
MEMORY = 12 << 30  # bytes of address space; a mutant that asks for more fails
KILLED, SURVIVED, ENDLESS, ANEW = "killed", "survived", "endless", "anew"
CODES = {0: SURVIVED, 3: ANEW}  # of the process's exit; any other: a test failed


def forked(work: Callable[[], int], seconds: float | None = None) -> str:
    """What becomes of a piece of work that has a process and a folder of its own."""
    folder = tempfile.mkdtemp(prefix="mutant")
    pid = os.fork()
    if pid == 0:
        code = 2
        try:
            os.setpgid(0, 0)
            os.environ["TMPDIR"] = tempfile.tempdir = folder
            silence = os.open(os.devnull, os.O_WRONLY)
            if "MUTATION_LOUD" not in os.environ:
                os.dup2(silence, 1)
                os.dup2(silence, 2)
            if seconds is not None:
                limit = int(seconds) + 1
                resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            code = work()
        except BaseException as error:  # whatever it is, the mutant was noticed
            if "MUTATION_LOUD" in os.environ:
                print(repr(error), file=sys.stderr)
        finally:
            os._exit(code)
    status = wait(pid, None if seconds is None else 60 + 20 * seconds)
    for sign in (signal.SIGKILL,):  # what the tests started and left
        try:
            os.killpg(pid, sign)
        except ProcessLookupError:
            break
    shutil.rmtree(folder, ignore_errors=True)
    if status is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in ENDINGS):
        return ENDLESS
    return CODES.get(os.waitstatus_to_exitcode(status), KILLED)


ENDINGS = (signal.SIGXCPU, signal.SIGKILL)


def wait(pid: int, seconds: float | None) -> int | None:
    """The status of a process that ended; None if it had to be ended."""
    if seconds is None:
        return os.waitpid(pid, 0)[1]
    deadline = time.monotonic() + seconds
    pause = 0.002
    while time.monotonic() < deadline:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        time.sleep(pause)
        pause = min(0.1, 1.5 * pause)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


class Collected:
    """A plugin that does something with the collected tests instead of running all."""

    def __init__(self, work: Callable[[dict[str, pytest.Item]], bool]) -> None:
        self.work = work
        self.good = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise RuntimeError(f"{session.testsfailed} files of tests cannot be imported")
        for item in session.items:
            find_any_example(getattr(item, "obj", None))
        self.good = self.work({item.nodeid: item for item in session.items})
        return True


def find_any_example(test: object) -> None:
    """Lets a property fail with the first example that is found, not with the smallest."""
    chosen = getattr(test, "_hypothesis_internal_use_settings", None)
    if chosen is not None:
        from hypothesis import Phase, settings

        phases = [phase for phase in chosen.phases if phase not in (Phase.shrink, Phase.explain)]
        test._hypothesis_internal_use_settings = settings(
            chosen, phases=phases, report_multiple_bugs=False
        )


def passed(items: Iterable[pytest.Item]) -> bool:
    """Whether tests pass, up to the first that does not."""
    items = list(items)
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if item.session.testsfailed:
            return False
    return True


def collect(
    files: list[str], work: Callable[[dict[str, pytest.Item]], bool], *more: object
) -> int:
    """Collects the tests of files, and returns the exit code of what is done with them."""
    plugin = Collected(work)
    code = pytest.main([*OPTIONS, *files], plugins=[plugin, *more])
    return 0 if code == 0 and plugin.good else 1


def trace(files: list[str], sources: list[Path], out: Path) -> int:
    """Runs all tests once as they are, and leaves which reaches which line."""
    reach = Reach(sources)
    code = collect(files, lambda items: passed(items.values()), reach)
    if code == 0:
        reach.write(out)
    return code


def functions() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Functions that exist now, by file, name and line."""
    found: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
    for thing in gc.get_objects():
        if type(thing) is FunctionType:  # isinstance would wake lazy objects
            code = thing.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(thing)
    return found


def outermost(code: CodeType) -> Iterator[CodeType]:
    """Code of the functions of a module and of its classes; not of those inside of others."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & 0x0002:  # CO_NEWLOCALS: a function, not a class
                yield constant
            else:
                yield from outermost(constant)


def exchange(tree: ast.Module, name: str, known: dict[tuple[str, str, int], list]) -> bool:
    """Gives the functions of a module that was imported the code of another tree.

    Returns:
        False if that cannot be done, and the module must be imported anew.
    """
    new = compile(tree, name, "exec", dont_inherit=True)
    old = compile(ast.parse(Path(name).read_text(encoding="utf-8")), name, "exec")
    pairs = [
        (after, known.get((name, after.co_qualname, after.co_firstlineno)))
        for before, after in zip(outermost(old), outermost(new), strict=True)
        if before != after
    ]
    if not pairs or any(not living for _, living in pairs):
        return False
    for code, living in pairs:
        for function in living or ():
            if function.__code__.co_freevars != code.co_freevars:
                return False
            function.__code__ = code
    return True


class Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """An importer that makes one module from a given tree."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.module, self.tree = module, tree

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        if name != self.module:
            return None
        place = file(name)
        package = place.name == "__init__.py"
        spec = importlib.machinery.ModuleSpec(name, self, origin=str(place), is_package=package)
        spec.has_location = True
        if package:
            spec.submodule_search_locations = [str(place.parent)]
        return spec

    def exec_module(self, module: object) -> None:
        code = compile(self.tree, str(file(self.module)), "exec", dont_inherit=True)
        exec(code, module.__dict__)


def import_anew(mutant: Mutant, tests: list[str], known: Container[str]) -> int:
    """Runs tests in a process that has not imported the package, with the mutant in its place.

    Tests of all packages that concern this one are run too, and tests that exist only with the
    mutant, because their parameters are taken from what it changes.
    """
    sys.meta_path.insert(0, Instead(mutant.module, mutant.tree()))
    importlib.import_module(mutant.module)  # before pytest finds the file of its examples
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    package = mutant.module.split(".")[1]

    def work(items: dict[str, pytest.Item]) -> bool:
        general = [f"{LIBRARY}::{name}[{package}" for name in OF_PACKAGES]
        new = [name for name in items if name not in known]
        wanted = [n for n in new if LIBRARY not in n or any(map(n.startswith, general))]
        return passed(items[test] for test in [*wanted, *tests] if test in items)

    return collect([*files, LIBRARY], work)
