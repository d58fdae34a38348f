import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseYaml } from '../../src/lib/yaml.js';
import { serve, type TestServer } from '../exec/http-servers.js';
import { newHome, runCli } from '../helpers/cli.js';

const ok = { responses: { 200: { description: 'ok', content: { 'application/json': {} } } } };
const spec = {
  openapi: '3.1.0',
  info: { title: 'Pet Shop', version: '1' },
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'Lists the pets of the shop',
        tags: ['pets'],
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        ...ok,
      },
    },
    '/pets/{petId}': {
      delete: {
        operationId: 'deletePet',
        tags: ['admin'],
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
        ...ok,
      },
    },
  },
};

let server: TestServer;
let home: string;
beforeAll(async () => {
  server = await serve((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(request.url === '/openapi.json' ? JSON.stringify(spec) : JSON.stringify([{ id: 7, name: 'Rex' }]));
  });
  home = newHome();
});
afterAll(() => server.close());
const file = () => join(home, '.config/opsagent/tools.d/pet_shop.yaml');

describe('tools import openapi', () => {
  test('refuses what is no description, and writes nothing', async () => {
    writeFileSync(join(home, 'swagger.json'), '{"swagger":"2.0","paths":{}}');
    const run = await runCli(['tools', 'import', 'openapi', 'swagger.json'], { home });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('swagger.json is Swagger "2.0", but only OpenAPI 3.0 and 3.1 are read.');
    expect(existsSync(join(home, '.config/opsagent/tools.d'))).toBe(false);
  });

  test('--dry-run lists the tools with their risks and writes nothing', async () => {
    const run = await runCli(['tools', 'import', 'openapi', `${server.url}/openapi.json`, '--dry-run'], { home });
    expect(run.stdout).toMatch(/list_pets +low .*\ndelete_pet +critical /);
    expect(run.stderr).toContain('2 tools; nothing was written (--dry-run)');
    expect(existsSync(file())).toBe(false);
  });

  test('writes a tool file for its owner alone, with the secret that is needed, and does not write over it', async () => {
    const args = ['tools', 'import', 'openapi', `${server.url}/openapi.json`, '--base-url', server.url];
    const run = await runCli(args, { home });
    expect(run.stderr).toBe(
      `2 tools added by ${file()}\nThey need the secret PET_SHOP_API_KEY: set the environment variable, or PET_SHOP_API_KEY_FILE to a file that holds it.\n`,
    );
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(parseYaml(readFileSync(file(), 'utf8'), '').data).toEqual({
      version: 1,
      system: 'pet_shop',
      sources: [
        {
          kind: 'openapi',
          spec: `${server.url}/openapi.json`,
          base_url: server.url,
          auth: { query: { name: 'key', value: { secret: 'PET_SHOP_API_KEY' } } },
        },
      ],
    });
    const again = await runCli(args, { home });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('exists already.');
  });
});

