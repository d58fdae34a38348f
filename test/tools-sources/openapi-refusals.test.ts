import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/types.js';
import { serve, type TestServer } from '../exec/http-servers.js';
import { aTool } from '../helpers/fakes.js';
import { description, faultsOf, loadApi, newFolder, writeSpec } from './openapi-helpers.js';

const ok = { responses: { 200: { description: 'ok' } } };
const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const serving = async (answer: Parameters<typeof serve>[0]) => {
  const server = await serve(answer);
  servers.push(server);
  return server;
};

describe('a description that cannot be used is one clear line, and everything else works', () => {
  const folder = newFolder();
  const bad: [string, string, RegExp][] = [
    [
      'swagger.json',
      '{"swagger":"2.0","paths":{}}',
      /is Swagger "2\.0", but only OpenAPI 3\.0 and 3\.1 are read\. → Convert it: npx swagger2openapi/,
    ],
    ['none.json', '{"paths":{}}', /has no "openapi:" key, but only OpenAPI 3\.0 and 3\.1 are read\.$/],
    ['four.json', '{"openapi":"4.0.0","paths":{}}', /says openapi: "4\.0\.0"/],
    ['list.yaml', '- a\n- b\n', /is no OpenAPI description: it is not an object\.$/],
    ['bad.yaml', 'openapi: 3.1.0\npaths: [\n', /bad\.yaml:\d+:\d+: Not valid YAML/],
    [
      'cut.json',
      `{"openapi":"3.1.0","x":"${'a'.repeat(300_000)}`,
      /cut\.json:1:300025: Not valid JSON: it ends in the middle of a value\. → Mend it there/,
    ],
    [
      'comma.json',
      '{\n  "openapi": "3.1.0",\n  "paths": {}\n  "info": {}\n}\n',
      /comma\.json:4:3: Not valid JSON: unexpected "\\"" where "," or a closing bracket should be\. → Mend it there/,
    ],
    [
      'value.json',
      `{"openapi": "3.1.0",\n"x": "${'a'.repeat(300_000)}", "paths": }`,
      /value\.json:2:300019: Not valid JSON: unexpected "\}" where a value should be/,
    ],
    ['empty.json', '{"openapi":"3.1.0","servers":[{"url":"https://a.example"}],"paths":{}}', /has no operations\.$/],
    [
      'bombs.yaml',
      `openapi: 3.1.0\na: &a [1,2]\n${'bcdefghijklmnopqrstuvwxyz'
        .split('')
        .map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefghijklmnopqrstuvwxyz'[i]}`).join(',')}]\n`)
        .join('')}`,
      /The file cannot be read: Excessive alias count|alias/,
    ],
  ];
  test.each(bad)('%s', async (name, text, line) => {
    const { names, lines } = await faultsOf({ spec: writeSpec(folder, name, text) }, { folder });
    expect({ names, count: lines.length }).toEqual({ names: [], count: 1 });
    expect(lines[0]).toMatch(line);
  });

  test('a file that is not there, and one that is no file', async () => {
    expect((await faultsOf({ spec: './x.json' }, { folder })).lines[0]).toMatch(
      /^The openapi source: .*x\.json cannot be read: ENOENT.* → Mend the path of spec:\.$/,
    );
    expect((await faultsOf({ spec: '.' }, { folder })).lines[0]).toContain('is not a regular file');
  });

  test('40 MB are not read at all, 20 MB of JSON are, and a large YAML file comes with advice', async () => {
    const filler = (size: number) =>
      JSON.stringify(description({ '/a': { get: ok } }, { 'x-filler': 'a'.repeat(size) }));
    const large = await faultsOf({ spec: writeSpec(folder, 'large.json', filler(40_000_000)) }, { folder });
    expect(large.lines[0]).toContain('large.json is larger than 32 MiB.');
    const medium = await faultsOf({ spec: writeSpec(folder, 'medium.json', filler(20_000_000)) }, { folder });
    expect(medium).toEqual({ names: ['get_a'], lines: [] });
    const yaml = `openapi: 3.1.0\nx-filler: ${'a'.repeat(6_000_000)}\n`;
    const long = await faultsOf({ spec: writeSpec(folder, 'long.yaml', yaml) }, { folder });
    expect(long.lines[0]).toMatch(/larger than 5 MiB\. → Convert it to JSON/);
  });

  test('a server that hangs costs no more than the deadline', async () => {
    const hanging = await serving(() => undefined);
    const { tools, failures } = await loadApi({ spec: `${hanging.url}/spec.json` }, { deadlineMs: 50 });
    expect(tools).toEqual([]);
    expect(failures.map(({ message }) => message)).toEqual(['The openapi source: it did not answer in time.']);
  });

  test('an answer that is no description, and a redirect to another host', async () => {
    const failing = await serving((_request, response) => response.writeHead(500).end());
    expect((await faultsOf({ spec: `${failing.url}/s` })).lines[0]).toContain('/s answered 500.');
    const moved = await serving((_request, response) =>
      response.writeHead(302, { location: `${failing.url}/s` }).end(),
    );
    expect((await faultsOf({ spec: `${moved.url}/s` })).lines[0]).toContain(
      `leads to ${failing.url}/s, which this source may not visit.`,
    );
    expect(failing.seen).toHaveLength(1);
  });
});

