import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/llm/scripted.js';
import { ask, QUESTION } from './support.js';

const CALL = { id: 'c1', name: 'kubectl_get', rawArguments: '{}' };

it('says so when its replies are used up', async () => {
  const model = createScriptedModel([{ text: 'one' }]);
  await ask(model);
  await expect(ask(model)).rejects.toThrow('The scripted model scripted has 1 replies and was asked for number 2.');
});

it('rejects with the reason of an aborted signal and records nothing', async () => {
  const model = createScriptedModel([{ text: 'one' }]);
  await expect(ask(model, QUESTION, AbortSignal.abort(new Error('Ctrl-C')))).rejects.toThrow('Ctrl-C');
  expect(model.requests).toEqual([]);
});

it('gives its replies in order, and keeps the requests as they were', async () => {
  const messages = [...QUESTION];
  const model = createScriptedModel(
    [{ calls: [CALL] }, ({ messages: seen }) => ({ text: `saw ${seen.length}` })],
    'demo',
  );
  const first = await ask(model, messages);
  messages.push({ role: 'assistant', text: '', calls: [CALL] });
  const second = await ask(model, messages);
  expect([first, second]).toEqual([
    { text: '', reply: { text: '', calls: [CALL] } },
    { text: 'saw 2', reply: { text: 'saw 2', calls: [] } },
  ]);
  expect([model.name, ...model.requests.map((request) => request.messages.length)]).toEqual(['demo', 1, 2]);
});
