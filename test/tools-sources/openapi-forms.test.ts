import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/domain/types.js';
import { serve } from '../exec/http-servers.js';
import { description, runTool, toolsOf } from './openapi-helpers.js';

const json = { responses: { 200: { description: 'ok', content: { 'application/json': {} } } } };
const map = { type: 'object', additionalProperties: { type: 'string' } };
const list = { type: 'array', items: { type: 'string' } };

test('fields of a form in the style that the description gives them, and bytes as files', async () => {
  const server = await serve((_request, response) => response.setHeader('content-type', 'application/json').end('{}'));
  onTestFinished(() => server.close());
  const body = (type: string, properties: JsonObject, encoding: JsonObject): JsonObject => ({
    post: { requestBody: { content: { [type]: { schema: { type: 'object', properties }, encoding } } }, ...json },
  });
  const [form, parts] = await toolsOf(
    description({
      '/form': body(
        'application/x-www-form-urlencoded',
        { deep: map, flat: list, plain: map, one: { type: 'string' } },
        { deep: { style: 'deepObject', explode: true }, flat: { explode: false } },
      ),
      '/parts': body(
        'multipart/form-data',
        {
          file: { type: 'string', format: 'binary' },
          pages: { type: 'array', items: { contentMediaType: 'image/png' } },
          note: { type: 'string' },
          doc: map,
        },
        { file: { contentType: 'text/csv' }, note: { contentType: 'text/plain\r\nx-evil: 1' } },
      ),
    }),
    { base_url: server.url },
  );
  await runTool(form, { deep: { a: '1', b: '&' }, flat: ['x', 'y,z'], plain: { k: 'v' }, one: 'é' });
  expect(server.seen.at(-1)?.body).toBe(
    'deep%5Ba%5D=1&deep%5Bb%5D=%26&flat=x,y%2Cz&plain=%7B%22k%22%3A%22v%22%7D&one=%C3%A9',
  );
  await runTool(parts, { file: 'a,b', pages: ['1', '2'], note: 'n', doc: { k: 'v' } });
  const { headers, body: text } = server.seen.at(-1) ?? {};
  const read = await new Response(text ?? '', {
    headers: { 'content-type': headers?.['content-type'] ?? '' },
  }).formData();
  const shown = [...read].map(([name, one]) => (typeof one === 'string' ? [name, one] : [name, one.name, one.type]));
  expect(shown).toEqual([
    ['file', 'file', 'text/csv'],
    ['pages', 'pages', 'application/octet-stream'],
    ['pages', 'pages', 'application/octet-stream'],
    ['note', 'n'],
    ['doc', '{"k":"v"}'],
  ]);
  expect(text).not.toContain('x-evil');
});
