import { createHash } from 'node:crypto';
import { OpsError } from '../domain/errors.js';
import type { Json } from '../domain/types.js';
import { formText } from './http-params.js';
import type { FieldEncoding, HttpSpec } from './http-spec.js';

/** A body as it is sent; JSON needs no type, since that is what is assumed. */
export interface WrittenBody {
  readonly text?: string;
  readonly type?: string;
}

/**
 * Writes a body down as JSON, as a form, in parts or as text.
 * @throws OpsError usage when it is no object, but its fields are wanted.
 */
export function writeBody(body: Json, spec: HttpSpec): WrittenBody {
  const { body_as: as = 'json', content_type: type, encoding = {} } = spec;
  if (as === 'json') return { text: JSON.stringify(body), ...(type !== undefined && { type }) };
  if (as === 'text')
    return { text: typeof body === 'string' ? body : JSON.stringify(body), type: type ?? 'text/plain' };
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OpsError('usage', 'The body of a form must be an object.');
  const fields = body as { readonly [key: string]: Json };
  if (as === 'form') return { text: formText(fields, encoding), type: type ?? 'application/x-www-form-urlencoded' };
  return parts(fields, encoding);
}

/** RFC 7578. The boundary follows from the content, so that what is shown is what is sent, and no value can hold it. */
function parts(
  fields: { readonly [key: string]: Json },
  encoding: Readonly<Record<string, FieldEncoding>>,
): WrittenBody {
  const all = Object.entries(fields).flatMap(([name, value]) => {
    const { file, content_type: own } = (Object.hasOwn(encoding, name) ? encoding[name] : undefined) ?? {};
    return (Array.isArray(value) ? value : [value]).map((one: Json) => {
      const isJson = typeof one === 'object' && one !== null;
      const plain = name.replaceAll(/["\r\n]/g, enc);
      const type = own ?? (isJson ? 'application/json' : file ? 'application/octet-stream' : undefined);
      const head = `content-disposition: form-data; name="${plain}"${file ? `; filename="${plain}"` : ''}`;
      return `${head}${type ? `\r\ncontent-type: ${type}` : ''}\r\n\r\n${isJson ? JSON.stringify(one) : one}\r\n`;
    });
  });
  const boundary = `opsagent-${createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 32)}`;
  const text = `${all.map((part) => `--${boundary}\r\n${part}`).join('')}--${boundary}--\r\n`;
  return { text, type: `multipart/form-data; boundary=${boundary}` };
}

const enc = encodeURIComponent;
