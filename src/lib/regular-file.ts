import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { OpsError } from '../domain/errors.js';

/**
 * Opens a regular file for reading, at most `maxBytes` long. Never waits for a writer and never touches a device: a FIFO, a socket or a
 * device is refused before it is opened, and what took its place in between is refused before it is read.
 * @throws OpsError usage for what is none or is too long; the error of the system when it cannot be opened.
 */
export async function openRegularFile(path: string, maxBytes: number): Promise<FileHandle> {
  const check = (found: Awaited<ReturnType<typeof stat>>) => {
    if (!found.isFile()) throw new OpsError('usage', `${path} is not a regular file.`, 'Name a file.');
    if (found.size > maxBytes)
      throw new OpsError('usage', `${path} is larger than ${inWords(maxBytes)}.`, 'Use a part of it.');
  };
  check(await stat(path));
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    check(await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

const inWords = (bytes: number): string => {
  const mebibytes = bytes / 1024 / 1024;
  return mebibytes >= 1 ? `${Math.floor(mebibytes)} MiB` : `${bytes} bytes`;
};

/** The bytes of a regular file, one that grows while it is read up to `maxBytes`. @throws like {@link openRegularFile}. */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = await openRegularFile(path, maxBytes);
  const chunks: Buffer[] = [];
  for await (const chunk of file.createReadStream({ end: maxBytes - 1 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
