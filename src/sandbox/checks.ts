/** Escapes and limits, each as a program that tries it: what `sandbox check` runs on this machine, and what the tests run. */

/** What a check sees of a run. */
export interface Seen {
  readonly status: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Message of the error. */
  readonly error: string;
}

export interface SandboxCheck {
  readonly name: string;
  readonly kind: 'escape' | 'limit';
  readonly code: string;
  /** Runs before, in the same child, and leaves something behind. */
  readonly before?: string;
  readonly timeout?: number;
  readonly memory?: number;
  /** Whether the sandbox held. */
  readonly holds: (seen: Seen) => boolean;
}

/** Each attempt prints OPEN when it got somewhere; what must happen is an error for every one. */
const attempts = (...lines: readonly string[]): string =>
  [
    'import os, sys',
    'def attempt(work):',
    '    try: print("OPEN", repr(work()))',
    '    except (Exception, SystemExit) as error: print("closed", type(error).__name__)',
    ...lines.map((line) => `attempt(lambda: ${line})`),
  ].join('\n');

const isClosed = ({ status, stdout }: Seen): boolean =>
  status === 'ok' &&
  stdout.includes('closed') &&
  stdout
    .trim()
    .split('\n')
    .every((line) => line.startsWith('closed'));

const escapeBy = (name: string, ...lines: readonly string[]): SandboxCheck => ({
  name,
  kind: 'escape',
  code: attempts(...lines),
  holds: isClosed,
});

const prints =
  (expected: string) =>
  ({ status, stdout }: Seen) =>
    status === 'ok' && stdout.trim() === expected;
const says =
  (words: string) =>
  ({ status, error }: Seen) =>
    status !== 'ok' && error.startsWith(words);

const limit = (name: string, code: string, words: string, more: Partial<SandboxCheck> = {}): SandboxCheck => ({
  name,
  kind: 'limit',
  code,
  holds: says(words),
  ...more,
});

const ESCAPES: readonly SandboxCheck[] = [
  escapeBy(
    'host files',
    ...['/etc/passwd', '/etc/hostname', '/root/.ssh/id_rsa', '/home'].map((path) => `open("${path}").read()`),
  ),
  escapeBy(
    '..',
    ...['../../etc/passwd', '/workspace/../../../etc/passwd', '/data/../../etc/hostname'].map(
      (path) => `open("${path}").read()`,
    ),
  ),
  escapeBy(
    'symbolic links',
    '[os.symlink("/etc/passwd", "/workspace/link"), open("/workspace/link").read()][1]',
    '[os.symlink("../../../etc", "/workspace/up"), os.listdir("/workspace/up")][1].index("passwd")',
  ),
  escapeBy('hard links', '[os.link("/etc/passwd", "/workspace/hard"), open("/workspace/hard").read()][1]'),
  escapeBy(
    '/proc, /sys and devices',
    ...['/proc/self/environ', '/proc/1/cmdline', '/sys/kernel/version', '/dev/mem', '/dev/sda', '/dev/fd/3'].map(
      (path) => `open("${path}", "rb").read(1)`,
    ),
  ),
  escapeBy('open file descriptors', '[os.read(number, 1) for number in range(16, 64)]'),
  {
    name: 'what the root holds',
    kind: 'escape',
    code: 'import os\nprint(sorted(set(os.listdir("/")) - {".app", ".private", "bin", "data", "dev", "etc", "opsagent", "tmp", "usr", "workspace"}), os.listdir("/etc"))',
    holds: prints('[] []'),
  },
  {
    name: 'environment',
    kind: 'escape',
    code: 'import os\nprint(sorted(set(os.environ) - {"NO_COLOR", "PWD", "HOME", "PATH", "TERM"}), [v for v in os.environ.values() if len(v) > 40])',
    holds: prints('[] []'),
  },
  escapeBy(
    'sockets',
    '__import__("socket").create_connection(("127.0.0.1", 22), 1)',
    '__import__("socket").socket()',
    '__import__("socket").socket().bind(("0.0.0.0", 0))',
  ),
  escapeBy(
    'DNS',
    '__import__("socket").getaddrinfo("localhost", 80)',
    '__import__("socket").gethostbyname("localhost")',
  ),
  escapeBy(
    'HTTP',
    '__import__("urllib.request").request.urlopen("http://127.0.0.1/")',
    '__import__("http.client").client.HTTPConnection("127.0.0.1").request("GET", "/")',
  ),
  escapeBy(
    'processes',
    'os.fork()',
    'os.system("id")',
    'os.popen("id").read()',
    'os.execv("/bin/python", ["python"])',
    'os.posix_spawn("/bin/wasmer", ["wasmer"], {})',
    '__import__("subprocess").run(["id"])',
    'os.kill(os.getppid(), 9)',
  ),
  escapeBy(
    'threads',
    '__import__("_thread").start_new_thread(print, ())',
    '__import__("threading").Thread(target=print).start()',
  ),
  escapeBy(
    'ctypes and extensions',
    '__import__("ctypes")',
    '__import__("_ctypes")',
    '__import__("_imp").create_dynamic(__import__("importlib.machinery").machinery.ModuleSpec("x", None, origin="/bin/python"))',
  ),
  escapeBy(
    'changing what is handed in',
    'open("/data/index.json", "w")',
    'os.remove("/data/index.json")',
    'open("/data/new", "w")',
  ),
  {
    name: 'files of an earlier run',
    kind: 'escape',
    before:
      'import os\nfor folder in "/workspace", "/tmp", "/data", "/": \n    try: open(folder + "/left-behind", "w").write("x")\n    except OSError: pass',
    code: 'import os\nprint([root for root, _, names in os.walk("/") if "left-behind" in names])',
    holds: prints('[]'),
  },
  {
    name: 'memory of an earlier run',
    kind: 'escape',
    before:
      'import builtins, sys, os\nbuiltins.left_behind = sys.left_behind = 1\nos.environ["LEFT"] = "1"\nkeep = "left-behind" * 100000',
    code: 'import builtins, sys, os, gc\nprint(hasattr(builtins, "left_behind"), hasattr(sys, "left_behind"), "LEFT" in os.environ)',
    holds: prints('False False False'),
  },
];

