import { resolve } from 'node:path';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { messageOf, OpsError } from '../../domain/errors.js';
import type { McpServer } from '../../lib/mcp-server.js';
import { homeFolder } from '../../lib/paths.js';
import { childEnv } from '../environment.js';
import { type Companion, startCompanion } from '../process.js';
import type { ServerLog } from './log.js';
import { MAX_MESSAGE_BYTES } from './message.js';

/** A transport that can say why it ended, and what else the server printed. */
export interface StdioTransport extends Transport {
  /** How the program ended, or why it was ended; undefined while it runs. */
  ending(): string | undefined;
  /** What stood on its stdout and was no message, in words. */
  garbage(): string | undefined;
}

/**
 * Speaks MCP with a program: a message a line. The program runs in a process group of its own, in the home folder where its source
 * names no other, with the environment that its source lists. What it prints beside messages goes to the log, as does its stderr.
 */
export function stdioTransport(server: McpServer, log: ServerLog): StdioTransport {
  let companion: Companion | undefined;
  let ending: string | undefined;
  const garbage = { lines: 0, first: '' };
  const [program = ''] = server.command ?? [];
  const end = (why: string) => {
    if (ending !== undefined) return;
    ending = why;
    companion?.stop();
    transport.onclose?.();
  };
  const onLine = (line: string) => {
    const message = messageIn(line);
    if (message) return transport.onmessage?.(message);
    if (line.trim() === '') return;
    garbage.lines += 1;
    garbage.first ||= line.slice(0, 80);
    log.write(`stdout: ${line.slice(0, 1_000)}\n`);
  };
  const transport: StdioTransport = {
    async start() {
      const started = await startCompanion({
        argv: server.command ?? [],
        env: childEnv(process.env, server.env ?? [], {}),
        // Never the folder where opsagent was started: "node server.mjs" or npx would find another program there than was accepted.
        cwd: resolve(homeFolder(process.env), server.cwd ?? '.'),
        onStdout: lineReader(onLine, () => end(`sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB`)),
        onStderr: log.write,
      });
      if ('type' in started) throw notStarted(program, started.code, started.message);
      companion = started;
      void started.ended.then(end);
    },
    send: async (message) => companion?.write(`${JSON.stringify(message)}\n`),
    close: async () => end('was closed'),
    ending: () => ending,
    garbage: () =>
      garbage.lines === 0
        ? undefined
        : `It printed ${garbage.lines} lines that are no MCP messages, the first: ${JSON.stringify(garbage.first)}.`,
  };
  return transport;
}

function messageIn(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isMessage = typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
    return isMessage ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Cuts a stream into lines, of which none may be longer than a message. */
function lineReader(onLine: (line: string) => void, onTooLong: () => void): (chunk: Uint8Array) => void {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  let tooLong = false;
  const take = (piece: Uint8Array) => {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes <= MAX_MESSAGE_BYTES) return;
    tooLong = true;
    pieces = [];
    onTooLong();
  };
  return (chunk) => {
    let rest = chunk;
    for (let at = rest.indexOf(10); at !== -1 && !tooLong; at = rest.indexOf(10)) {
      take(rest.subarray(0, at));
      if (!tooLong) onLine(Buffer.concat(pieces).toString('utf8'));
      pieces = [];
      bytes = 0;
      rest = rest.subarray(at + 1);
    }
    if (!tooLong && rest.length > 0) take(rest);
  };
}

function notStarted(program: string, code: string, message: string): OpsError {
  if (code !== 'ENOENT') return new OpsError('unavailable', `${program} could not be started: ${messageOf(message)}`);
  return new OpsError(
    'usage',
    `${program} is not installed: there is none on PATH`,
    `Install ${program}, or mend command: of the source.`,
  );
}
