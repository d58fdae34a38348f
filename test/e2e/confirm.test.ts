import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { QUIET_MS } from '../../src/ui/card-keys.js';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import {
  CTRL_C,
  DELETE,
  ESCAPE,
  NARROW,
  no,
  open,
  RESTART,
  readCard,
  refused,
  SIZES,
  TALL,
  tidy,
  WIDE,
} from './confirm-terminal.js';

const missing = kubectlMissing();

describe.concurrent('the question before a change, in a terminal', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test.for(SIZES)('Enter alone is a no, on a %s screen', async ([, size], context) => {
    const terminal = await open(context, RESTART, size);
    await readCard(terminal, 'n no');
    terminal.write('\r');
    expect(await terminal.outcome()).toEqual(refused);
  });

  test('keys pressed before the question could be read do not answer it', async (context) => {
    const terminal = await open(context, RESTART, TALL);
    while (!terminal.screen().includes('n no')) {
      terminal.write('y');
      await pause(50);
    }
    terminal.write('y');
    await terminal.waitFor('Pressed before you could read this');
    await pause(QUIET_MS + 100);
    expect(terminal.server.changes()).toEqual([]);
    terminal.write(ESCAPE);
    expect(await terminal.outcome()).toEqual(refused);
  });

  test('a no with a reason is recorded with the reason, and said', async (context) => {
    const terminal = await open(context, RESTART);
    await readCard(terminal, 'n no');
    terminal.write('n');
    await terminal.waitFor('Why?');
    terminal.write('not during the sale');
    await terminal.waitFor('not during the sale');
    terminal.write('\r');
    expect(await terminal.outcome()).toEqual({ ...refused, approval: { ...no, note: 'not during the sale' } });
    const { output } = await terminal.ended;
    expect(output.slice(output.lastIndexOf('Enter sends the no'))).toContain('not during the sale');
  });

  test.for(SIZES)(
    'a critical call does not run on y, nor on another name, on a %s screen',
    async ([, size], context) => {
      const terminal = await open(context, DELETE, size);
      await readCard(terminal, 'Esc: no.');
      terminal.write('y');
      await terminal.waitFor('y▏');
      terminal.write('scratch');
      await terminal.waitFor('yscratch▏');
      terminal.write('\r');
      const note = 'what was typed is not the name that was asked for';
      expect(await terminal.outcome()).toEqual({ ...refused, approval: { ...no, note } });
      expect(terminal.namespaces()).toContain('scratch');
    },
  );

  test.for([
    ['wide', WIDE, RESTART],
    ['narrow', NARROW, RESTART],
    ['wide, for a critical call', WIDE, DELETE],
  ] as const)(
    'Ctrl-C ends the run, changes nothing, and gives the terminal back: %s',
    async ([, size, args], context) => {
      const terminal = await open(context, args, size);
      await terminal.waitFor(args === DELETE ? 'Esc: no.' : 'n no');
      terminal.write(CTRL_C);
      const approval = { ...no, note: 'interrupted' };
      expect(await terminal.outcome()).toEqual({ ...refused, code: 130, approval });
      expect(await terminal.leaves()).toEqual(tidy);
    },
  );
});