const LIMITS: readonly SandboxCheck[] = [
  limit('endless loop', 'while True: pass', 'time limit', { timeout: 1 }),
  limit('sleep', 'import time\ntime.sleep(1e9)', 'time limit', { timeout: 1 }),
  limit('regex bomb', 'import re\nre.match(r"(a+)+$", "a" * 50 + "b")', 'time limit', { timeout: 1 }),
  limit('memory flood', 'kept = []\nwhile True: kept.append(bytearray(1_000_000))', 'memory limit', { memory: 64 }),
  limit('a number too large', 'x = 2 ** 10 ** 9', 'memory limit', { memory: 64 }),
  limit('disk flood', 'file = open("/workspace/flood", "wb")\nwhile True: file.write(bytes(1 << 20))', 'disk limit', {
    timeout: 30,
  }),
  limit('too many files', 'for number in range(50_000): open(f"/workspace/{number}", "w").close()', 'file limit'),
  limit(
    'too many links',
    'import os\nfor number in range(50_000): os.symlink("x", f"/workspace/{number}")',
    'file limit',
  ),
  limit('result too large', 'result = "x" * 2_000_000', 'output limit'),
  {
    name: 'output flood',
    kind: 'limit',
    code: 'for _ in range(100): print("x" * 1_000_000)',
    holds: ({ status, stdout }) => status === 'ok' && stdout.length < 1_200_000 && stdout.includes('stdout is cut'),
  },
  limit('recursion', 'def down(): return down()\ndown()', 'Python ended with exit code 1: RecursionError'),
  limit(
    'deep recursion',
    'import sys\nsys.setrecursionlimit(10 ** 9)\ndef down(): return down()\ndown()',
    'Python ended with exit code 1: RecursionError',
  ),
  limit('abort', 'import os\nos.abort()', 'Python crashed'),
  limit('input without stdin', 'input()', 'Python ended with exit code 1: EOFError'),
];

/** All of them, escapes first. */
export const SANDBOX_CHECKS: readonly SandboxCheck[] = [...ESCAPES, ...LIMITS];
