// What the scripted MCP server answers, whatever carries its messages. A scenario is a JSON file, read anew for every message:
// { silent: [method], protocol, tools: [definition], pageSize, record: path }
import { appendFileSync, readFileSync } from 'node:fs';

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** `send` takes messages to the client. Returns nothing; answers come through `send`. */
export function createServer(scenarioPath, send) {
  const waiting = new Map();
  let nextId = 1;
  const scenario = () => JSON.parse(readFileSync(scenarioPath, 'utf8'));
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = `s${nextId++}`;
      waiting.set(id, resolve);
      send({ jsonrpc: '2.0', id, method, params });
    });
  const call = async ({ name, arguments: args, _meta }) => {
    switch (name) {
      case 'die':
        return process.exit(3);
      case 'hang':
        return undefined;
      case 'big':
        return text('0123456789abcde\n'.repeat(args.bytes / 16));
      case 'fail':
        return { ...text('disk /dev/sda1 is full\ninode table: 0 left'), isError: true };
      case 'refuse':
        throw { code: -32602, message: 'namespace is not known', data: { namespace: 'shop', known: ['prod'] } };
      case 'image':
        return { content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] };
      case 'mixed':
        return {
          content: [
            { type: 'text', text: 'first' },
            { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'in a file' } },
            { type: 'resource', resource: { uri: 'file:///b.bin', blob: 'AAEC' } },
            { type: 'resource_link', uri: 'file:///c.txt', name: 'c', description: 'a third' },
            { type: 'audio', data: 'AAEC', mimeType: 'audio/wav' },
          ],
          structuredContent: { free: 3 },
        };
      case 'structured':
        return { content: [{ type: 'text', text: '{"free":3}' }], structuredContent: { free: 3 } };
      case 'progress':
        for (const progress of [1, 2])
          send({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: _meta.progressToken, progress, total: 2, message: `step ${progress}` },
          });
        // What is told together with the answer comes too late for the SDK.
        await new Promise((resolve) => setTimeout(resolve, 50));
        return text('done');
      case 'ask': {
        const answers = [];
        for (const [method, params] of [
          ['roots/list', {}],
          ['sampling/createMessage', { messages: [], maxTokens: 1 }],
          ['elicitation/create', { message: 'your password?', requestedSchema: { type: 'object', properties: {} } }],
        ])
          answers.push(await ask(method, params));
        return text(JSON.stringify(answers));
      }
      case 'environment':
        return text(JSON.stringify(Object.keys(process.env).sort()));
      case 'notify':
        send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
        return text('told');
      default:
        return text(`${name} ${JSON.stringify(args)}`);
    }
  };
  return async (message) => {
    const now = scenario();
    if (now.record) appendFileSync(now.record, `${JSON.stringify(message)}\n`);
    if (message.method === undefined) {
      const { id, ...answer } = message;
      return waiting.get(id)?.(answer.result ?? answer.error);
    }
    if (message.id === undefined || now.silent?.includes(message.method)) return;
    const reply = (result) => result && send({ jsonrpc: '2.0', id: message.id, result });
    if (message.method === 'initialize') {
      return reply({
        protocolVersion: now.protocol ?? message.params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'scripted', version: '1' },
      });
    }
    if (message.method === 'tools/list') {
      const from = Number(message.params?.cursor ?? 0);
      const to = from + (now.pageSize ?? now.tools.length);
      const more = now.endless || to < now.tools.length;
      return reply({ tools: now.tools.slice(from, to), ...(more && { nextCursor: `${now.endless ? 0 : to}` }) });
    }
    if (message.method !== 'tools/call') {
      return send({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
    }
    try {
      return reply(await call(message.params));
    } catch (error) {
      return send({ jsonrpc: '2.0', id: message.id, error });
    }
  };
}
