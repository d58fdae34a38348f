import { anyOf, KIND_PATTERN, NAME_PATTERN } from './names.js';
import { AFTER_ALONE, BEFORE_ALONE, FAULTS_EN, FAULTS_ZH, POLITE_ALONE } from './words.js';

const only = (words: readonly string[]): RegExp => new RegExp(`^(?:${anyOf(words)}\\s*)+$`, 'i');
const BEFORE = only([...POLITE_ALONE, ...BEFORE_ALONE]);
const AFTER = only([...POLITE_ALONE, ...AFTER_ALONE]);

const THING = `(?:${KIND_PATTERN}|container|unit|application|app|容器|应用|单元)`;
const NAMED = `(?:${THING}[\\s/]*)?(${NAME_PATTERN})(?:\\s*的)?(?:\\s*${THING})?`;
/** Without a name these mean the ordered object; a node or a host would be a machine. */
const ITSELF = '(?:pod|deployment|statefulset|daemonset|service|container|unit|application|app|服务|容器|应用|单元)';
const FAULT_EN = new RegExp(`^(?:(?:the|our|my)\\s+)?(?:${NAMED}|(?<=\\s)${ITSELF}|(?<=^)it)\\s+${FAULTS_EN}$`, 'i');
const FAULT_ZH = new RegExp(`^(?:${NAMED}|${ITSELF})\\s*${FAULTS_ZH}$`, 'i');

/**
 * Whether a part of a request leaves the order beside it the whole request: politeness, or what is wrong with the ordered
 * object itself. Anything else may take the order back, quote it, put it off or send it elsewhere, in more words than a
 * list can hold; so what is not known to be harmless is refused, a place (masked by now) or another object too.
 */
export function leavesAlone(clause: string, position: 'before' | 'after', ordered: readonly string[]): boolean {
  if ((position === 'before' ? BEFORE : AFTER).test(clause)) return true;
  if (position === 'after') return false;
  const fault = FAULT_EN.exec(clause) ?? FAULT_ZH.exec(clause);
  const about = fault?.[1]?.toLowerCase();
  return (
    fault !== null && (about === undefined || ordered.some((name) => isPartOf(about, name) || isPartOf(name, about)))
  );
}

/** `web-1` and `web`: another may well be another machine. */
const isPartOf = (name: string, whole: string): boolean =>
  name === whole || (name.startsWith(whole) && /^[-_.]/.test(name.slice(whole.length)));
