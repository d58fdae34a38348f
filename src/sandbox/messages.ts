/** What the two sides of a sandbox say to each other. The child believes the parent; the parent takes what comes back as data. */

export interface ModuleRef {
  /** A core module, or one compressed with gzip. */
  readonly path: string;
  /** Of the bytes as they are in the file; not checked for a module that the person chose. */
  readonly sha256?: string;
}

export interface Setup {
  readonly type: 'setup';
  readonly module: ModuleRef;
  readonly memoryMb: number;
  /** The text of the program that runs `code.py`, which becomes the first argument. Absent for commands other than Python. */
  readonly program?: string;
}

/** The next file that is handed in, then its content in `chunk`s. */
export interface FileStart {
  readonly type: 'file';
  /** Below /data, or `code.py` of /workspace. */
  readonly path: string;
  readonly bytes: number;
}

export interface Chunk {
  readonly type: 'chunk';
  readonly bytes: Uint8Array;
}

export interface Run {
  readonly type: 'run';
  readonly args: readonly string[];
  readonly stdin?: Uint8Array;
}

export type ToChild = Setup | FileStart | Chunk | Run;

/** What the program around Python code has to say at its end: which limit it met, and `result`. All of it is the guest's word. */
export interface GuestNote {
  readonly limit?: 'memory' | 'files' | 'result';
  readonly missingModule?: string;
  /** JSON text. */
  readonly result?: string;
}

export type FromChild =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly message: string; readonly hint?: string }
  | { readonly type: 'started' }
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly bytes: Uint8Array }
  | Ended;

export interface Ended {
  readonly type: 'ended';
  readonly end:
    | { readonly type: 'exited'; readonly exitCode: number; readonly note: GuestNote }
    | { readonly type: 'trapped'; readonly message: string }
    | { readonly type: 'disk-full' };
  /** Bytes that were printed past the limit. */
  readonly leftOut: { readonly stdout: number; readonly stderr: number };
  /** A child that holds much is not used again. */
  readonly heapBytes: number;
}
