import { describe, expect, it } from 'vitest';
import { MAX_YAML_BYTES, parseYaml, stringifyYaml } from '../../src/lib/yaml.js';

const problemsOf = (text: string) => parseYaml(text, 'a.yaml').problems;

describe('parseYaml refuses', () => {
  it('a key that stands twice, with the place of the second one, and still gives the rest', () => {
    const { problems, data } = parseYaml('a: 1\nb:\n  c: 2\n  c: 3\n', 'a.yaml');
    expect(problems).toEqual([
      {
        file: 'a.yaml',
        line: 4,
        column: 3,
        message: 'This key stands twice in the same map.',
        fix: 'Keep one of the two.',
      },
    ]);
    expect(data).toMatchObject({ a: 1 });
  });

  it('text that is not YAML, without throwing', () => {
    const { problems, data } = parseYaml('a: [1, 2\nb: {', 'a.yaml');
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toMatchObject({ file: 'a.yaml' });
    expect(data).toBeUndefined();
  });

  it('several documents in one file', () => {
    expect(problemsOf('a: 1\n---\nb: 2\n')[0]?.message).toBe('The file holds more than one YAML document.');
  });

  it('more than 5 MiB', () => {
    expect(problemsOf(`a: ${'x'.repeat(MAX_YAML_BYTES)}`)[0]?.message).toBe('The file is larger than 5 MiB.');
  });

  it('aliases that multiply', () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(', ')}]`,
    );
    const bomb = ['l0: &l0 [x]', ...levels].join('\n');
    expect(problemsOf(bomb)).toHaveLength(1);
    expect(problemsOf(bomb)[0]?.message).toMatch(/cannot be read/);
  });

  it('nesting that would overflow the stack', () => {
    expect(problemsOf('['.repeat(200_000)).length).toBeGreaterThan(0);
    expect(problemsOf(`${'['.repeat(200_000)}${']'.repeat(200_000)}`).length).toBeGreaterThan(0);
  });

  it('an alias inside what it names', () => {
    expect(problemsOf('a: &a [*a]')[0]?.message).toMatch(/nested more than 100/);
  });

  it('an alias without an anchor', () => {
    expect(problemsOf('a: *nothing')).toHaveLength(1);
  });
});

describe('parseYaml', () => {
  it('reads YAML 1.2: yes and no are text, and JSON is YAML', () => {
    expect(parseYaml('a: yes\nb: no\nc: true\nd: 0o17\ne: 12:30\n', 'a').data).toEqual({
      a: 'yes',
      b: 'no',
      c: true,
      d: 15,
      e: '12:30',
    });
    expect(parseYaml('{"a": [1, null]}', 'a').data).toEqual({ a: [1, null] });
  });

  it('keeps a key called __proto__ as an ordinary key', () => {
    const { data } = parseYaml('a: {__proto__: {polluted: true}}', 'a');
    expect(JSON.stringify(data)).toBe('{"a":{"__proto__":{"polluted":true}}}');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('expands anchors and merges maps', () => {
    const { data, problems } = parseYaml('d: &d {x: 1, y: 2}\na: *d\nb: {<<: *d, y: 3}\n', 'a');
    expect(problems).toEqual([]);
    expect(data).toEqual({ d: { x: 1, y: 2 }, a: { x: 1, y: 2 }, b: { x: 1, y: 3 } });
  });

  it('gives null for an empty file', () => {
    expect(parseYaml('# nothing\n', 'a')).toMatchObject({ data: null, problems: [] });
  });

  it('locates keys and list items, and the nearest parent of what is not there', () => {
    const { locate } = parseYaml(
      'tools:\n  - name: a\n    run:\n      argv: [x, y]\n  - &t {name: b}\nother: *t\n',
      'a',
    );
    expect(locate([])).toEqual({ line: 1, column: 1 });
    expect(locate(['tools', 0, 'run', 'argv', 1])).toEqual({ line: 4, column: 17 });
    expect(locate(['tools', 0, 'run'])).toEqual({ line: 3, column: 5 });
    expect(locate(['tools', 0, 'missing', 'deep'])).toEqual({ line: 2, column: 5 });
    expect(locate(['other', 'name'])).toEqual({ line: 5, column: 9 });
  });
});

describe('stringifyYaml', () => {
  it('writes text that reads back equal, without anchors and folding', () => {
    const shared = { long: 'word '.repeat(60), list: [1, 'yes', null, '0o17'] };
    const text = stringifyYaml({ a: shared, b: shared });
    expect(text).not.toContain('&');
    expect(parseYaml(text, 'a')).toMatchObject({ data: { a: shared, b: shared }, problems: [] });
  });
});
