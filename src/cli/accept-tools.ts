import { EXIT, type ExitName, messageOf, OpsError } from '../domain/errors.js';
import type { JsonObject, Risk, ToolResult } from '../domain/types.js';
import type { McpLook } from '../exec/mcp/connections.js';
import { lineDiff } from '../lib/line-diff.js';
import { isAccepted, MAX_ADAPTER_BYTES, openPins, textDigest } from '../lib/mcp-pins.js';
import { type McpTool, placeOfServer, riskInForce, riskOf, toolDigest } from '../lib/mcp-server.js';
import { didYouMean } from '../lib/nearest.js';
import { readRegularFile } from '../lib/regular-file.js';
import { stripTerminal, visible, visibleLine } from '../lib/visible.js';
import { stringifyYaml } from '../lib/yaml.js';
import type { Acceptable } from '../tools/sources/source.js';
import { nobody } from '../ui/plain.js';
import type { Ui } from '../ui/ui.js';
import type { OutputFormat } from './commands/ask.js';
import type { Io } from './io.js';
import { callReport, refusals } from './report.js';
import { exitOfResult } from './run-tool.js';
import { openSession, type Session } from './session.js';
import { type RawSessionOptions, toSessionOptions } from './session-options.js';
import { startUi } from './ui.js';

export interface AcceptOptions extends RawSessionOptions {
  readonly output: OutputFormat;
}

/** One run of `tools accept`. */
interface Run {
  readonly session: Session;
  /** Text for people, between the calls. */
  readonly print: (text: string) => void;
  /** A call on the one path; what it did is printed. */
  readonly call: (tool: string, args: JsonObject) => Promise<ToolResult>;
}

/**
 * `tools accept [NAME[/TOOL]]`: connects to MCP servers, shows what differs from the accepted definitions, and accepts it; shows and
 * accepts modules of adapters. Each step is a call on the one path: decided by policy, confirmed by a person, written down.
 */
export async function acceptTools(io: Io, which: string | undefined, options: AcceptOptions): Promise<ExitName> {
  if (options.dump !== undefined)
    throw new OpsError('usage', 'A dump is a record of the past: nothing is accepted for it.', 'Leave --dump out.');
  const ui = pausingUi(io, options.output);
  const session = await openSession(io, { ...toSessionOptions(options), accepting: true }, ui);
  try {
    const [, wanted, tool] = /^([^/]*)(?:\/(.+))?$/s.exec(which ?? '') ?? [];
    const run = startRun(io, session, ui, options.output === 'text');
    let exit: ExitName = 'ok';
    for (const one of chosen(session, wanted)) {
      const ended = one.kind === 'server' ? await acceptServer(run, one, tool) : await acceptModule(io, run, one);
      if (exit === 'ok') exit = ended;
    }
    if (io.signal.aborted) exit = 'interrupted';
    if (options.output === 'text') return exit;
    const calls = session.finished.map((result) => ({ ...callReport(session, result), text: result.text }));
    const report = { type: 'accept', session_id: session.id, exit_code: EXIT[exit], calls };
    io.out(`${JSON.stringify(report, null, options.output === 'json' ? 2 : undefined)}\n`);
    return exit;
  } finally {
    session.close();
  }
}

function chosen(session: Session, wanted: string | undefined): readonly Acceptable[] {
  const { accepts, notices } = session.toolbox;
  const found = accepts.filter(({ name }) => !wanted || name === wanted);
  if (found.length > 0) return found;
  // It may be one of a source that could not be loaded.
  for (const text of notices) session.emit({ type: 'notice', text });
  const names = accepts.map(({ name }) => name);
  throw new OpsError(
    'usage',
    wanted
      ? `There is no MCP server and no adapter with a module called ${visibleLine(wanted)}.${didYouMean(wanted, names)}`
      : 'No tool file names an MCP server, or an adapter with a module.',
    names.length > 0 ? `There are: ${names.join(', ')}` : undefined,
  );
}

function startRun(io: Io, session: Session, ui: ReturnType<typeof pausingUi>, isText: boolean): Run {
  return {
    session,
    print: (text) => isText && io.out(visible(text)),
    async call(tool, args) {
      // The person's own tool files say these words, and what a server says of itself was shown to them.
      session.say(JSON.stringify(args));
      const result = await ui.during(() => session.call(tool, args));
      const text = stripTerminal(refusals([result])[0] ?? result.text).trimEnd();
      if (result.status !== 'ok' && isText) io.say(`${text}\n`);
      return result;
    },
  };
}

type Server = Acceptable & { kind: 'server' };

