import { describe, expect, test } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import type { JsonObject } from '../../src/domain/types.js';
import { httpExecutor } from '../../src/exec/http.js';
import { headersOf } from '../../src/exec/http-auth.js';
import type { HttpPayload } from '../../src/exec/http-spec.js';

const http = httpExecutor();

const plan = (spec: JsonObject, args: JsonObject = {}, env: Record<string, string> = {}) =>
  http.plan({ kind: 'http', ...spec } as never, args, { context: {}, env });

describe('arguments of a request', () => {
  test('cannot name a secret: only the tool file can', () => {
    const { payload } = plan(
      { url: 'http://h/x', headers: { 'X-Trace': 'a {{ trace }} b', Key: 'k-{{ secret.OWN }}' } },
      { trace: '{{ secret.OTHER }}' },
    );
    const asked: string[] = [];
    const headers = headersOf(payload as unknown as HttpPayload, (name) => {
      asked.push(name);
      return `value of ${name}`;
    });
    expect(headers).toMatchObject({ 'x-trace': 'a {{ secret.OTHER }} b', key: 'k-value of OWN' });
    expect(asked).toEqual(['OWN']);
  });

  test.each(['.', '..', ''])('cannot climb out of the path: %j', (p) => {
    expect(() => plan({ url: '{{ env.BASE }}/api/{{ p }}/x' }, { p }, { BASE: 'http://h' })).toThrow(OpsError);
  });

  test('cannot climb out together', () => {
    expect(() => plan({ url: 'http://h/api/{{ a }}{{ b }}/x' }, { a: '.', b: '.' })).toThrow(OpsError);
  });

  test.each(['http://{{ host }}/health', 'http://127.0.0.1{{ host }}:80/x'])('cannot choose the host: %s', (url) => {
    expect(() => plan({ url }, { host: 'evil.example' })).toThrow('may not choose the host');
  });

  test.each([
    'https:u:pw@localhost',
    'http:///u:pw@localhost',
    'https://u:pw@localhost/x',
    'http://h/x?a=b',
    'http://h/#frag',
    'http://h /x',
  ])('an address of the environment holds neither credentials nor a query: %s', (BASE) => {
    expect(() => plan({ url: '{{ env.BASE }}/api' }, {}, { BASE })).toThrow(OpsError);
  });

  test('stand encoded in the path, whatever they hold', () => {
    const { tokens } = plan({ url: '{{ env.BASE }}/a/{{ p }}' }, { p: '../x?y#z' }, { BASE: 'http://h/base/' });
    expect(tokens).toEqual(['GET', 'http://h/base/a/..%2Fx%3Fy%23z']);
  });
});