describe('the tools of a source', () => {
  test('are listed like all others, and walk the same path', async () => {
    const list = await runCli(['tools', 'list', '--category', 'pet_shop'], { home });
    expect(list.stdout).toMatch(/^list_pets +low +pet_shop +Lists the pets of the shop\./m);
    const run = await runCli(['tools', 'run', 'list_pets', '--arg', 'limit=3'], {
      home,
      env: { PET_SHOP_API_KEY: 's3cret-key' },
    });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('Rex');
    expect(server.seen.at(-1)?.url).toBe('/pets?limit=3&key=s3cret-key');
    const log = readFileSync(join(home, '.local/state/opsagent/audit.jsonl'), 'utf8');
    expect(log).toContain('/pets?limit=3"');
    expect(log + run.stdout + run.stderr).not.toContain('s3cret-key');
  });

  test('that remove something need a person', async () => {
    const before = server.seen.length;
    const run = await runCli(['tools', 'run', 'delete_pet', '--arg', 'petId=7', '--yes'], {
      home,
      env: { PET_SHOP_API_KEY: 'k' },
    });
    expect(run.code).toBe(4);
    expect(server.seen.slice(before).map(({ method }) => method)).not.toContain('DELETE');
  });

  test('are missing when the source cannot be loaded: a notice with the place, and everything else works', async () => {
    const dir = join(newHome(), 'tools');
    mkdirSync(dir);
    writeFileSync(
      join(dir, 'far.yaml'),
      'system: far\nsources:\n  - { kind: openapi, spec: "http://127.0.0.1:1/openapi.json" }\n',
    );
    const list = await runCli(['tools', 'list', '--tools', dir], { home });
    expect(list.code).toBe(0);
    expect(list.stdout).toMatch(/^kubectl_get /m);
    expect(list.stderr).toMatch(
      /far\.yaml:3:5: The openapi source: http:\/\/127\.0\.0\.1:1\/openapi\.json cannot be read: .*ECONNREFUSED/,
    );
    const lint = await runCli(['tools', 'lint', join(dir, 'far.yaml')], { home });
    expect(lint.code).toBe(2);
  });

  test('of a trusted project are not used when any file of it has changed since', async () => {
    const project = newHome();
    const dir = join(project, '.opsagent/tools.d');
    mkdirSync(dir, { recursive: true });
    writeFileSync(
      join(dir, 'shop.yaml'),
      'system: shop\nsources:\n  - { kind: openapi, spec: ./spec.json, base_url: "https://shop.example.com" }\n',
    );
    writeFileSync(join(dir, 'spec.json'), JSON.stringify(spec));
    const list = () => runCli(['tools', 'list'], { home: project, cwd: project });
    expect((await list()).stdout).not.toContain('list_pets');
    await runCli(['config', 'trust', '.'], { home: project, cwd: project });
    expect((await list()).stdout).toContain('list_pets');
    writeFileSync(join(dir, 'spec.json'), JSON.stringify({ ...spec, 'x-changed': true }));
    const changed = await list();
    expect(changed.stdout).not.toContain('list_pets');
    expect(changed.stderr).toContain('have changed since they were trusted');
  });
});

test('a published description gives a tool for each of its operations, at the risk of its method', async () => {
  const path = join(import.meta.dirname, '../../node_modules/@scalar/galaxy/dist/3.1.yaml');
  const run = await runCli(['tools', 'import', 'openapi', path, '--dry-run']);
  const listed = run.stdout.trimEnd().split('\n').slice(1);
  const { paths } = parseYaml(readFileSync(path, 'utf8'), path).data as { paths: Record<string, object> };
  const operations = Object.values(paths)
    .flatMap((item) => Object.keys(item))
    .filter((method) => ['get', 'put', 'post', 'delete', 'patch'].includes(method));
  expect(run.code).toBe(0);
  expect(listed).toHaveLength(operations.length);
  const risks = { GET: 'low', POST: 'high', PUT: 'high', PATCH: 'high', DELETE: 'critical' };
  for (const line of listed) {
    const method = /\((GET|POST|PUT|PATCH|DELETE) /.exec(line)?.[1] as keyof typeof risks;
    expect(line.split(/\s+/)[1]).toBe(risks[method]);
  }
});

test('of a published description with more than a thousand operations come those that were chosen, and the rest is said', async ({
  skip,
}) => {
  const path = join(import.meta.dirname, '../../node_modules/.cache/openapi/github.json');
  skip(!existsSync(path), 'the description of @octokit/openapi is not in node_modules/.cache/openapi (see .ci/run)');
  const all = await runCli(['tools', 'import', 'openapi', path, '--dry-run']);
  expect([all.code, all.stdout.trimEnd().split('\n').length - 1]).toEqual([0, 200]);
  expect(all.stderr).toMatch(/has 1\d{3} operations; the first 200 became tools/);
  const issues = await runCli(['tools', 'import', 'openapi', path, '--dry-run', '--tag', 'issues']);
  const risks = new Map(issues.stdout.split('\n').map((line) => line.split(/\s+/).slice(0, 2) as [string, string]));
  expect(['issues_get', 'issues_create', 'issues_delete_label'].map((name) => risks.get(name))).toEqual([
    'low',
    'high',
    'critical',
  ]);
});
