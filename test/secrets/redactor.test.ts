import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import { createRedactor, secretsOf } from '../../src/secrets/redactor.js';
import { MAX_LINE } from '../../src/secrets/stream.js';
import { ordinaryLines } from './ordinary.js';
import { needsItsLines, PLANTED } from './planted.js';

const REFERENCE = /<secret(?::\d+)?>/;

/** The whole output of a stream that gets these chunks. */
function streamed(chunks: readonly Uint8Array[], redactor = createRedactor()): Buffer {
  const stream = redactor.stream();
  return Buffer.concat([...chunks.map((chunk) => Buffer.from(stream.write(chunk))), stream.end()]);
}

/** Cut behind each of these shares of its length. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => Math.floor(place * bytes.length)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe('the redactor', () => {
  test.for(PLANTED)('hides %s', ([, text, ...values]) => {
    const hidden = createRedactor().hide(text, 'output');
    expect(values.filter((value) => hidden.includes(value))).toEqual([]);
    expect(hidden).toMatch(REFERENCE);
  });

  test.for(PLANTED)('hides %s once, and changes nothing the second time', ([, text]) => {
    const redactor = createRedactor();
    const hidden = redactor.hide(text, 'output');
    expect(redactor.hide(hidden, 'output')).toBe(hidden);
  });

  test.for(PLANTED)('hides %s inside the text of a JSON document, which stays one', ([, text, ...values]) => {
    const hidden = createRedactor().hide(JSON.stringify({ log: text }), 'output');
    const { log } = JSON.parse(hidden) as { log: string };
    const left = values.filter((value) => log.includes(value));
    expect(needsItsLines(text) ? [] : left).toEqual([]);
  });

  test('hides what stands in a line that is taken for a part of a key, not its end alone', () => {
    const token = `ghp_${'aB3dE5gH7j'.repeat(4)}`;
    const cut = `1 -----BEGIN RSA PRIVATE KEY-----\n2 MIIEowIBAAKC\n3 see ${token}, in the log\n`;
    for (const text of [cut, `${cut}4 MIIE\n5 -----END RSA PRIVATE KEY-----\n`])
      expect(createRedactor().hide(text, 'output')).not.toMatch(/MIIE|ghp_/);
  });

  test('leaves 10,000 lines of ordinary output as they are', () => {
    const changed = ordinaryLines(10_000).filter((line) => createRedactorOnce().hide(line, 'output') !== line);
    expect([...new Set(changed.map((line) => createRedactor().hide(line, 'output')))]).toEqual([]);
    const text = ordinaryLines(10_000, 2).join('\n');
    expect(createRedactor().hide(text, 'output')).toBe(text);
  });

  test('leaves the data of a ConfigMap as it is', () => {
    const map = { apiVersion: 'v1', data: { color: 'mauve', conf: 'a=b\n' }, kind: 'ConfigMap' };
    for (const text of [JSON.stringify(map), JSON.stringify(map, null, 4), 'data:\n  color: mauve\nkind: ConfigMap\n'])
      expect(createRedactor().hide(text, 'output')).toBe(text);
  });

  test('keeps a ConfigMap beside a Secret', () => {
    const list = [
      { data: { color: 'mauve' }, kind: 'ConfigMap' },
      { data: { color: 'Z3JlZW4=' }, kind: 'Secret' },
    ];
    for (const indent of [undefined, 2]) {
      const hidden = createRedactor().hide(JSON.stringify({ items: list, kind: 'List' }, null, indent), 'output');
      const values = (JSON.parse(hidden) as { items: typeof list }).items.map(({ data }) => data.color);
      expect(values).toEqual(['mauve', '<secret:1>']);
    }
  });
});

const shared = createRedactor();
const createRedactorOnce = () => shared;

describe('JSON', () => {
  test.for(PLANTED.filter(([, text]) => isJson(text)))('stays JSON with %s hidden', ([, text]) => {
    expect(isJson(createRedactor().hide(text, 'output'))).toBe(true);
  });

  test('any JSON stays JSON, with the same keys', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('password', 'token', 'kind', 'data', 'name', 'value', 'auth'));
    const leaf = fc.oneof(fc.string(), fc.constantFrom('Secret', 'DB_PASSWORD', 'a"b\\c'), fc.integer(), fc.boolean());
    const value = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value')), fc.dictionary(key, tie('value'))),
    })).value;
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, 4), (any, indent) => {
        const hidden = createRedactor().hide(JSON.stringify(any, null, indent), 'output');
        expect(shapeOf(JSON.parse(hidden))).toEqual(shapeOf(any));
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A value with `x` for everything that holds no values. */
const shapeOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shapeOf)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
      : 'x';

