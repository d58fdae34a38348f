import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newHome, readAudit, runCli } from '../helpers/cli.js';
import { startModelServer } from '../helpers/model-server.js';

/** The names of the tools that each request to the model offered. */
async function offers(request: string, replies: Parameters<typeof startModelServer>[0], config?: object) {
  const home = newHome();
  if (config) {
    const dir = join(home, '.config/opsagent');
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'config.json'), JSON.stringify(config));
  }
  // A system that no request below is about.
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-tools-'));
  const greeting = `version: 1\nsystem: greetings\ntools:\n  - name: greet_visitor\n    description: Welcomes a visitor at the front desk.\n    risk_level: low\n    run: { kind: command, argv: [echo, welcome] }\n`;
  writeFileSync(join(dir, 'greetings.yaml'), greeting);
  const model = await startModelServer(replies);
  const flags = ['--model', 'scripted', '--base-url', model.baseUrl, '--tools', dir];
  await runCli(['ask', request, ...flags], { home, env: { OPSAGENT_API_KEY: 'sk-test-1234567890' } });
  await model.close();
  const requests = model.requests.map(({ body }) => body);
  const names = requests.map((body) => (body.tools ?? []).map((tool) => tool.function.name));
  return { names, requests, home };
}

test('a model gets the tools that fit, finds others by what they do, and keeps what it found', async () => {
  const { names, requests } = await offers('is the disk of this machine full', [
    { calls: [{ name: 'find_tools', arguments: { query: 'welcome a visitor', limit: 1 } }] },
    { calls: [{ name: 'greet_visitor', arguments: {} }] },
    { text: 'Welcomed.' },
  ]);
  const [first = [], second = [], third = []] = names;
  expect([first.includes('host_disk'), first.includes('find_tools'), first.includes('greet_visitor')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(first.length).toBeLessThan(60);
  expect([second, third]).toEqual([
    [...first, 'greet_visitor'],
    [...first, 'greet_visitor'],
  ]);
  expect(JSON.stringify(requests[0]?.messages)).toContain('find_tools finds the others');
}, 60_000);

test('a tool that was not offered runs when it is called by its name, through the gate like any other, and is offered then', async () => {
  const { names, home } = await offers('is the disk of this machine full', [
    { calls: [{ name: 'greet_visitor', arguments: {} }] },
    { text: 'Welcomed.' },
  ]);
  expect(names.map((offered) => offered.includes('greet_visitor'))).toEqual([false, true]);
  const events = readAudit(home)
    .filter(({ tool }) => tool === 'greet_visitor')
    .map(({ event }) => event);
  expect(events).toEqual(['decided', 'finished']);
}, 60_000);

test('tools.max_tokens says how much room tools have; with enough of it there is nothing to find', async () => {
  const all = await offers('hello', [{ text: 'Hello.' }], { tools: { max_tokens: 1_000_000 } });
  const few = await offers('hello', [{ text: 'Hello.' }], { tools: { max_tokens: 1_000 } });
  expect([all.names[0]?.includes('greet_visitor'), all.names[0]?.includes('find_tools')]).toEqual([true, false]);
  expect(few.names[0]?.length).toBeLessThan(8);
}, 60_000);
