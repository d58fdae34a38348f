import { request } from 'node:https';
import { describe, expect, it } from 'vitest';
import { at, fieldsAt, listAt, textAt } from './api-server/objects.js';
import { applyPatch, strategicPatch } from './api-server/patch.js';
import { protoMessage } from './api-server/protobuf.js';
import { sampleObjects } from './api-server/sample.js';
import { type ApiServer, startApiServer } from './api-server/start.js';

interface Answer {
  readonly code: number;
  readonly body: unknown;
}

/** One request, without kubectl; the certificate is not what these tests are about. */
function send(server: ApiServer, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${server.url}${path}`,
      { method, rejectUnauthorized: false, headers: { authorization: 'Bearer test-token', ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const parsed = (response.headers['content-type'] ?? '').includes('json') ? JSON.parse(text) : text;
          resolve({ code: response.statusCode ?? 0, body: parsed });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body));
  });
}

const POD = '/api/v1/namespaces/shop/pods/order-5d4-bad';

describe('the test API server, over HTTP', () => {
  it('refuses protobuf of a kind or a field that it cannot read, instead of storing a part of it', async () => {
    await using server = await startApiServer({ objects: sampleObjects() });
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    const post = (kind: string, raw: Uint8Array) => {
      const unknown = protoMessage([1, protoMessage([1, 'v1'], [2, kind])], [2, raw]);
      const body = Buffer.concat([Buffer.from('k8s\0'), unknown]);
      return send(server, 'POST', '/api/v1/namespaces/shop/secrets', body, headers);
    };
    const metadata = protoMessage([1, 'made']);
    const answers = [await post('Pod', metadata), await post('Secret', protoMessage([1, metadata], [9, 'x']))];
    expect(answers.map(({ code, body }) => [code, textAt(body, 'message')])).toEqual([
      [415, expect.stringContaining('protobuf of the kind Pod')],
      [415, expect.stringContaining('protobuf field 9')],
    ]);
    const entry = protoMessage([1, 'key'], [2, 'value']);
    expect((await post('Secret', protoMessage([1, metadata], [2, entry]))).code).toBe(201);
    const made = server.objects('Secret', 'shop').find((secret) => secret.metadata.name === 'made');
    expect(made?.data).toEqual({ key: Buffer.from('value').toString('base64') });
  });

  it('refuses a request without the token, and an unknown path', async () => {
    await using server = await startApiServer({ objects: sampleObjects() });
    expect(await send(server, 'GET', '/api/v1/pods', undefined, { authorization: 'Bearer no' })).toEqual({
      code: 401,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      },
    });
    expect((await send(server, 'GET', '/apis/nothing/v1/here')).code).toBe(404);
    const unknownField = await send(server, 'GET', '/api/v1/pods?fieldSelector=spec.colour.x%3Dred');
    expect(textAt(unknownField.body, 'message')).toBe('field label not supported: spec.colour.x');
  });

  it('refuses a write that is based on an old version, and a second create', async () => {
    await using server = await startApiServer({ objects: sampleObjects() });
    const { body } = await send(server, 'GET', POD);
    expect((await send(server, 'PUT', POD, body)).code).toBe(200);
    const stale = await send(server, 'PUT', POD, body);
    expect([stale.code, textAt(stale.body, 'reason')]).toEqual([409, 'Conflict']);
    const again = await send(server, 'POST', '/api/v1/namespaces/shop/pods', body);
    expect([again.code, textAt(again.body, 'message')]).toEqual([409, 'pods "order-5d4-bad" already exists']);
    const elsewhere = { ...fieldsAt(body), metadata: { name: 'x' } };
    const nowhere = await send(server, 'POST', '/api/v1/namespaces/nowhere/pods', elsewhere);
    expect([nowhere.code, textAt(nowhere.body, 'message')]).toEqual([404, 'namespaces "nowhere" not found']);
  });

  it('cuts the connection when the test asks for it, as often as it asks', async () => {
    const faults = [{ path: /^\/version$/, times: 1, effect: { kind: 'reset' as const } }];
    await using server = await startApiServer({ faults });
    await expect(send(server, 'GET', '/version')).rejects.toThrow('socket hang up');
    const { body } = await send(server, 'GET', '/version');
    expect(textAt(body, 'gitVersion')).toBe('v1.32.0');
  });

  it('gives a list in pages', async () => {
    await using server = await startApiServer({ objects: sampleObjects() });
    const first = await send(server, 'GET', '/api/v1/pods?limit=1');
    expect(listAt(first.body, 'items').length).toBe(1);
    expect(at(first.body, 'metadata')).toMatchObject({ continue: '1', remainingItemCount: 1 });
    const second = await send(server, 'GET', '/api/v1/pods?limit=1&continue=1');
    expect(textAt(second.body, 'items', 0, 'metadata', 'name')).toBe('order-5d4-good');
    expect(at(second.body, 'metadata', 'continue')).toBeUndefined();
  });

  it('shows changes to a watch that starts at an earlier version', async () => {
    await using server = await startApiServer({ objects: sampleObjects(), controllers: false });
    const { body } = await send(server, 'GET', '/api/v1/namespaces/shop/pods');
    const labels = { metadata: { labels: { team: 'blue' } } };
    await send(server, 'PATCH', POD, labels, { 'content-type': 'application/merge-patch+json' });
    await send(server, 'DELETE', `${POD}?gracePeriodSeconds=0`);
    const version = textAt(body, 'metadata', 'resourceVersion');
    const query = `watch=true&timeoutSeconds=0&labelSelector=team&resourceVersion=${version}`;
    const events = await new Promise<string>((resolve) => {
      const options = { rejectUnauthorized: false, headers: { authorization: 'Bearer test-token' } };
      request(`${server.url}/api/v1/namespaces/shop/pods?${query}`, options, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve(text));
      }).end();
    });
    const parsed = events
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(parsed.map((event) => [event.type, event.object.metadata.name])).toEqual([
      ['ADDED', 'order-5d4-bad'],
      ['DELETED', 'order-5d4-bad'],
    ]);
  });
});

describe('patches', () => {
  const pod = { spec: { containers: [{ name: 'a', image: 'a:1', args: ['x'] }, { name: 'b' }], nodeName: 'n' } };

  it('of the merge kind remove with null and replace lists', () => {
    const patch = { spec: { nodeName: null, containers: [{ name: 'c' }] } };
    expect(applyPatch('application/merge-patch+json', pod, patch)).toEqual({ spec: { containers: [{ name: 'c' }] } });
  });

  it('of the strategic kind merge lists by key, delete from them and order them', () => {
    const patch = {
      spec: {
        '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }],
        containers: [{ name: 'a', image: 'a:2' }, { name: 'b', $patch: 'delete' }, { name: 'c' }],
      },
    };
    expect(strategicPatch(pod, patch)).toEqual({
      spec: { containers: [{ name: 'c' }, { name: 'a', image: 'a:2', args: ['x'] }], nodeName: 'n' },
    });
  });

  it('of the JSON kind add, replace, remove and test', () => {
    const operations = [
      { op: 'test', path: '/spec/nodeName', value: 'n' },
      { op: 'replace', path: '/spec/containers/0/image', value: 'a:3' },
      { op: 'remove', path: '/spec/containers/1' },
      { op: 'add', path: '/spec/tolerations', value: [] },
    ];
    expect(applyPatch('application/json-patch+json', pod, operations)).toEqual({
      spec: { containers: [{ name: 'a', image: 'a:3', args: ['x'] }], nodeName: 'n', tolerations: [] },
    });
    const wrong = [{ op: 'test', path: '/spec/nodeName', value: 'other' }];
    expect(() => applyPatch('application/json-patch+json', pod, wrong)).toThrow('value failed');
  });

  it('of an unknown kind are refused', () => {
    expect(() => applyPatch('text/plain', pod, {})).toThrow('unknown format: text/plain');
  });
});
