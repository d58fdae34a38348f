"""Runs /workspace/code.py for opsagent: a readable end for every error, and `result` as JSON.

Nothing here keeps a guest in: the WASI sandbox does that. What this file adds is for the one who reads the outcome:
tracebacks that begin in the code itself, which limit was met, and which modules there are.
"""
import sys

CODE = "/workspace/code.py"
# Read by the host when the guest has ended. What it says is the guest's word.
NOTE = "/workspace/.opsagent-note"
MAX_RESULT_BYTES = 1024 * 1024
MAX_NEW_FILES = 10_000
# As on Linux. In memory, a folder in a folder in a folder … takes longer with every one.
MAX_PATH = 4096
# Deeper, frames fill the memory, and more slowly than anything else does.
MAX_RECURSION = 10_000

note = {}
spare = [bytearray(4 * 1024 * 1024)]


def watch_files():
    """/data is read-only, and new files are counted: a file system in memory is slow when it holds many."""
    from posix import O_WRONLY
    from posixpath import abspath

    seen = set()
    changes = frozenset(("os.remove", "os.rename", "os.rmdir", "os.truncate", "os.link", "os.symlink", "os.utime"))

    def is_data(path):
        if isinstance(path, bytes):
            path = path.decode("utf-8", "surrogateescape")
        return isinstance(path, str) and (abspath(path) + "/").startswith("/data/")

    def hook(event, args):
        if event == "open":
            path, mode, flags = args
            if isinstance(mode, str):
                if not ("w" in mode or "a" in mode or "x" in mode or "+" in mode):
                    return
            elif not flags & O_WRONLY:
                return
        elif event == "os.mkdir":
            path = args[0]
        elif event in changes:
            if any(is_data(path) for path in args):
                raise OSError(30, "Read-only: what is handed in cannot be changed")
            if event not in ("os.link", "os.symlink"):
                return
            path = args[1]
        else:
            return
        if isinstance(path, int):
            return
        if len(path) > MAX_PATH:
            raise OSError(36, "File name too long")
        if is_data(path):
            raise OSError(30, "Read-only: what is handed in cannot be changed", str(path))
        if path not in seen and path != NOTE:
            if len(seen) >= MAX_NEW_FILES:
                note["limit"] = "files"
                raise OSError(28, "The sandbox holds at most %d new files" % MAX_NEW_FILES)
            seen.add(path)

    sys.addaudithook(hook)


def bound_recursion():
    own = sys.setrecursionlimit
    sys.setrecursionlimit = lambda limit: own(min(limit, MAX_RECURSION))


def as_json(value):
    """What JSON has no form for, where its meaning is plain."""
    if isinstance(value, (set, frozenset, range)) or hasattr(value, "__next__"):
        return list(value)
    if type(value).__name__ in ("Decimal", "Fraction", "UUID", "PosixPath", "IPv4Address", "IPv6Address"):
        return str(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError("%s is not JSON" % type(value).__name__)


def keep_result(names):
    if "result" not in names:
        return
    import json

    try:
        text = json.dumps(names["result"], ensure_ascii=False, allow_nan=False, default=as_json)
    except (TypeError, ValueError, RecursionError) as error:
        print("result cannot be written as JSON: %s" % error, file=sys.stderr)
        sys.exit(1)
    encoded = text.encode("utf-8", "backslashreplace")
    if len(encoded) > MAX_RESULT_BYTES:
        note["limit"] = "result"
        print("result is %d bytes of JSON; the limit is %d" % (len(encoded), MAX_RESULT_BYTES), file=sys.stderr)
        sys.exit(1)
    note["result"] = encoded.decode("utf-8")


def write_note():
    if not note:
        return
    import json

    with open(NOTE, "w", encoding="utf-8", errors="backslashreplace") as file:
        json.dump(note, file)


def out_of_memory(trace):
    """Says where it happened, with the little memory that is left."""
    spare.clear()
    lines = []
    while trace is not None:
        code = trace.tb_frame.f_code
        lines.append('  File "%s", line %d, in %s\n' % (code.co_filename, trace.tb_lineno, code.co_name))
        del lines[:-20]
        trace = trace.tb_next
    note["limit"] = "memory"
    sys.stderr.write("Traceback (most recent call last):\n" + "".join(lines) + "MemoryError\n")


def modules():
    from _imp import is_frozen

    known = (name for name in sys.stdlib_module_names if name[0] != "_")
    return sorted(name for name in known if name in sys.builtin_module_names or is_frozen(name))


def own_part(trace):
    """The part of a traceback that is the code's own: without this file at its beginning, and at its end."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    last = trace
    while last is not None:
        if last.tb_next is not None and last.tb_next.tb_frame.f_code.co_filename == __file__:
            last.tb_next = None
        last = last.tb_next
    return trace


def explain(error):
    trace = own_part(error.__traceback__)
    if isinstance(error, MemoryError):
        error.__traceback__ = None
        return out_of_memory(trace)
    sys.excepthook(type(error), error.with_traceback(trace), trace)
    if isinstance(error, ModuleNotFoundError):
        note["missingModule"] = str(error.name)
        print("Modules that are here: %s" % ", ".join(modules()), file=sys.stderr)


def main():
    watch_files()
    bound_recursion()
    module = type(sys)("__main__")
    module.__file__ = CODE
    sys.modules["__main__"] = module
    sys.argv = [CODE]
    sys.path.insert(0, "/workspace")
    try:
        with open(CODE, "rb") as file:
            source = file.read()
        exec(compile(source, CODE, "exec", dont_inherit=True), module.__dict__)
        keep_result(module.__dict__)
    except SystemExit:
        write_note()
        raise
    except BaseException as error:
        explain(error)
        module.__dict__.clear()
        write_note()
        sys.exit(1)
    write_note()


main()
