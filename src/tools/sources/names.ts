import { createHash } from 'node:crypto';

const MAX_LENGTH = 64;

/** A name of another system as a tool name (`[a-z][a-z0-9_]{0,63}`): `listPets` is `list_pets`. A long one ends in a hash of the whole. */
export function toolNameOf(foreign: string, prefix?: string): string {
  const words = foreign
    .normalize('NFKD')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  const name = /^[a-z]/.test(words) ? words : words === '' ? `tool_${hashOf(foreign)}` : `tool_${words}`;
  return shorten(prefix === undefined ? name : `${prefix}_${name}`);
}

/** Gives each name once: a second one gets `_2`, a third `_3`. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count++) {
      const end = `_${count}`;
      unique = `${name.slice(0, MAX_LENGTH - end.length)}${end}`;
    }
    taken.add(unique);
    return unique;
  };
}

const shorten = (name: string): string =>
  name.length <= MAX_LENGTH ? name : `${name.slice(0, MAX_LENGTH - 7).replace(/_+$/, '')}_${hashOf(name)}`;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6);
