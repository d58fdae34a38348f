import type { Classification, JsonObject, Mode, ToolCall } from '../domain/types.js';
import { placed } from './namespace.js';
import type { AssessedRisk, RiskFacts } from './risk.js';

/** What a policy can see of a call. A key that is missing is unknown; no rule may take it for harmless. */
export interface PolicyInput {
  readonly tool: string;
  readonly category: string;
  readonly arguments: JsonObject;
  /** The argv of a command, `[method, url]` of a request; `tokens` is the same. */
  readonly argv: readonly string[];
  readonly tokens: readonly string[];
  readonly risk: string;
  /** What the argv does; these four only when a classifier knows its program. */
  readonly verb?: string;
  readonly scope?: Classification['scope'];
  readonly targets?: readonly string[];
  readonly reversible?: boolean;
  readonly permissions: readonly string[];
  readonly user: string;
  /** Groups of the user's account; only when a binding names groups. */
  readonly groups?: readonly string[];
  readonly roles?: readonly string[];
  readonly context: Readonly<Record<string, string>>;
  /** What the argv names, else the session's where its program is held to it. */
  readonly namespace?: string;
  readonly mode?: Mode;
  /** Where its arguments come from, in words, when that is output read in this session; false when it is not. */
  readonly taint?: string | false;
  readonly session: string;
  readonly session_id: string;
  /** RFC 3339, UTC. */
  readonly time: string;
}

/** Who asks, from where: the part of the input document that does not come from the call. */
export interface PolicySubject {
  readonly user: string;
  readonly sessionId: string;
  readonly context: Readonly<Record<string, string>>;
  readonly mode?: Mode;
  /** Roles of the user, from the policy files. */
  readonly roles?: readonly string[];
  readonly groups?: readonly string[];
  readonly facts?: RiskFacts;
  /** The moment of the decision; now when it is not given. */
  readonly now?: Date;
}

/** The input document of a call. */
export function inputOf(
  call: ToolCall,
  { risk, classification }: Pick<AssessedRisk, 'risk' | 'classification'>,
  subject: PolicySubject,
): PolicyInput {
  const { tokens } = call.action;
  const namespace = classification ? placed(call, classification, subject.context).namespace : call.args.namespace;
  return {
    tool: call.tool.name,
    category: call.tool.category,
    arguments: call.args,
    argv: tokens,
    tokens,
    risk,
    ...(classification && {
      verb: classification.verb,
      scope: classification.scope,
      targets: classification.targets,
      reversible: classification.reversible,
    }),
    permissions: call.tool.permissions,
    user: subject.user,
    ...(subject.groups && { groups: subject.groups }),
    ...(subject.roles && { roles: subject.roles }),
    context: subject.context,
    ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
    ...(subject.mode && { mode: subject.mode }),
    ...(subject.facts && { taint: subject.facts.taint ?? false }),
    session: subject.sessionId,
    session_id: subject.sessionId,
    time: (subject.now ?? new Date()).toISOString(),
  };
}

/** The part of an input document that no other key of an audit record holds. */
export function factsOf(input: PolicyInput): JsonObject {
  const { tool, arguments: _, argv, tokens, risk, user, session, session_id, time, ...facts } = input;
  return facts;
}
