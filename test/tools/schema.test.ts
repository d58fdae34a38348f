import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../src/lib/json-schema.js';
import { toolFileSchema } from '../../src/tools/schema.js';
import { executors } from './helpers.js';

const schema = toolFileSchema(executors);
const TOOL = { description: 'd', risk_level: 'low', run: { kind: 'command', argv: ['uptime'] } };

describe('schema/tools.schema.json', () => {
  it('is what the loader checks with (npx vitest run -u writes it anew)', async () => {
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../schema/tools.schema.json');
  });

  it('accepts the three forms of a file', () => {
    const validate = compileSchema(schema);
    expect(validate({ version: 1, system: 'test', tools: [{ name: 'a', ...TOOL }] })).toEqual([]);
    expect(validate({ name: 'a', category: 'test', ...TOOL })).toEqual([]);
    expect(validate({ a: { category: 'test', ...TOOL } })).toEqual([]);
  });

  it('refuses unknown keys in each of them', () => {
    const validate = compileSchema(schema);
    expect(validate({ system: 'test', tools: [{ name: 'a', ...TOOL, colour: 1 }] })).not.toEqual([]);
    expect(validate({ name: 'a', ...TOOL, colour: 1 })).not.toEqual([]);
    expect(validate({ a: { ...TOOL, run: { kind: 'command', argv: [] } } })).not.toEqual([]);
  });
});
