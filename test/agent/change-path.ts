import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChangeCare } from '../../src/agent/change.js';
import { openUndoStore } from '../../src/agent/change-store.js';
import { runToolCall, type ToolCallDeps } from '../../src/agent/tool-call.js';
import type { Approver, Inspection } from '../../src/domain/ports.js';
import type { ToolDefinition } from '../../src/domain/types.js';
import type { Rule } from '../../src/policy/rules.js';
import { aTool, aWorld } from '../helpers/fakes.js';
import { type Answer, ScriptedExecutor } from '../helpers/scripted-executor.js';

/** What a call of the tool below runs, by the step that it is for. */
export const SAVE = 'kubectl get deployment web -o json';
export const CHANGE = 'kubectl scale web --replicas=3';
export const DRY = 'kubectl scale web --replicas=3 --dry-run=server';
export const LOOK = 'kubectl get pods';
export const CHECK = 'kubectl rollout status web';
/** The deployment as kubectl prints it. */
export const web = (replicas: number) =>
  JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas } });

/** A tool that changes something, with all that a tool can say of that. */
export const scale = (keys: Partial<ToolDefinition> = {}): ToolDefinition =>
  aTool({
    name: 'scale',
    riskLevel: 'high',
    parameters: { type: 'object', properties: { replicas: { type: 'integer' } } },
    run: { kind: 'command', argv: ['kubectl', 'scale', 'web', '--replicas={{ replicas }}'] },
    dryRun: { argv: [...DRY.split(' ').slice(0, 3), '--replicas={{ replicas }}', '--dry-run=server'] },
    preview: { argv: LOOK.split(' ') },
    undo: {
      save: SAVE.split(' '),
      values: { replicas: 'spec.replicas' },
      restore: ['kubectl', 'scale', 'web', '--replicas={{ saved.replicas }}'],
    },
    verify: { argv: CHECK.split(' ') },
    ...keys,
  });

/** What the programs answer when all goes well. */
export const ALL = {
  [SAVE]: [{ output: web(2) }, { output: web(2) }, { output: web(3) }],
  [DRY]: { output: web(3) },
  [LOOK]: { output: 'web-1 ready' },
  [CHANGE]: { output: 'scaled' },
  [CHECK]: { output: 'rolled out' },
};

/** One change on the whole path, with the real care and what the person was shown. */
export async function change(
  answers: Readonly<Record<string, Answer | readonly Answer[]>> = {},
  {
    tool = scale(),
    rules = [] as readonly Rule[],
    yes = true,
    folder = mkdtempSync(join(tmpdir(), 'opsagent-undo-')),
    deps: more = {} as Partial<ToolCallDeps>,
  } = {},
) {
  const world = aWorld({ rules });
  const executor = new ScriptedExecutor({ ...ALL, ...answers });
  let shown: Inspection | undefined;
  const approver: Approver = {
    ask: async (_call, _decision, _signal, inspection) => {
      shown = inspection;
      return { granted: yes, by: 'user' };
    },
  };
  const store = openUndoStore(join(folder, 'undo'));
  let reads = 0;
  const deps: ToolCallDeps = { ...world.deps, approver, executors: new Map([['command', executor]]), ...more };
  const planContext = { context: { kube_context: 'prod' }, env: {} };
  const care = createChangeCare({ deps, planContext, store, nextId: () => `i${++reads}` });
  const prepare: ToolCallDeps['prepare'] = (raw) => {
    const args = { replicas: 3 };
    return {
      ok: true,
      call: { id: raw.id, tool, args, repairs: [], action: executor.plan(tool.run, args, planContext) },
    };
  };
  const raw = { id: 'c1', name: 'scale', rawArguments: '{}' };
  const result = await runToolCall({ ...deps, prepare, change: care }, raw, new AbortController().signal);
  return { result, shown, ran: executor.ran, records: world.audit.records, entries: store.list(), folder };
}
