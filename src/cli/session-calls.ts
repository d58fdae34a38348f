import type { ClusterAddress, Pinned } from '../agent/change-pin.js';
import type { Care } from '../agent/change-reads.js';
import { runToolCall, type ToolCallDeps } from '../agent/tool-call.js';
import type { PlanContext } from '../domain/ports.js';
import type { ToolDefinition, ToolResult } from '../domain/types.js';
import { serverOf, stampOf } from '../lib/kubeconfig.js';
import { undoFolder } from '../lib/paths.js';
import { rank } from '../policy/rank.js';
import { hasManifest, prepare } from '../tools/prepare.js';
import type { Io } from './io.js';
import type { Requirements } from './requirements.js';
import { argumentSecrets } from './secret-seams.js';
import type { SessionParts } from './session-parts.js';
import { counter } from './session-state.js';

/** The address of the session's cluster. It is read anew only when a file of the kubeconfig is another one than before. */
export function clusterAddress({ kubeconfig }: Pick<Io, 'kubeconfig'>, context: string | undefined): ClusterAddress {
  let known: { readonly stamp: string; readonly address: Promise<string | undefined> } | undefined;
  const now = async () => {
    const stamp = stampOf(kubeconfig);
    if (known?.stamp !== stamp)
      known = { stamp, address: context === undefined ? Promise.resolve(undefined) : serverOf(kubeconfig, context) };
    return known.address;
  };
  return { atStart: now(), now };
}

/** What the care of changes works with: its calls have ids of their own. */
export function careOf(io: Io, pinned: Pinned, deps: () => ToolCallDeps): () => Promise<Care> {
  const nextId = counter('i');
  return async () => {
    const { openUndoStore } = await import('../agent/change-store.js');
    return { deps: deps(), ...pinned, store: openUndoStore(undoFolder(io.paths)), nextId };
  };
}

/** Prepares calls with what this session knows: its tools, its cluster, and what this machine lacks. */
export function preparer(parts: SessionParts, requirements: Requirements, isLive: boolean): ToolCallDeps['prepare'] {
  const executors = [...parts.executors.values()];
  const secrets = argumentSecrets(parts.gate.redactor);
  return async (raw) => {
    const tool = parts.registry.get(raw.name);
    const manifests = tool && hasManifest(tool) ? await import('../tools/manifest.js') : {};
    const given = { registry: parts.registry, executors, planContext: parts.planContext, secrets, ...manifests };
    // A dump answers for kubectl, so nothing needs to be installed here.
    const prepared = prepare(
      { ...given, unmetRequirement: (one) => (isLive ? requirements.missing(one) : changeOnDump(one)) },
      raw,
    );
    if (!prepared.ok || !tool || !isLive) return prepared;
    const lack = await requirements.unmet(tool);
    if (!lack) return prepared;
    return { ok: false, status: 'unavailable', exit: lack.exit, message: `${tool.name} cannot run: ${lack.reason}` };
  };
}

/** Runs the checks of requirements: calls on the same path, with ids of their own, not shown. */
export function checkRunner(deps: ToolCallDeps, planContext: PlanContext, signal: AbortSignal) {
  const nextId = counter('r');
  return (check: ToolDefinition): Promise<ToolResult> => {
    const id = nextId();
    const action = deps.executors.get(check.run.kind)?.plan(check.run, {}, planContext);
    if (!action) throw new Error(`bug: no executor for a check of kind ${check.run.kind}`);
    const prepared = { ok: true as const, call: { id, tool: check, args: {}, repairs: [], action } };
    const quiet = { ...deps, emit: () => undefined, prepare: () => prepared };
    return runToolCall(quiet, { id, name: check.name, rawArguments: '{}' }, signal);
  };
}

/** Nothing can be changed on a record of the past, so nobody is asked whether to. */
const changeOnDump = (tool: ToolDefinition): string | undefined =>
  rank(tool.riskLevel) >= rank('high')
    ? 'a dump is a record of the past, on which nothing can be changed. Work without --dump to change the cluster.'
    : undefined;
