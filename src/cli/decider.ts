import { grantableOf, placeOf } from '../agent/grants.js';
import type { Actor } from '../agent/record.js';
import type { Taint } from '../agent/taint.js';
import type { ToolCallDeps } from '../agent/tool-call.js';
import type { PlanContext, Redactor } from '../domain/ports.js';
import type { Classification, Decision, Mode, Risk, ToolCall } from '../domain/types.js';
import { classifyInScript, commandsIn } from '../policy/classify/script.js';
import { decide, type Judge } from '../policy/decide.js';
import { isPinned, judgeUnpinned } from '../policy/guard.js';
import type { PolicySubject } from '../policy/input.js';
import { judgeByMode } from '../policy/modes.js';
import { productionName } from '../policy/production.js';
import { assessRisk, type RiskFacts } from '../policy/risk.js';
import { decideOnValues } from './secret-seams.js';

/** What a session knows beside its rules when it decides. */
export interface DeciderParts {
  readonly judges: readonly Judge[];
  readonly actor: Actor;
  /** Roles and groups of the person. */
  readonly standing: Pick<PolicySubject, 'roles' | 'groups'>;
  readonly planContext: PlanContext;
  readonly taint: Taint;
  readonly redactor: Redactor;
  readonly productionPatterns: readonly string[];
  /** The mode of the session now; it can be switched. */
  readonly mode: () => Mode;
}

/** The session's own cluster and daemon, which stand in every argv, are no change of connection. */
function withoutPins(decision: Decision, context: Readonly<Record<string, string>>): Decision {
  const { classification: does } = decision;
  if (!does) return decision;
  const connection = does.connection.filter((item) => !isPinned(does.program, item, context));
  return { ...decision, classification: { ...does, connection } };
}

/** The name that has to be typed before a change where this one acts. A command that names no namespace acts in the kubeconfig's. */
export function productionOf(
  patterns: readonly string[],
  { args, action }: ToolCall,
  risk: Risk,
  does: Classification | undefined,
  context: PlanContext['context'],
): string | undefined {
  const nameOf = (one: Classification | undefined, atRisk: Risk) => {
    const isKube = one?.program === 'kubectl' || one?.program === 'helm';
    const otherwise = context.namespace ?? (isKube ? context.kube_namespace : undefined);
    const namespace = typeof args.namespace === 'string' ? args.namespace : otherwise;
    return productionName(patterns, atRisk, placeOf(one, context), one, namespace);
  };
  // Of a script, each command that changes something: the gravest may be elsewhere.
  const inner = (commandsIn(action) ?? []).map(classifyInScript).map((one) => one && nameOf(one, one.risk));
  return nameOf(does, risk) ?? inner.find((name) => name !== undefined);
}

/**
 * A change must name the session's cluster, where a person reads it; but an imported script: its environment fixes it, and its
 * commands need not say it.
 */
export const judgesOfPins = ({ action }: ToolCall): readonly Judge[] =>
  action.kind === 'script' && action.payload.pins !== undefined ? [] : [judgeUnpinned];

/** Decides calls with everything that the session knows: rules, mode, where the arguments come from, and whether it is production. */
export const createDecider = (parts: DeciderParts): ToolCallDeps['decide'] =>
  decideOnValues(
    parts.redactor,
    async (call, secrets) => {
      const { context } = parts.planContext;
      const tainted = parts.taint.judge(call, assessRisk(call).classification?.targets ?? []);
      const facts: RiskFacts = { ...secrets, ...(tainted !== undefined && { taint: tainted }) };
      const { risk, classification: does } = assessRisk(call, facts);
      const typeName = productionOf(parts.productionPatterns, call, risk, does, context);
      const unusual = tainted ?? facts.secrets ?? (typeName === undefined ? undefined : `${typeName} is production`);
      const mode = parts.mode();
      const judges = [...parts.judges, ...judgesOfPins(call), judgeByMode(mode, unusual)];
      const decided = await decide(judges, call, { ...parts.actor, ...parts.standing, context, mode, facts });
      const decision = { ...withoutPins(decided, context), ...(typeName !== undefined && { typeName }) };
      const grantText = grantableOf(call, decision, placeOf(does, context))?.text;
      return grantText === undefined ? decision : { ...decision, grantText };
    },
    parts.taint.hasRead,
  );
