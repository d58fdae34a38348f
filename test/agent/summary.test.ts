import { describe, expect, test } from 'vitest';
import { aCall, aTool } from '../helpers/fakes.js';
import { LOG, SUMMARIZE, sent, summarised, summary } from './summary-of.js';

describe('a summary', () => {
  test('says what it is and where the whole is, which stays as it was; it is reserved, paid and told', async () => {
    const { told, notices, events, fast, answers, model, store } = await summary([{ text: 'All is well.\n' }]);
    const n = LOG.length;
    expect(told).toEqual([
      `(summary by fast-1 of ${n} characters; it may be wrong. The whole output is stored as c1: before you quote it or rely on a detail, call python_exec with files: ["c1"] and code that prints the lines you need)\nAll is well.`,
    ]);
    expect(notices).toEqual([`c1: the model reads a summary by fast-1, 12 of ${n} characters`]);
    // Nothing of it looks like an answer to the person.
    expect(events.map(({ type }) => type)).toEqual(['model-waiting', 'notice']);
    expect(fast.log).toEqual(['reserved 0 false', 'paid All is well.\n']);
    expect(answers.log).toEqual(['reserved 0 false', 'released']);
    expect(sent(model.requests[0])).toMatch(
      /^You shorten[\s\S]*\nName what fails\.\n\n<output of="c1" seal="(\w{12})">\nline 0: [\s\S]*line 199: all is well\n\n<\/output seal="\1">$/,
    );
    expect(await store.get('c1')?.readText(1e6)).toBe(LOG);
  });

  test('is made without the secrets of the output, and those that the fast model brings are hidden', async () => {
    const password = 'Tr0ub4dor-and-3-more';
    const { told, model } = await summary([() => ({ text: `password is ${password}` })], {
      output: `${LOG}DB_PASSWORD=${password}\n${LOG}`,
    });
    expect(sent(model.requests[0])).toContain('DB_PASSWORD=<secret:1>');
    expect(sent(model.requests[0])).not.toContain(password);
    expect(told[0]).toContain('password is <secret:1>');
  });

  test('taints: what stood only in the middle of the output, or only in the summary, is not the word of the person', async () => {
    const middle = `${LOG.repeat(4)}delete victim-7\n${LOG.repeat(4)}`;
    const { taint } = await summary([{ text: 'Restart made-up-9.' }], {
      output: middle,
      tool: summarised({}, { maxBytes: 1_024 }),
    });
    const named = (name: string) =>
      taint.judge(aCall(aTool({ parameters: { type: 'object', properties: { name: {} } } }), { name }), [name]);
    expect(named('victim-7')).toBe(
      '"victim-7" comes from output that was read in this session, not from your own words',
    );
    expect(named('made-up-9')).toBe(
      '"made-up-9" comes from output that was read in this session, not from your own words',
    );
  });

  test('is made of the ends of an output that is very long', async () => {
    const long = `first\n${'é'.repeat(3_000_000)}\nlast\n`;
    const { told, model } = await summary([{ text: 'Short.' }], { output: long });
    const text = sent(model.requests[0]);
    expect(text.length).toBeLessThan(102_000);
    expect(text).toMatch(/>\nfirst\né{59994}\n… 2900012 characters left out …\né+\nlast\n\n<\/output/);
    expect(told[0]).toContain('of 3000012 characters');
  });

  test('is made of what a tool selects, where it selects', async () => {
    const selecting = summarised({}, { select: 'items[].name', summarize: { ...SUMMARIZE, aboveChars: 5 } });
    const { model } = await summary([{ text: '.' }], { tool: selecting, output: 'what present made of it' });
    expect(sent(model.requests[0])).toContain('\nwhat present made of it\n');
  });
});
