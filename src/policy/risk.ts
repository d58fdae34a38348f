import { type Classification, RISKS, type Risk, type ToolCall } from '../domain/types.js';
import { compileSchema } from '../lib/json-schema.js';

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

/** Position of a risk: low 0 … critical 3. */
export const rank = (risk: Risk): number => RISKS.indexOf(risk);

/** The higher of two risks. */
export const higher = (a: Risk, b: Risk): Risk => (rank(a) >= rank(b) ? a : b);

/** Risk of this call: the tool's own, raised by every `raise` rule whose schema its arguments meet; nothing lowers it. */
export function assessRisk(call: ToolCall, facts: RiskFacts = {}): AssessedRisk {
  const raised = call.tool.raise.filter(
    (rule) => rank(rule.riskLevel) > rank(call.tool.riskLevel) && compileSchema(rule.when)(call.args).length === 0,
  );
  // A value that nobody vouches for goes somewhere: a person says whether it may.
  if (facts.secrets !== undefined && rank(call.tool.riskLevel) < rank('high')) {
    raised.push({ when: {}, riskLevel: 'high', reason: facts.secrets });
  }
  const risk = raised.reduce((highest, rule) => higher(highest, rule.riskLevel), call.tool.riskLevel);
  return { risk, reasons: raised.map((rule) => rule.reason) };
}
