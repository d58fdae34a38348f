import { expect, test } from 'vitest';
import { refusalOf } from '../../src/exec/mcp/sightings.js';

test.each(['constructor', 'toString', '__proto__'])(
  'a tool that nobody accepted is refused, whatever its name is: %s',
  (name) => {
    const tools = [{ name, inputSchema: { type: 'object' } }];
    const look = {
      first: false,
      pins: { launch: '', tools: {} },
      added: tools,
      changed: [],
      gone: [],
      tools,
      notes: [],
    };
    expect(refusalOf({ name: 'srv', command: ['x'] }, name, undefined, look)).toContain('another definition');
  },
);
