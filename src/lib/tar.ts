const BLOCK = 512;

/** Content of one file of a tar archive, by its name without a leading slash; undefined when it is not there. */
export function fileOfTar(archive: Uint8Array, name: string): Uint8Array | undefined {
  const text = (from: number, length: number) =>
    Buffer.from(archive.subarray(from, from + length))
      .toString('latin1')
      .split('\0', 1)
      .join('');
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8);
    if (!Number.isSafeInteger(size)) return undefined;
    const start = at + BLOCK;
    if (text(at, 100).replace(/^\.?\//, '') === name) return archive.subarray(start, start + size);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return undefined;
}