async function acceptServer(run: Run, known: Server, tool: string | undefined): Promise<ExitName> {
  const { server, risks = {} } = known;
  const connected = await run.call('mcp_connect', JSON.parse(JSON.stringify(server)) as JsonObject);
  if (connected.status !== 'ok') return exitOfResult(connected);
  const look = run.session.mcp.seen(server);
  // The person may have changed what was to be started.
  if (!look) throw new OpsError('usage', `Nothing was accepted: ${server.name} was not reached as its tool file says.`);
  const { tools, gone } = show(run, known, look, tool);
  if (tools.length + gone.length === 0 && isAccepted(server, look.pins)) return 'ok';
  const definitions = tools.map((one) => ({
    ...{ name: one.name, risk: riskOf(one), sha256: toolDigest(one) },
    ...(Object.hasOwn(risks, one.name) && { set: risks[one.name] as Risk }),
  }));
  const accepted = await run.call('mcp_accept', { name: server.name, tools: definitions, gone });
  if (accepted.status === 'ok') run.print(`${accepted.text}\n`);
  return exitOfResult(accepted);
}

/** Prints what differs from the accepted definitions, and gives it back. */
function show(
  { print }: Run,
  { server, risks = {} }: Server,
  look: McpLook,
  tool: string | undefined,
): { readonly tools: readonly McpTool[]; readonly gone: readonly string[] } {
  const isWanted = (name: string) => tool === undefined || name === tool;
  print(`MCP server ${server.name} (${placeOfServer(server)})\n`);
  const names = look.tools.map(({ name }) => name);
  if (tool !== undefined && !names.includes(tool) && !look.gone.includes(tool))
    throw new OpsError('usage', `It has no tool ${visibleLine(tool)}.${didYouMean(tool, names)}`);
  for (const note of look.notes) print(`  ${visibleLine(note)}\n`);
  if (look.pins && !isAccepted(server, look.pins)) print('  it is reached in another way than the accepted one\n');
  const changed = look.tools.filter(({ name }) => look.changed.includes(name) && isWanted(name));
  const added = look.tools.filter((one) => look.added.includes(one) && isWanted(one.name));
  const gone = look.gone.filter(isWanted);
  for (const one of changed) printTool(print, 'changed', one, risks, look.pins?.tools[one.name]?.definition);
  for (const one of added) printTool(print, 'new', one, risks);
  for (const name of gone) print(`\n  gone: ${visibleLine(name)}\n`);
  if (changed.length + added.length + gone.length === 0) print('  nothing has changed\n');
  return { tools: [...changed, ...added], gone };
}

function printTool(
  print: Run['print'],
  what: string,
  now: McpTool,
  risks: Readonly<Record<string, Risk>>,
  before?: McpTool,
): void {
  const risk = riskInForce(riskOf(now), Object.hasOwn(risks, now.name) ? risks[now.name] : undefined);
  const was = before && riskOf(before) !== riskOf(now) ? `, was ${riskOf(before)}` : '';
  print(`\n  ${what}: ${visibleLine(now.name)} (${risk}${was})\n`);
  const lines = before ? lineDiff(asText(before), asText(now)) : asText(now).trimEnd().split('\n');
  for (const line of lines) print(`    ${line}\n`);
}

const asText = (tool: McpTool): string => stringifyYaml(JSON.parse(JSON.stringify(tool)));

async function acceptModule(io: Io, run: Run, { name, path }: Acceptable & { kind: 'adapter' }): Promise<ExitName> {
  run.print(`Module of adapter ${name} (${path})\n`);
  const pins = await openPins(io.paths).adapters();
  const before = Object.hasOwn(pins, path) ? pins[path]?.text : undefined;
  const text = await readRegularFile(path, MAX_ADAPTER_BYTES)
    .then(String)
    .catch((error: unknown) => {
      throw new OpsError('usage', `${path} cannot be read: ${messageOf(error)}`);
    });
  const lines = before === undefined ? text.trimEnd().split('\n') : lineDiff(before, text);
  for (const line of lines) run.print(`    ${line}\n`);
  if (before === text) {
    run.print('  nothing has changed\n');
    return 'ok';
  }
  const accepted = await run.call('adapter_accept', { name, path, sha256: textDigest(text) });
  if (accepted.status === 'ok') run.print(`${accepted.text}\n`);
  return exitOfResult(accepted);
}

/** A screen that is there during calls alone, so that what is shown between them stays on the terminal. */
function pausingUi(io: Io, output: OutputFormat): Ui & { during<T>(work: () => Promise<T>): Promise<T> } {
  let ui: Ui | undefined;
  const stop = async () => {
    await ui?.stop();
    ui = undefined;
  };
  return {
    emit(event) {
      if (ui) ui.emit(event);
      else if (event.type === 'notice') io.say(visible(`${event.text}\n`));
    },
    approver: { ask: (...question) => (ui?.approver ?? nobody).ask(...question) },
    stop,
    async during(work) {
      ui = await startUi(io, output);
      try {
        return await work();
      } finally {
        await stop();
      }
    },
  };
}