describe('an operation that cannot be used is left out, and the others work', () => {
  const good = { '/good': { get: { operationId: 'good', ...ok } } };
  const param = (schema: JsonObject) => ({ get: { parameters: [{ name: 'q', in: 'query', schema }], ...ok } });

  test.each([
    ['https://example.com/schemas/Pet.json', 'leads out of the description'],
    ['./common.yaml#/Pet', 'leads out of the description'],
    ['file:///etc/passwd', 'leads out of the description'],
    ['#/components/schemas/Nope', 'leads nowhere'],
  ])('a reference to %s', async ($ref, why) => {
    const { names, lines } = await faultsOf({ spec: description({ ...good, '/bad': param({ $ref }) }) });
    expect(names).toEqual(['good']);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`GET /bad is left out: "${$ref}" ${why}`);
    if (why.includes('out')) expect(lines[0]).toContain('npx @redocly/cli bundle');
  });

  test('references that lead in a ring', async () => {
    const schemas = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } };
    const spec = description(
      { ...good, '/bad': param({ $ref: '#/components/schemas/A' }) },
      { components: { schemas } },
    );
    const { names, lines } = await faultsOf({ spec });
    expect({ names, lines }).toEqual({
      names: ['good'],
      lines: ['GET /bad is left out: its references lead in a ring.'],
    });
  });

  test('operations without an id, with one that is no name, and two with the same get names of their own', async () => {
    const spec = description({
      '/pets/{id}': { get: ok, delete: { operationId: '删除', ...ok } },
      '/a': { get: { operationId: 'Get.Pets-v2', ...ok }, post: { operationId: 'same', ...ok } },
      '/b': { post: { operationId: 'same', ...ok }, put: { operationId: `x${'y'.repeat(90)}`, ...ok } },
    });
    const { names } = await faultsOf({ spec });
    expect(names).toEqual([
      'get_pets_id',
      expect.stringMatching(/^tool_[0-9a-f]{6}$/),
      'get_pets_v2',
      'same',
      'same_2',
      expect.stringMatching(/^xy{56}_[0-9a-f]{6}$/),
    ]);
  });

  test('a tool whose name is taken is left out, naming both; a prefix makes room', async () => {
    const known = [aTool({ name: 'good', source: 'tools.d/other.yaml:7' })];
    const { names, lines } = await faultsOf({ spec: description(good) }, { known });
    expect(names).toEqual([]);
    expect(lines).toEqual([
      'The openapi source: its tool "good" is left out, since tools.d/other.yaml:7 has a tool of that name. → Give the source a prefix, for example prefix: vendor.',
    ]);
    expect(await faultsOf({ spec: description(good), prefix: 'shop' }, { known })).toEqual({
      names: ['shop_good'],
      lines: [],
    });
  });

  test('what include does not name, and more than a model can choose from', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 250 }, (_, i) => [
        `/p${i}`,
        { get: { operationId: `op${i}`, tags: [i < 3 ? 'few' : 'many'], ...ok } },
      ]),
    );
    const all = await faultsOf({ spec: description(many) });
    expect(all.names).toHaveLength(200);
    expect(all.lines[0]).toContain('has 250 operations; the first 200 became tools');
    const include = { tags: ['few'], operations: ['op9', 'GET /p10'] };
    expect((await faultsOf({ spec: description(many), include })).names).toEqual(['op0', 'op1', 'op2', 'op9', 'op10']);
    expect((await faultsOf({ spec: description(many), include: { tags: ['fwe'] } })).lines[0]).toContain(
      'is included. → Look at include: its tags are few, many',
    );
  });
});

describe('a project that was trusted', () => {
  test('leads nowhere outside its folder, not through a link either', async () => {
    const folder = newFolder();
    const outside = newFolder();
    writeFileSync(join(outside, 'spec.json'), JSON.stringify(description({ '/a': { get: ok } })));
    symlinkSync(outside, join(folder, 'link'));
    mkdirSync(join(folder, 'specs'));
    writeFileSync(join(folder, 'specs/spec.json'), JSON.stringify(description({ '/a': { get: ok } })));
    const confined = () => true;
    for (const spec of [join(outside, 'spec.json'), './link/spec.json', '../x.json'])
      expect((await faultsOf({ spec }, { folder, confined })).lines[0]).toContain(
        'lies outside the folder of its tool file',
      );
    expect(await faultsOf({ spec: './specs/spec.json' }, { folder, confined })).toEqual({
      names: ['get_a'],
      lines: [],
    });
  });
});

test('a description cannot ask for values of the environment or the session', async () => {
  const spec = description({
    '/{{ env.TOKEN }}': { get: ok },
    '/x/{{ context.user }}': { get: ok },
    '/fine': { get: ok },
  });
  const { tools } = await loadApi({ spec }, { header: { env: ['TOKEN'] } });
  expect(tools.map(({ run }) => run.url)).toEqual(['https://shop.example.com/v1/fine']);
});