describe('a stream', () => {
  const everything = Buffer.from(PLANTED.map(([, text]) => text).join('\n---\n'));

  test('gives for each cut into two chunks what it gives for the whole', () => {
    for (const [, text] of PLANTED) {
      const bytes = Buffer.from(text);
      const redactor = createRedactor();
      const whole = streamed([bytes], redactor).toString();
      for (let at = 1; at < bytes.length; at++) {
        expect(streamed([bytes.subarray(0, at), bytes.subarray(at)], redactor).toString()).toBe(whole);
      }
    }
  });

  test('gives for any chunks what it gives for the whole, and what `hide` gives', () => {
    const whole = streamed([everything]).toString();
    expect(createRedactor().hide(everything.toString(), 'output')).toBe(whole);
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }), (places) => {
        expect(streamed(cutAt(everything, places)).toString()).toBe(whole);
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  test('finds secrets anywhere in a line that is longer than what is held, in any chunks', () => {
    const filler = (length: number) => 'lorem ipsum '.repeat(Math.ceil(length / 12)).slice(0, length);
    const places = [100, MAX_LINE - 70_000, MAX_LINE - 65_540, MAX_LINE - 10, MAX_LINE + 5, 2 * MAX_LINE];
    const values = places.map((place) => `mauve${place}Xy`);
    const line = places.reduce(
      (text, place, index) => `${text}${filler(Math.max(place - text.length, 0))} "password":"${values[index]}" `,
      '',
    );
    const bytes = Buffer.from(`{${line}}\nnext password=mauve-8\n`);
    const whole = streamed([bytes]).toString();
    expect([...values, 'mauve-8'].filter((value) => whole.includes(value))).toEqual([]);
    expect(streamed(cutAt(bytes, [0.1, 0.3333, 0.47, 0.4701, 0.9])).equals(Buffer.from(whole))).toBe(true);
  });

  test('hides a value that is longer than a whole piece of a line', () => {
    const value = `x1${'mauve'.repeat(MAX_LINE / 4)}`;
    const hidden = streamed([Buffer.from(`"password":"${value}","user":"ada"\n`)]).toString();
    expect({ length: hidden.length, left: hidden.includes('mauve') }).toEqual({ length: 35, left: false });
  });

  test('passes bytes that are no text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), (bytes) => {
        expect(streamed([bytes]).equals(Buffer.from(bytes))).toBe(true);
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  test('keeps characters of many bytes that are cut between chunks, and those of a value', () => {
    const redactor = createRedactor();
    const bytes = Buffer.from('数据库 password=пароль-密码1 ok\n');
    const hidden = streamed(
      [...bytes].map((byte) => Uint8Array.of(byte)),
      redactor,
    ).toString();
    expect([hidden, redactor.reveal(hidden)]).toEqual(['数据库 password=<secret:1> ok\n', bytes.toString()]);
  });

  test('takes time in proportion to a hostile line', () => {
    const hostile = [
      'password',
      'Cookie: a=b ',
      'mysql ',
      'token="',
      '-----BEGIN PRIVATE KEY-----',
      'eyJ-',
      '://a:',
      '"name":"',
      'password=',
      'token=http://',
      '{"name":"x_token","value":"',
    ];
    for (const text of hostile) {
      const bytes = Buffer.from(text.repeat(Math.floor(100_000 / text.length)));
      expect(streamed([bytes]).length).toBeGreaterThan(0);
    }
  }, 20_000);
});

describe('a reference', () => {
  test('is the same for the same value all session long, in every form of text', () => {
    const redactor = createRedactor();
    const forms = [
      'password=ma"uve',
      '{"password":"ma\\"uve"}',
      '{"log":"{\\"password\\":\\"ma\\\\\\"uve\\"}"}',
      'password: ma"uve',
    ];
    const hidden = forms.map((form) => redactor.hide(form, 'output'));
    expect(hidden).toEqual([
      'password=<secret:1>"uve',
      '{"password":"<secret:2>"}',
      '{"log":"{\\"password\\":\\"<secret:2>\\"}"}',
      'password: <secret:2>',
    ]);
  });

  test('gives its value back, each through the encoder', () => {
    const redactor = createRedactor();
    redactor.hide('{"password":"a\\"b c"}', 'output');
    expect(redactor.reveal('x <secret:1> y')).toBe('x a"b c y');
    expect(redactor.reveal('q=<secret:1>', encodeURIComponent)).toBe('q=a%22b%20c');
    expect(redactor.reveal('q=%3Csecret%3A1%3E', encodeURIComponent)).toBe('q=a%22b%20c');
  });

  test.for(['<secret:7>', 'x <secret:2>', '<secret>'])('that is unknown is an error in words: %s', (text) => {
    const redactor = createRedactor();
    redactor.hide('password=mauve', 'words');
    expect(() => redactor.reveal(text)).toThrow(OpsError);
    expect(() => redactor.reveal(text)).toThrow(/<secret/);
  });

  test('to a value that would become an option is refused', () => {
    const redactor = createRedactor();
    redactor.hide('password="--all"', 'output');
    expect(() => redactor.reveal('<secret:1>')).toThrow('would become an option');
    expect(redactor.reveal('--password=<secret:1>')).toBe('--password=--all');
  });

  test('says where its value was first seen', () => {
    const redactor = createRedactor();
    redactor.hide('password=mauve7', 'words');
    redactor.hide('password=mauve7 token=green0123', 'output');
    expect(redactor.references('<secret:2> and <secret:1>, <secret:9>')).toEqual([
      { number: 2, from: 'output' },
      { number: 1, from: 'words' },
    ]);
  });

  test('to the body of a private key gives the key, however it was printed', () => {
    const redactor = createRedactor();
    const key = '-----BEGIN PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END PRIVATE KEY-----\n';
    const hidden = redactor.hide(key, 'output');
    expect(hidden).toBe('-----BEGIN PRIVATE KEY-----\n<secret:1>\n-----END PRIVATE KEY-----\n');
    expect(JSON.parse(redactor.hide(JSON.stringify({ key }), 'output'))).toEqual({ key: hidden });
    expect(redactor.reveal(hidden, (value) => value)).toBe(key);
  });

  test('is given for 10,000 values; what comes after is hidden for good', () => {
    const redactor = createRedactor();
    const lines = Array.from({ length: 10_001 }, (_, index) => `password=mauve-${index}`);
    const hidden = redactor.hide(lines.join('\n'), 'output').split('\n');
    expect([hidden[9_999], hidden[10_000]]).toEqual(['password=<secret:10000>', 'password=<secret>']);
  });
});

describe('a value that is known', () => {
  const value = 'Mauve+/7 "green"';
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ];

  test.for(forms)('is hidden without any name before it, as %s', (form) => {
    const redactor = createRedactor();
    redactor.learn(value);
    const hidden = redactor.hide(`the word ${form} in a line`, 'output');
    expect(hidden).toBe('the word <secret:1> in a line');
    expect(redactor.reveal(hidden)).toContain(form.includes('\\') ? value : form);
  });

  test('is one that was hidden before, unless anybody may write it', () => {
    const redactor = createRedactor();
    redactor.hide('DB_PASSWORD=mauve-7Green\nAPI_PASSWORD=production', 'output');
    expect(redactor.hide('got mauve-7Green in production', 'output')).toBe('got <secret:1> in production');
  });

  test('comes from the environment where its name tells it', () => {
    expect(
      secretsOf({ PROMETHEUS_PASSWORD: 'a', PATH: '/bin', OPSAGENT_API_KEY: 'b', PWD: '/x', X_TOKEN: undefined }),
    ).toEqual(['a', 'b', '/x']);
  });
});
