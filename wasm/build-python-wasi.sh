#!/bin/bash
# Builds python.wasm (CPython 3.13 for WASI preview1, stdlib frozen in) on a clean Debian 12 amd64 machine.
#   MIRROR=URL ./build-python-wasi.sh [WORKDIR]      -> WORKDIR/out/{python.wasm,python-zip.wasm,python313.zip}
# Network: only the Debian mirror.  System changes: none, except `apt-get install` of build-essential/pkg-config/xz-utils when missing.
# Everything else (clang 19, lld, wasi-libc, sources) is downloaded with a private apt configuration and unpacked below WORKDIR.
set -euo pipefail
W=$(realpath -m "${1:-$PWD/pywasi-build}")
MIRROR=${MIRROR:?name a mirror of Debian: MIRROR=URL $0 [WORKDIR]}; JOBS=${JOBS:-$(nproc)}
export LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1749600000} PYTHONHASHSEED=0
LLVM_VER='1:19.1.7-3~deb12u1'          # bookworm
WASI_LIBC_VER='0.0~git20241209.574b88d-2'  # trixie (bookworm's 2022 one is too old)
PY_VER='3.13.5-2+deb13u5'              # trixie
ZLIB_VER='1:1.3.dfsg+really1.3.1-1'    # trixie
mkdir -p "$W"/{apt/lists/partial,apt/cache/archives/partial,debs,src,tc,sdk/bin,gen,out}
need=(); for p in gcc:build-essential make:build-essential dpkg-source:dpkg-dev pkg-config:pkg-config xz:xz-utils; do command -v "${p%%:*}" >/dev/null || need+=("${p##*:}"); done
if ((${#need[@]})); then apt-get update -qq; apt-get install -y -qq --no-install-recommends "${need[@]}"; fi

echo "== 1/7 private apt"
cat > "$W/apt/sources.list" <<E
deb $MIRROR bookworm main
deb $MIRROR trixie main
deb-src $MIRROR trixie main
E
cat > "$W/apt/apt.conf" <<E
Dir::Etc::sourcelist "$W/apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$W/apt/lists";
Dir::Cache "$W/apt/cache";
APT::Sandbox::User "root";
E
export APT_CONFIG=$W/apt/apt.conf
apt-get update -qq
echo "== 2/7 download"
(cd "$W/debs"; apt-get download -qq {clang-19,lld-19,llvm-19,libllvm19,libclang-cpp19,libclang-common-19-dev,libclang-rt-19-dev-wasm32,llvm-19-linker-tools}="$LLVM_VER" wasi-libc="$WASI_LIBC_VER")
(cd "$W/src"; apt-get source -qq --download-only python3.13="$PY_VER" zlib="$ZLIB_VER")
unset APT_CONFIG
(cd "$W"; sha256sum --quiet -c <<'E'
89ab931a9bbfd567a76df3141af5d5ec67b01d800150e614f2c9bf4671da9b08  debs/clang-19_1%3a19.1.7-3~deb12u1_amd64.deb
811c2d398ad772204ec05ffde485cbbc4c210abc5dcf0068ff9ca3e647591ce7  debs/libclang-common-19-dev_1%3a19.1.7-3~deb12u1_amd64.deb
5daa784e1d747db320c16604729ffa805e6bfd72d3ac0b7cb0ee5f1a7ebc8aae  debs/libclang-cpp19_1%3a19.1.7-3~deb12u1_amd64.deb
a291d4ae24344016f2e05390a7875c88da6c1e2e48711607454e394604ecc669  debs/libclang-rt-19-dev-wasm32_1%3a19.1.7-3~deb12u1_all.deb
6edf3a8b28495cdba883d9760e0dca1a81983fc497a5f989dc64d0d96d23b4aa  debs/libllvm19_1%3a19.1.7-3~deb12u1_amd64.deb
416e084363a16a7060eaa6343ed641dfe864b8208c39170ee00a5679e4b486a2  debs/lld-19_1%3a19.1.7-3~deb12u1_amd64.deb
448ced8f4e6969a8adaee9a4822fced6f1604a8ee8fcd32aa70328c7d83a68d9  debs/llvm-19-linker-tools_1%3a19.1.7-3~deb12u1_amd64.deb
f91492c5b361ff12f540b9f6145cf638b5e0fb3f145fceabd6c4b9540eab4bf9  debs/llvm-19_1%3a19.1.7-3~deb12u1_amd64.deb
b7716260051d289248b7667f81fa2792c125d888ff51da3fa09c6272cc0bd11d  debs/wasi-libc_0.0~git20241209.574b88d-2_all.deb
4be84e20fb902354fa86955e2fbea6e8bdbd158f54833423488308a9b3532662  src/python3.13_3.13.5-2+deb13u5.dsc
93e583f243454e6e9e4588ca2c2662206ad961659863277afcdb96801647d640  src/python3.13_3.13.5.orig.tar.xz
a51f456e654ce2c9b40cc1db8005e5041cdb0b2c3aa96ab0871c49fe95280366  src/python3.13_3.13.5-2+deb13u5.debian.tar.xz
60dd315c07f616887caa029408308a018ace66e3d142726a97db164b3b8f69fb  src/zlib_1.3.dfsg+really1.3.1.orig.tar.gz
E
)
for d in "$W"/debs/*.deb; do dpkg -x "$d" "$W/tc"; done
# Runtime libraries of LLVM that a minimal Debian lacks (private copies, bookworm)
if ! LD_LIBRARY_PATH=$W/tc/usr/lib/x86_64-linux-gnu "$W/tc/usr/lib/llvm-19/bin/clang" --version >/dev/null 2>&1; then
  mkdir -p "$W/debs-lib"; (cd "$W/debs-lib"; APT_CONFIG=$W/apt/apt.conf apt-get download -qq {libz3-4,libedit2,libbsd0,libmd0,libxml2,libicu72,libffi8,libzstd1,zlib1g}/bookworm)
  for d in "$W"/debs-lib/*.deb; do dpkg -x "$d" "$W/tc"; done
fi
LD_LIBRARY_PATH=$W/tc/usr/lib/x86_64-linux-gnu "$W/tc/usr/lib/llvm-19/bin/clang" --version | head -1

echo "== 3/7 toolchain wrappers"
R=$W/tc/usr/lib/llvm-19/lib/clang/19/lib
mkdir -p "$R/wasm32-unknown-wasip1"; ln -sfn ../wasi/libclang_rt.builtins-wasm32.a "$R/wasm32-unknown-wasip1/libclang_rt.builtins.a"   # clang 19 looks here for *-wasip1
S=$W/sdk/share/wasi-sysroot; mkdir -p "$S"/{lib,include}
for t in wasm32-wasi wasm32-wasip1; do ln -sfn "$W/tc/usr/lib/wasm32-wasi" "$S/lib/$t"; ln -sfn "$W/tc/usr/include/wasm32-wasi" "$S/include/$t"; done
mk(){ printf '#!/bin/sh\nLD_LIBRARY_PATH=%s PATH=%s:$PATH exec %s/%s %s "$@"\n' "$W/tc/usr/lib/x86_64-linux-gnu" "$W/tc/usr/bin" "$W/tc/usr/lib/llvm-19/bin" "$2" "${3:-}" > "$W/sdk/bin/$1"; chmod +x "$W/sdk/bin/$1"; }
T="--target=wasm32-wasip1 --sysroot=$S"
for c in clang clang++ clang-cpp; do mk $c $c "$T"; done
for t in llvm-ar llvm-ranlib llvm-nm llvm-strip wasm-ld; do mk $t $t; done; mk ar llvm-ar; mk ranlib llvm-ranlib
B=$W/sdk/bin

echo "== 4/7 build python (native, same version)"
rm -rf "$W/py"; mkdir -p "$W/py"
dpkg-source --no-check -x "$W"/src/python3.13_*.dsc "$W/py/src" > "$W/dpkg-source.log" 2>&1
rm -rf "$W/zlib-native"; mkdir -p "$W/zlib-native" "$W/py/host"; tar -C "$W/zlib-native" --strip-components=1 -xzf "$W"/src/zlib_*.orig.tar.gz
(cd "$W/zlib-native"; for f in adler32 compress crc32 deflate infback inffast inflate inftrees trees uncompr zutil; do gcc -O2 -fPIC -DHAVE_UNISTD_H -c $f.c -o $f.o; done; ar rcs libz.a ./*.o)   # only to write the deflated zip
(cd "$W/py/host"; ZLIB_CFLAGS=-I$W/zlib-native ZLIB_LIBS="-L$W/zlib-native -lz" ../src/configure -q --disable-test-modules --without-ensurepip OPT="-DNDEBUG -O1 -g0" && make -s -j"$JOBS") > "$W/host.log" 2>&1 || { tail -30 "$W/host.log"; exit 1; }
HP=$W/py/host/python; "$HP" --version

echo "== 5/7 zlib for wasi"
rm -rf "$W/zlib" "$W/deps"; mkdir -p "$W/zlib" "$W/deps"/{lib,include}; tar -C "$W/zlib" --strip-components=1 -xzf "$W"/src/zlib_*.orig.tar.gz
(cd "$W/zlib"; for f in adler32 compress crc32 deflate infback inffast inflate inftrees trees uncompr zutil; do "$B/clang" -O2 -DHAVE_UNISTD_H -c $f.c -o $f.o; done; "$B/llvm-ar" rcs "$W/deps/lib/libz.a" ./*.o; cp zlib.h zconf.h "$W/deps/include")

echo "== 6/7 CPython for wasm32-wasip1"
mkdir "$W/py/wasi"
( cd "$W/py/wasi"
  export PATH=$B:$PATH CC=$B/clang CXX=$B/clang++ CPP=$B/clang-cpp AR=$B/llvm-ar RANLIB=$B/llvm-ranlib
  export PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=/nonexistent WASI_SYSROOT=$S CONFIG_SITE=$W/py/src/Tools/wasm/config.site-wasm32-wasi HOSTRUNNER=/bin/true
  export ZLIB_CFLAGS=-I$W/deps/include ZLIB_LIBS="-L$W/deps/lib -lz"
  for m in _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw _multibytecodec _lsprof _asyncio; do export "py_cv_module_$m=n/a"; done
  ../src/configure -q --host=wasm32-wasip1 --build=x86_64-pc-linux-gnu --with-build-python="$HP" --prefix=/usr/local \
     --disable-test-modules --without-ensurepip --with-pymalloc OPT="-DNDEBUG -g0 -O2 -Wall"
  make -s -j"$JOBS" python.wasm ) > "$W/wasi.log" 2>&1 || { tail -40 "$W/wasi.log"; exit 1; }

echo "== 7/7 frozen stdlib + main"
cat > "$W/gen/pybox_main.c" <<'E'
/* pybox: a CPython WASI command whose pure-Python stdlib is frozen into the module.
   Isolated: ignores PYTHON* environment variables, no user site, no bytecode writing. */
#include <Python.h>
#include <wasi/api.h>
#include <string.h>
#include <unistd.h>
extern const struct _frozen pybox_frozen[];

/* Portable clock waits.  Linked with -Wl,--wrap=__wasi_poll_oneoff.
   - Wasmer (@wasmer/sdk 0.16) treats a relative clock subscription with timeout 0 as "wait forever" (its own libc
     passes 1 ns); wasi-libc passes 0 for poll(..., 0) and select(..., {0,0}): `import selectors` would hang.
   - node:wasi (Node 20.20.2, uvwasi 0.0.23) never returns from an absolute monotonic subscription, which is what
     CPython's time.sleep() uses.  So every clock subscription is made relative and at least 1 ns. */
__wasi_errno_t __real___wasi_poll_oneoff(const __wasi_subscription_t *, __wasi_event_t *, __wasi_size_t, __wasi_size_t *);
__wasi_errno_t __wrap___wasi_poll_oneoff(const __wasi_subscription_t *in, __wasi_event_t *out,
                                         __wasi_size_t n, __wasi_size_t *ret)
{
    if (n == 0 || n > 64) return __real___wasi_poll_oneoff(in, out, n, ret);
    __wasi_subscription_t copy[64];
    memcpy(copy, in, n * sizeof *in);
    for (__wasi_size_t i = 0; i < n; i++) {
        if (copy[i].u.tag != __WASI_EVENTTYPE_CLOCK) continue;
        __wasi_subscription_clock_t *c = &copy[i].u.u.clock;
        if (c->flags & __WASI_SUBCLOCKFLAGS_SUBSCRIPTION_CLOCK_ABSTIME) {
            __wasi_timestamp_t now = 0;
            if (__wasi_clock_time_get(c->id, 1, &now)) continue;
            c->timeout = c->timeout > now ? c->timeout - now : 0;
            c->flags &= ~__WASI_SUBCLOCKFLAGS_SUBSCRIPTION_CLOCK_ABSTIME;
        }
        if (c->timeout == 0) c->timeout = 1;
    }
    return __real___wasi_poll_oneoff(copy, out, n, ret);
}

static void die(PyStatus s) { if (PyStatus_IsExit(s)) exit(s.exitcode); Py_ExitStatusException(s); }

int main(int argc, char **argv)
{
    PyStatus s;
    (void)chdir("/workspace");   /* WASI p1 has no cwd to inherit; the SDK's `cwd` option has no effect on such modules */
    PyImport_FrozenModules = pybox_frozen;

    PyPreConfig pre;
    PyPreConfig_InitIsolatedConfig(&pre);
    pre.utf8_mode = 1;
    pre.parse_argv = 0;
    s = Py_PreInitialize(&pre);
    if (PyStatus_Exception(s)) die(s);

    PyConfig c;
    PyConfig_InitIsolatedConfig(&c);
    c.parse_argv = 1;            /* -c CODE | FILE | - */
    c.install_signal_handlers = 0;
    c.write_bytecode = 0;
    c.pathconfig_warnings = 0;
    c.user_site_directory = 0;
    c.safe_path = 0;             /* let a script import its neighbours */
    c.site_import = 1;           /* exit(), quit(), help() */
    c.use_frozen_modules = 1;
    c.buffered_stdio = 1;

#define SET(field, val) do { s = PyConfig_SetString(&c, &c.field, L##val); if (PyStatus_Exception(s)) die(s); } while (0)
    SET(home, "/usr/local");
    SET(prefix, "/usr/local");
    SET(base_prefix, "/usr/local");
    SET(exec_prefix, "/usr/local");
    SET(base_exec_prefix, "/usr/local");
    SET(executable, "");
    SET(base_executable, "");
    SET(stdlib_dir, "/usr/local/lib/python3.13");
    SET(stdio_encoding, "utf-8");
    SET(stdio_errors, "backslashreplace");
    c.module_search_paths_set = 1;
    s = PyWideStringList_Append(&c.module_search_paths, L"/usr/local/lib/python");
    if (PyStatus_Exception(s)) die(s);
    s = PyConfig_SetBytesArgv(&c, argc, argv);
    if (PyStatus_Exception(s)) die(s);
    s = Py_InitializeFromConfig(&c);
    PyConfig_Clear(&c);
    if (PyStatus_Exception(s)) die(s);
    return Py_RunMain();
}
E
cat > "$W/gen/stdlib_list.py" <<'E'
# What goes into the sandbox stdlib.  Usage: from stdlib_list import modules  -> [(name, path, is_pkg)]
import os, sys
EXCLUDE_TOP = {  # GUI, installers, test, process/thread/network machinery that cannot work under WASI, legacy
 'test','idlelib','tkinter','turtle','turtledemo','ensurepip','lib2to3','distutils','pydoc_data','venv','curses',
 'ctypes','dbm','sqlite3','multiprocessing','msilib','xmlrpc','wsgiref','unittest','_pyrepl','pydoc','doctest',
 'antigravity','this','webbrowser','cgi','cgitb','ftplib','poplib','imaplib','smtplib','nntplib','telnetlib',
 'socketserver','_osx_support','_aix_support','_ios_support','_android_support','nturl2path','crypt','pty','tty',
 'rlcompleter','zipapp','pickletools','cProfile','profile','pstats','trace','tabnanny','pyclbr','modulefinder',
 'py_compile','compileall','symtable','__phello__','__hello__','bdb','pdb','lzma','bz2','ssl','tarfile','shelve',
 'mailbox','netrc','plistlib','xdrlib','_apple_support','_py_abc','_pydatetime_','asyncio','concurrent','logging_',
 'pyrepl','readline','sre_compile','sre_constants','sre_parse','_sysconfigdata__linux_x86_64-linux-gnu','_colorize_','wave','chunk','sunau','aifc','getpass','nis','site-packages','fileinput_','stringprep_','ntpath_'}
EXCLUDE_DOTTED = {'_pydecimal','_pyio','_pydatetime','importlib._bootstrap','importlib._bootstrap_external','urllib.request','urllib.robotparser','http.client','http.cookies_','logging.handlers','socket_','ntpath','encodings.idna_','importlib.resources.simple_','http.server','http.cookiejar','xml.sax.expatreader_','email.test','json.tool_'}
KEEP_ENC = {'__init__','aliases','ascii','utf_8','utf_8_sig','latin_1','iso8859_1','iso8859_15','cp1252','cp437','utf_16','utf_16_le','utf_16_be','utf_32','utf_32_le','utf_32_be','idna','punycode','raw_unicode_escape','unicode_escape','hex_codec','base64_codec','quopri_codec','rot_13','zlib_codec','charmap','undefined','utf_7','mbcs_'}
def modules(lib, full=False):
    out=[]
    def walk(d, pkg):
        for n in sorted(os.listdir(d)):
            p=os.path.join(d,n)
            if os.path.isdir(p):
                if n in('__pycache__','tests','test') or not os.path.exists(os.path.join(p,'__init__.py')): continue
                name=(pkg+'.' if pkg else '')+n
                if not pkg and n in EXCLUDE_TOP: continue
                if name in EXCLUDE_DOTTED: continue
                out.append((name,os.path.join(p,'__init__.py'),True)); walk(p,name)
            elif n.endswith('.py'):
                m=n[:-3]
                if m=='__init__': continue
                name=(pkg+'.' if pkg else '')+m
                if not pkg and (m in EXCLUDE_TOP or m in EXCLUDE_DOTTED or m.startswith('_sysconfigdata')): continue
                if name in EXCLUDE_DOTTED: continue
                if pkg=='encodings' and not full and m not in KEEP_ENC: continue
                out.append((name,p,False))
    walk(lib,'')
    return out
E
cat > "$W/gen/make_stdlib.py" <<'E'
# make_stdlib.py LIB OUTDIR  -> python313.zip (stored, sourceless .pyc), python313-deflate.zip, frozen blobs + table
import sys, os, marshal, zipfile, importlib._bootstrap_external as be, importlib.util
sys.path.insert(0,os.path.dirname(os.path.abspath(__file__)))
from stdlib_list import modules
lib,out=sys.argv[1:3]; opt=int(sys.argv[3]) if len(sys.argv)>3 else 0
os.makedirs(out,exist_ok=True); mods=modules(lib)
codes=[]
for name,path,pkg in mods:
    src=open(path,'rb').read()
    rel=os.path.relpath(path,lib)
    co=compile(src,'<frozen %s>'%name,'exec',dont_inherit=True,optimize=opt)
    codes.append((name,rel,pkg,co))
# sysconfig wants its build-time data module; the real one is useless in a sandbox
n='_sysconfigdata__wasi_wasm32-wasi'; codes.append((n,n+'.py',False,compile('build_time_vars = {}','<frozen %s>'%n,'exec',dont_inherit=True,optimize=opt)))
for fn,comp in (('python313.zip',zipfile.ZIP_STORED),('python313-deflate.zip',zipfile.ZIP_DEFLATED)):
    with zipfile.ZipFile(os.path.join(out,fn),'w',comp,compresslevel=9) as z:
        for name,rel,pkg,co in codes:
            data=importlib.util.MAGIC_NUMBER+(0).to_bytes(4,'little')+(0).to_bytes(4,'little')+(0).to_bytes(4,'little')+marshal.dumps(co)
            zi=zipfile.ZipInfo(rel+'c',(2025,1,1,0,0,0)); zi.compress_type=comp; zi.external_attr=0o644<<16
            z.writestr(zi,data,comp,9)
blob=b''; rows=[]
for name,rel,pkg,co in codes:
    d=marshal.dumps(co); rows.append((name,len(blob),len(d),pkg)); blob+=d; blob+=b'\0'*(-len(blob)%8)
open(os.path.join(out,'frozen.bin'),'wb').write(blob)
with open(os.path.join(out,'frozen_table.c'),'w') as f:
    f.write('#include <Python.h>\nstatic const unsigned char blob[] = {\n#embed "frozen.bin"\n};\nconst struct _frozen pybox_frozen[] = {\n')
    for n,o,l,p in rows: f.write('  {"%s", blob+%d, %d, %d},\n'%(n,o,l,p))
    f.write('  {0,0,0,0}\n};\n')
print(len(codes),'modules', 'marshal bytes',len(blob))
for fn in os.listdir(out): print(fn,os.path.getsize(os.path.join(out,fn)))
E
( cd "$W/gen"; "$HP" -B make_stdlib.py "$W/py/src/Lib" "$W/gen" 2
  "$B/clang" -O2 -std=c23 -Wno-c23-extensions -I"$W/py/src/Include" -I"$W/py/wasi" -c frozen_table.c -o frozen_table.o
  "$B/clang" -O2 -I"$W/py/src/Include" -I"$W/py/wasi" -c pybox_main.c -o pybox_main.o )
( cd "$W/py/wasi"; export PATH=$B:$PATH
  make -n -W Programs/python.o python.wasm 2>/dev/null | grep -- '-o python.wasm' | tail -1 > link.orig
  sed -e "s#-o python.wasm Programs/python.o#-Wl,--wrap=__wasi_poll_oneoff -o $W/gen/pybox-raw.wasm $W/gen/pybox_main.o $W/gen/frozen_table.o#" link.orig > link.sh; sh -e link.sh )
"$B/llvm-strip" -s "$W/gen/pybox-raw.wasm" -o "$W/out/python.wasm"
"$B/llvm-strip" -s "$W/py/wasi/python.wasm" -o "$W/out/python-zip.wasm"     # plain CPython, needs PYTHONHOME=/usr/local and the zip
cp "$W/gen/python313-deflate.zip" "$W/out/python313.zip"
gzip -9nc "$W/out/python.wasm" > "$W/out/python.wasm.gz"
ls -l "$W/out"; (cd "$W/out"; sha256sum python*)
