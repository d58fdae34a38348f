import { type AuditRecord, type Decision, type Json, type JsonObject, RISKS, type Risk } from '../domain/types.js';
import { isList, isObject, objectAt, textsAt } from '../lib/json-values.js';
import { inputOfCommand, type Judge, POLICY_ERROR, weigh } from './decide.js';
import type { PolicyInput } from './input.js';
import { type Access, rolesOf } from './roles.js';

/**
 * Judges a recorded call again, with the roles that its user has now. Opinions of its session that no policy file holds, such as a
 * flag, stand as they were. What the record hides stays hidden, so a rule on a hidden value may answer otherwise.
 * @returns undefined for a record that does not hold what policies knew of the call.
 */
export async function judgeAgain(
  judges: readonly Judge[],
  access: Access,
  record: AuditRecord,
): Promise<Decision | undefined> {
  const input = inputOfRecord(record, access);
  if (!input || !record.decision) return undefined;
  const kept = record.decision.rules.filter(({ id, source }) => source === undefined && id !== POLICY_ERROR);
  const inner = commandsOf(record.decision.facts).map((argv) => inputOfCommand(input, argv));
  return weigh([...judges, () => kept], input, input.risk as Risk, [], inner);
}

/** The input document of a recorded decision. */
export function inputOfRecord(record: AuditRecord, access: Access): PolicyInput | undefined {
  const facts = record.decision?.facts;
  const isWhole = record.event === 'decided' && RISKS.some((risk) => risk === record.risk_level);
  if (!isWhole || facts === undefined || !isObject(facts) || !isObject(record.parameters)) return undefined;
  const { commands: _, ...known } = facts;
  const tokens = record.action?.tokens ?? [];
  return {
    ...(known as JsonObject & Pick<PolicyInput, 'category' | 'permissions' | 'context'>),
    permissions: textsAt(facts, 'permissions'),
    context: objectAt(facts, 'context') as PolicyInput['context'],
    tool: record.tool,
    arguments: record.parameters,
    argv: tokens,
    tokens,
    risk: record.risk_level,
    user: record.user,
    roles: rolesOf(access, record.user, textsAt(facts, 'groups')),
    session: record.session_id,
    session_id: record.session_id,
    time: record.timestamp,
  };
}

/** The argv of each command of a recorded script. */
function commandsOf(facts: Json | undefined): string[][] {
  const all = facts !== undefined && isObject(facts) ? facts.commands : undefined;
  return (isList(all) ? all : []).map((argv) => textsAt({ argv }, 'argv'));
}
