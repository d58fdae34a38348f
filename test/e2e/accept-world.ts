import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { serve, type TestServer } from '../exec/http-servers.js';
import { newHome, runCli } from '../helpers/cli.js';
import { aMcpTool, scripted } from '../helpers/mcp/scripted.js';

/** A home with a server and an adapter that both leave a mark when anything of them runs. */
export async function world(more: string[] = []) {
  const home = newHome();
  const dir = join(home, '.config/opsagent/tools.d');
  mkdirSync(dir, { recursive: true });
  const started = join(home, 'started');
  const one = scripted({ tools: [aMcpTool('echo', { annotations: { readOnlyHint: true } })] });
  const [, program = '', scenario = ''] = one.server.command ?? [];
  const marking = join(home, 'server.mjs');
  writeFileSync(
    marking,
    `import { appendFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(started)}, 'x');
await import(${JSON.stringify(program)});\n`,
  );
  const api: TestServer = await serve((_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"rows":[1,2]}'),
  );
  onTestFinished(api.close);
  const operation = {
    operationId: 'rows',
    responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
  };
  const spec = { openapi: '3.1.0', info: { title: 'Rows', version: '1' }, paths: { '/rows': { get: operation } } };
  const sources = [
    { kind: 'mcp', name: 'marks', command: [process.execPath, marking, scenario] },
    { kind: 'openapi', spec, base_url: api.url, adapter: 'vendor' },
  ];
  const file = join(dir, 'elsewhere.yaml');
  writeFileSync(file, JSON.stringify({ system: 'rows', sources, adapters: { vendor: { file: './vendor.mjs' } } }));
  const module = join(dir, 'vendor.mjs');
  const marks = join(home, 'loaded');
  const code = (added: string) => `${added}
export const transformRequest = (request) => ({ ...request, url: request.url + '?page=2' });
export const transformResponse = ({ body }) => JSON.parse(body).rows.length;\n`;
  // As an ordinary module it would write; in its context there is nothing to write with.
  const mark = `try { process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(marks)}, 'x'); } catch {}`;
  writeFileSync(module, code(mark));
  const cli = (...args: string[]) => runCli([...args, ...more], { home });
  const starts = () => (existsSync(started) ? readFileSync(started, 'utf8').length : 0);
  return { home, cli, starts, api, module, code, file, ran: () => [starts(), existsSync(marks), api.seen.length] };
}

/** What ran, was loaded and was asked for when nothing was. */
export const NOTHING = [0, false, 0];
