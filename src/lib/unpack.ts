import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Unpacks a body as its Content-Encoding says (one of them, in lower case); undefined for one that is not known. */
export function unpack(body: Readable, encoding: string): Readable | undefined {
  if (encoding === '' || encoding === 'identity') return body;
  const unpackers: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const unpacker = Object.hasOwn(unpackers, encoding) ? unpackers[encoding]?.() : undefined;
  // An error reaches the reader through the last stream, which pipeline destroys with it.
  return unpacker && pipeline(body, unpacker, () => undefined);
}
