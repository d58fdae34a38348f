/** One field of a protobuf message: its number, and a text, a nested message, or several of them. */
export type ProtoField = readonly [number, string | Uint8Array | readonly (string | Uint8Array)[]];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

/** A protobuf message of length-delimited fields (texts and messages), which is all that an OpenAPI document needs. */
export function protoMessage(...fields: readonly ProtoField[]): Uint8Array {
  const parts = fields.flatMap(([number, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((item) => {
      const bytes = typeof item === 'string' ? Buffer.from(item) : Buffer.from(item);
      return [Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes];
    });
  });
  return Buffer.concat(parts);
}
