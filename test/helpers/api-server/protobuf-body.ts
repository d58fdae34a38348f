import { unsupportedMediaType } from './failures.js';
import type { Fields } from './objects.js';

/** Before every object in protobuf: https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding */
const MAGIC = Buffer.from('k8s\0');

/** One field of a message: a number, or bytes (a text, a nested message, an entry of a map). */
type Wire = { readonly field: number; readonly number: number; readonly bytes: Buffer };

function readVarint(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start, scale = 1; at < bytes.length; at++, scale *= 128) {
    const byte = bytes.readUInt8(at);
    value += (byte & 127) * scale;
    if (byte < 128) return { value, end: at + 1 };
  }
  throw unsupportedMediaType('a protobuf number does not end');
}

function readMessage(bytes: Buffer): Wire[] {
  const fields: Wire[] = [];
  for (let at = 0; at < bytes.length; ) {
    const key = readVarint(bytes, at);
    const field = Math.floor(key.value / 8);
    const first = readVarint(bytes, key.end);
    const wireType = key.value % 8;
    if (wireType !== 0 && wireType !== 2) throw unsupportedMediaType(`protobuf wire type ${wireType}`);
    at = wireType === 0 ? first.end : first.end + first.value;
    fields.push({
      field,
      number: first.value,
      bytes: wireType === 0 ? Buffer.alloc(0) : bytes.subarray(first.end, at),
    });
  }
  return fields;
}

type Read = (wire: Wire) => unknown;
const text: Read = ({ bytes }) => bytes.toString('utf8');
const base64: Read = ({ bytes }) => bytes.toString('base64');
const number: Read = ({ number }) => number;
const flag: Read = ({ number }) => number !== 0;
const time: Read = ({ bytes }) => {
  const seconds = readMessage(bytes).find(({ field }) => field === 1)?.number;
  return seconds === undefined ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
};

/** The fields of a message by number: name, how it is read, and `map` or `list` where it repeats. */
type Shape = Readonly<Record<number, readonly [name: string, read: Read, repeats?: 'map' | 'list']>>;

function decode(bytes: Buffer, shape: Shape): Fields {
  const result: Record<string, unknown> = {};
  for (const wire of readMessage(bytes)) {
    const known = shape[wire.field];
    if (known === undefined) throw unsupportedMediaType(`protobuf field ${wire.field} is not known here`);
    const [name, read, repeats] = known;
    if (repeats === 'list') result[name] = [...((result[name] as unknown[] | undefined) ?? []), read(wire)];
    else if (repeats === 'map') result[name] = { ...(result[name] as Fields | undefined), ...entry(wire, read) };
    else result[name] = read(wire);
  }
  return result;
}

function entry(wire: Wire, read: Read): Fields {
  const [key, value] = [1, 2].map((field) => readMessage(wire.bytes).find((one) => one.field === field));
  return { [key === undefined ? '' : String(text(key))]: value === undefined ? '' : read(value) };
}

/** A text that is empty is absent in JSON, and so is a time that is zero. */
const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== null && value !== 0));

/** https://github.com/kubernetes/apimachinery/blob/master/pkg/apis/meta/v1/generated.proto */
const METADATA: Shape = {
  1: ['name', text],
  2: ['generateName', text],
  3: ['namespace', text],
  4: ['selfLink', text],
  5: ['uid', text],
  6: ['resourceVersion', text],
  7: ['generation', number],
  8: ['creationTimestamp', time],
  10: ['deletionGracePeriodSeconds', number],
  11: ['labels', text, 'map'],
  12: ['annotations', text, 'map'],
  14: ['finalizers', text, 'list'],
};

const nested =
  (shape: Shape): Read =>
  ({ bytes }) =>
    withoutEmpty(decode(bytes, shape));

/** https://github.com/kubernetes/api/blob/master/core/v1/generated.proto and authorization/v1 */
const ATTRIBUTES: Shape = {
  1: ['namespace', text],
  2: ['verb', text],
  3: ['group', text],
  4: ['version', text],
  5: ['resource', text],
  6: ['subresource', text],
  7: ['name', text],
};
const PATH: Shape = { 1: ['path', text], 2: ['verb', text] };
const SHAPES: Readonly<Record<string, Shape>> = {
  Secret: {
    1: ['metadata', nested(METADATA)],
    2: ['data', base64, 'map'],
    3: ['type', text],
    4: ['stringData', text, 'map'],
    5: ['immutable', flag],
  },
  ConfigMap: {
    1: ['metadata', nested(METADATA)],
    2: ['data', text, 'map'],
    3: ['binaryData', base64, 'map'],
    4: ['immutable', flag],
  },
  SelfSubjectAccessReview: {
    1: ['metadata', nested(METADATA)],
    2: ['spec', nested({ 1: ['resourceAttributes', nested(ATTRIBUTES)], 2: ['nonResourceAttributes', nested(PATH)] })],
    3: [
      'status',
      nested({ 1: ['allowed', flag], 2: ['reason', text], 3: ['evaluationError', text], 4: ['denied', flag] }),
    ],
  },
  DeleteOptions: {
    1: ['gracePeriodSeconds', number],
    3: ['orphanDependents', flag],
    4: ['propagationPolicy', text],
    5: ['dryRun', text, 'list'],
  },
};

/** The object in a protobuf body, as JSON. Throws 415 for a kind or a field that is not known here. */
export function decodeProtobuf(body: Buffer): Fields {
  if (!body.subarray(0, 4).equals(MAGIC)) throw unsupportedMediaType('the body does not begin with k8s and a zero');
  const unknown = decode(body.subarray(4), {
    1: ['type', ({ bytes }) => decode(bytes, { 1: ['apiVersion', text], 2: ['kind', text] })],
    2: ['raw', ({ bytes }) => bytes],
    3: ['contentEncoding', text],
    4: ['contentType', text],
  });
  const { kind = '', apiVersion } = unknown.type as { kind?: string; apiVersion?: string };
  const shape = SHAPES[kind];
  if (shape === undefined) throw unsupportedMediaType(`protobuf of the kind ${kind} is not read here`);
  return { apiVersion, kind, ...decode(unknown.raw as Buffer, shape) };
}
