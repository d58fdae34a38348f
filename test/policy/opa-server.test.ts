import { spawn } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import { decide, judgeByRules } from '../../src/policy/decide.js';
import { judgeByOpa } from '../../src/policy/opa-server.js';
import { aCall, aRule, aTool } from '../helpers/fakes.js';
import { opaMissing } from '../helpers/opa.js';

const subject = { user: 'ada', roles: ['viewer'], sessionId: 's', context: {} };
const ask = (url: string, name = 'file_write') =>
  decide([judgeByRules([aRule('allow', 'kubectl')]), judgeByOpa(url)], aCall(aTool({ name })), subject);

/** A real HTTP server that answers as the REST API of OPA does. */
async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
const answer =
  (status: number, body: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };

describe('an OPA server', () => {
  test.each<[string, RequestListener, string]>([
    ['has no package tools', answer(200, '{}'), 'it has no package tools'],
    ['fails', answer(500, '{"code":"internal_error"}'), 'it answered with status 500'],
    ['does not speak JSON', answer(200, '<html>'), 'JSON'],
    ['decides with allow', answer(200, '{"result":{"deny":[],"allow":true}}'), 'defines allow'],
    ['answers without end', (_, response) => response.end(`{"result": "${'x'.repeat(2 * 1024 * 1024)}"}`), 'body-full'],
    ['never answers', () => undefined, 'it did not answer within 2000 ms'],
    ['hangs up', (request) => request.socket.destroy(), 'it cannot be reached'],
    [
      'sends elsewhere',
      (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      'forbidden',
    ],
  ])('that %s denies, and says so', async (_, listener, why) => {
    const url = await serve(listener);
    const { effect, reason } = await ask(url);
    expect(effect).toBe('deny');
    expect(reason).toContain(`nothing is allowed: the OPA server at ${url}: `);
    expect(reason).toContain(why);
  });

  test('that is not there denies', async () => {
    expect((await ask('http://127.0.0.1:1')).reason).toContain('it cannot be reached: connect ECONNREFUSED');
  });

  test.each(['localhost:8181', 'ftp://localhost', '', 'http://ada:secret@localhost'])('%j is no address', (url) => {
    expect(() => judgeByOpa(url)).toThrow(OpsError);
  });

  test('is asked for the package tools with the input document, and only tightens', async () => {
    const seen: { url: string | undefined; method: string | undefined; body: unknown }[] = [];
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk;
      });
      request.on('end', () => {
        seen.push({ url: request.url, method: request.method, body: JSON.parse(body) });
        response.end('{"result":{"deny":[],"confirm":["four eyes"]}}');
      });
    });
    expect(await ask(`${url}/opa/`)).toMatchObject({
      effect: 'confirm',
      rules: [{ id: 'rego.confirm', reason: 'four eyes', source: `${url}/opa/v1/data/tools` }, { id: 'rule.allow' }],
    });
    expect(seen).toMatchObject([
      {
        url: '/opa/v1/data/tools',
        method: 'POST',
        body: { input: { tool: 'file_write', user: 'ada', roles: ['viewer'] } },
      },
    ]);
  });

  test('that is a real one decides with the example that ships', async ({ skip }) => {
    skip(opaMissing() !== undefined, opaMissing());
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    const server = spawn('opa', ['run', '--server', '--v0-compatible', '--addr', address, 'policies/rego/tools.rego']);
    onTestFinished(() => void server.kill('SIGKILL'));
    await vi.waitFor(async () => expect((await fetch(`http://${address}/health`)).status).toBe(200), 30_000);
    expect(await ask(`http://${address}`)).toMatchObject({
      effect: 'deny',
      reason: 'file_write needs the role admin; ada does not have it',
    });
    expect((await ask(`http://${address}`, 'kubectl_get')).effect).toBe('allow');
  });
});
