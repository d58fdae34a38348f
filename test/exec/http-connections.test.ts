import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { httpExecutor } from '../../src/exec/http.js';
import { runHttp } from './http-servers.js';

/** A server that keeps every connection it was ever given, in order. */
async function serveConnections(answer: RequestListener): Promise<{ url: string; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, answer).on('connection', (socket) => sockets.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets };
}

const OK = { status: 'ok', exitCode: 200 };
const pong: RequestListener = (_request, response) => void response.end('pong');

/** Runs calls one after the other. Between two of a session a record is written: the connection is idle by then. */
async function callTimes(times: number, url: string, method = 'GET') {
  const outcomes: object[] = [];
  for (let call = 0; call < times; call++) {
    outcomes.push((await runHttp({ url, method })).outcome);
    await setImmediate();
  }
  return outcomes;
}

afterEach(() => httpExecutor().close?.());

test('a connection that the server ends without an answer fails that call, as one that is repeated when it reads, and is replaced', async () => {
  let calls = 0;
  const { url, sockets } = await serveConnections((request, response) => {
    calls += 1;
    if (calls === 2) request.socket.destroy();
    else response.end('pong');
  });
  const [first, second, third] = await callTimes(3, url);
  expect([first, third]).toEqual([OK, OK]);
  expect(second).toMatchObject({ status: 'failed', service: 'failing' });
  expect([calls, sockets.length]).toEqual([3, 2]);
});

test('a connection that the server closed after its answer is replaced, and no call fails', async () => {
  const { url, sockets } = await serveConnections((request, response) => {
    response.end('pong', () => request.socket.end());
  });
  const outcomes: object[] = [];
  for (let call = 1; call <= 3; call++) {
    outcomes.push(...(await callTimes(1, url)));
    const socket = sockets[call - 1];
    if (socket && !socket.closed) await once(socket, 'close');
  }
  expect([outcomes, sockets.length]).toEqual([[OK, OK, OK], 3]);
});

test.each(['GET', 'POST'])('calls one after the other share one connection: %s', async (method) => {
  const { url, sockets } = await serveConnections(pong);
  expect([await callTimes(20, url, method), sockets.length]).toEqual([Array(20).fill(OK), 1]);
});

test('many calls at once open ten connections, and no more', async () => {
  const { url, sockets } = await serveConnections(pong);
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => callTimes(1, url)));
  expect([outcomes.flat(), sockets.length]).toEqual([Array(30).fill(OK), 10]);
});

test('the end of the session ends its connections; a call after it opens another', async () => {
  const { url, sockets } = await serveConnections(pong);
  await callTimes(2, url);
  const closed = sockets.map((socket) => once(socket, 'close'));
  expect(closed).toHaveLength(1);
  httpExecutor().close?.();
  await Promise.all(closed);
  expect([await callTimes(1, url), sockets.length]).toEqual([[OK], 2]);
});
