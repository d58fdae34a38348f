import type { Classification, Risk, ToolCall } from '../domain/types.js';
import { compileSchema, isUnanswered, type SchemaProblem } from '../lib/json-schema.js';
import { classify } from './classify/index.js';
import { isKnownText } from './classify/known-texts.js';
import { classifyInScript, classifyScript, commandsIn } from './classify/script.js';
import { higher, rank } from './rank.js';

export interface AssessedRisk {
  readonly risk: Risk;
  /** Why it is above the tool's own risk; empty when it is not. */
  readonly reasons: readonly string[];
  /** What its argv does; absent when no classifier knows the program. */
  readonly classification?: Classification;
}

/** What the session knows of a call beside the call itself; each raises the risk of a change. */
export interface RiskFacts {
  /** Its arguments come from output that was read in this session, in words. */
  readonly taint?: string;
  /** It would use a secret that was seen in output, in words. */
  readonly secrets?: string;
}

/** A risk that something found, with its reason. */
interface Found {
  readonly risk: Risk;
  readonly reason: string;
}

/**
 * Risk of this call: the tool's own, raised by every `raise` rule whose schema its arguments meet, by what its argv does, and, for
 * a change, by one level for what it was made of. A command that no classifier knows, and a script, are at least high. Nothing
 * lowers it.
 */
export function assessRisk(call: ToolCall, facts: RiskFacts = {}): AssessedRisk {
  const own = call.tool.riskLevel;
  const commands = commandsIn(call.action);
  const classification = classificationOf(call, commands);
  const unknown = unknownProgram(call, classification, commands);
  const found: Found[] = [
    ...call.tool.raise
      .filter((rule) => mayHold(compileSchema(rule.when)(call.args)))
      .map(({ riskLevel, reason }) => ({ risk: riskLevel, reason })),
    ...(classification ? [classification] : []),
    ...(unknown === undefined ? [] : [{ risk: 'high' as const, reason: unknown }]),
  ].filter(({ risk }) => rank(risk) > rank(own));
  const byCall = found.reduce((top, { risk }) => higher(top, risk), own);
  const { risk, because } = raiseByFacts(byCall, facts);
  const reasons = [...found.map(({ reason }) => reason), ...(rank(risk) > rank(own) ? because : [])];
  return { risk, reasons: withoutRepeats(reasons), ...(classification && { classification }) };
}

/** What cannot be looked at in time counts as grave. */
const mayHold = (problems: readonly SchemaProblem[]): boolean => problems.length === 0 || isUnanswered(problems);

/** A tool file and a table may say the same of a call; whether as a sentence or as a part of one is no difference. */
function withoutRepeats(reasons: readonly string[]): string[] {
  const plain = reasons.map((reason) => reason.toLowerCase().replace(/\.$/, ''));
  return reasons.filter((_, index) => plain.indexOf(plain[index] ?? '') === index);
}

/** A change is one level higher when it comes from output or uses a secret; whatever uses a secret is at least high. */
function raiseByFacts(risk: Risk, { taint, secrets }: RiskFacts): { risk: Risk; because: string[] } {
  const because = [taint, secrets].filter((fact) => fact !== undefined);
  if (rank(risk) >= rank('high')) return { risk: because.length > 0 ? 'critical' : risk, because };
  return secrets === undefined ? { risk, because: [] } : { risk: 'high', because: [secrets] };
}

type Commands = ReturnType<typeof commandsIn>;

function classificationOf({ action }: ToolCall, commands: Commands): Classification | undefined {
  if (commands) return classifyScript(commands);
  return action.kind === 'command' ? classify(action.tokens) : undefined;
}

/** Why nobody can tell what a command or script does; undefined for other kinds, known programs, and scripts that ship. */
function unknownProgram(
  { action }: ToolCall,
  classification: Classification | undefined,
  commands: Commands,
): string | undefined {
  const argv = commands
    ? commands.find((one) => !classifyInScript(one))
    : action.kind === 'command'
      ? action.tokens
      : undefined;
  if (argv && !classification) {
    const name = JSON.stringify((argv[0] ?? '').slice(0, 60));
    return `no table knows ${name}, so what it does is known to its tool file only`;
  }
  if (commands) return undefined;
  if (action.kind !== 'script' || isKnownText(action.tokens.join('\0'))) return undefined;
  return 'it is a script; what it does is known to its tool file only';
}
