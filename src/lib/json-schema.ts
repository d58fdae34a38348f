import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { messageOf, OpsError } from '../domain/errors.js';
import { boundedPattern, unansweredLooks } from './bounded-pattern.js';

/** One way in which a value differs from its schema. */
export interface SchemaProblem {
  /**
   * From the root of the value; array positions are numbers. For a missing or an unknown key: the object that lacks or
   * holds it.
   */
  readonly path: readonly (string | number)[];
  /** JSON Schema keyword that failed: `type`, `required`, `additionalProperties` … */
  readonly keyword: string;
  /** Ajv's words: `must be string`. */
  readonly message: string;
  /** Details by keyword: `missingProperty`, `additionalProperty`, `allowedValues`, `type` … */
  readonly params: Readonly<Record<string, unknown>>;
  /** Where in the schema, as ajv writes it; tells the branches of `anyOf` apart. */
  readonly schemaPath: string;
  /** The part of the schema that failed. */
  readonly expected: Readonly<Record<string, unknown>>;
}

/** Returns every problem of a value; an empty list when it is valid, and known to be. Never changes the value. */
export type Validate = (data: unknown) => SchemaProblem[];

const compiled = new WeakMap<object, Validate>();
let instance: Ajv2020 | undefined;
const annotations = new Set<string>();

/**
 * Compiles a JSON Schema (2020-12, with formats). Unknown keywords are mistakes, except annotations called `x-…`. Each
 * schema object is compiled once.
 * @throws OpsError `usage` when the schema is not valid, uses an unknown keyword or refers outside itself.
 */
export function compileSchema(schema: unknown): Validate {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new OpsError('usage', 'A JSON Schema must be an object.');
  }
  const known = compiled.get(schema);
  if (known) return known;
  const validate = compile(schema);
  compiled.set(schema, validate);
  return validate;
}

function compile(schema: object): Validate {
  // Ajv would answer with a promise, which looks like a value that is valid, and is rejected when nobody listens.
  if ('$async' in schema) throw new OpsError('usage', 'The JSON Schema cannot be used: it is asynchronous.');
  instance ??= createAjv();
  try {
    allowAnnotations(instance, schema);
    const check = instance.compile<unknown>(schema);
    // Ajv would keep every schema for ever; the WeakMap above is the cache.
    instance.removeSchema(schema);
    return (data) => {
      const before = unansweredLooks();
      const problems = check(data) ? [] : (check.errors ?? []).map((error) => toProblem(error, data));
      return unansweredLooks() === before ? problems : [...problems, UNANSWERED];
    };
  } catch (error) {
    instance.removeSchema(schema);
    throw new OpsError('usage', `The JSON Schema cannot be used: ${messageOf(error)}.`, undefined, { cause: error });
  }
}

/** Keyword of the problem of a value that a pattern took too long to look at: whether it is valid is not known. */
const UNANSWERED_KEYWORD = 'x-unanswered';
const UNANSWERED: SchemaProblem = {
  ...{ path: [], keyword: UNANSWERED_KEYWORD, params: {}, schemaPath: '', expected: {} },
  message: 'has a text that a pattern takes too long to look at',
};

/** Whether it is not known if the value is valid. A `not` may have turned the answer round, so no other problem says anything then. */
export const isUnanswered = (problems: readonly SchemaProblem[]): boolean => problems.includes(UNANSWERED);

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    addUsedSchema: false,
    logger: false,
    code: { regExp: boundedPattern },
  });
  formats.default(ajv);
  return ajv;
}

/** Registers every key called `x-…` anywhere in the schema; a property of that name is not affected. */
function allowAnnotations(ajv: Ajv2020, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (/^x-[\w-]+$/.test(key) && !annotations.has(key)) {
      ajv.addKeyword(key);
      annotations.add(key);
    }
    allowAnnotations(ajv, inner);
  }
}

function toProblem(error: ErrorObject, data: unknown): SchemaProblem {
  const { instancePath, keyword, message, params, schemaPath, parentSchema } = error;
  return {
    path: pathOf(instancePath, data),
    keyword,
    message: message ?? keyword,
    params,
    schemaPath,
    expected: parentSchema ?? {},
  };
}

/** A JSON pointer as keys; the value itself says which of them are array positions. */
function pathOf(pointer: string, data: unknown): (string | number)[] {
  let value: unknown = data;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const isPosition = Array.isArray(value);
      value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
      return isPosition ? Number(key) : key;
    });
}
