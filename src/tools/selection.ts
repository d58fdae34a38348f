import type { ToolDefinition } from '../domain/types.js';
import type { ToolFinder } from './finder.js';

/** The tool that finds others; see tools.d/opsagent.yaml. */
export const FIND_TOOLS = 'find_tools';

/** Offered whatever is asked: the way to all other tools, and the diagnoses, which choose their own reads. */
const ALWAYS: readonly string[] = [
  FIND_TOOLS,
  'diagnose_service',
  'diagnose_namespace',
  'diagnose_container',
  'diagnose_docker',
  'diagnose_host',
  'diagnose_metrics',
];
/** Of the tools that fit a request best, so many go before the other reads of the best one's system. */
const BEST = 10;
/** So many tools may come to those that were chosen first; of more, those that were found longest ago go. */
const MAX_ADDED = 24;

export interface SelectionOptions {
  /** Every tool that may be offered. */
  readonly tools: () => readonly ToolDefinition[];
  readonly finder: ToolFinder;
  /** About how many tokens tools take in a prompt. */
  readonly tokensOf: (tools: readonly ToolDefinition[]) => number;
  readonly maxTokens: number;
  readonly request: string;
}

/** Which tools a model is offered in one request. */
export interface Selection {
  /** The same list as before while nothing was added, so that a provider's cache of the prompt holds; what was added stands at its end. */
  offered(): Promise<readonly ToolDefinition[]>;
  /** Offers these too from now on: they were found, or used. Names of no tool are passed over. */
  add(names: readonly string[]): void;
}

/**
 * Chooses tools for a request: all of them when they fit `maxTokens`, else those that are always offered, then those that fit
 * the request best, then the reads of the best one's system, up to `maxTokens`.
 */
export function createSelection(options: SelectionOptions): Selection {
  let added: string[] = [];
  let chosen: Promise<readonly ToolDefinition[]> | undefined;
  let last: readonly ToolDefinition[] | undefined;
  return {
    async offered() {
      chosen ??= choose(options);
      const first = await chosen;
      if (last) return last;
      const names = new Set(first.map(({ name }) => name));
      const later = added.filter((name) => !names.has(name)).slice(-MAX_ADDED);
      const byName = new Map(options.tools().map((tool) => [tool.name, tool]));
      last = later.length === 0 ? first : [...first, ...later.flatMap((name) => byName.get(name) ?? [])];
      return last;
    },
    add(names) {
      added = [...added.filter((name) => !names.includes(name)), ...names];
      last = undefined;
    },
  };
}

async function choose({ tools, finder, tokensOf, maxTokens, request }: SelectionOptions) {
  const all = tools();
  if (tokensOf(all) <= maxTokens) return all.filter(({ name }) => name !== FIND_TOOLS);
  const fitting = (await finder.find(request)).filter((tool) => all.includes(tool));
  const system = fitting[0]?.category;
  const candidates = new Set([
    ...all.filter(({ name }) => ALWAYS.includes(name)),
    ...fitting.slice(0, BEST),
    ...fitting.filter(({ category, riskLevel }) => category === system && isRead(riskLevel)),
    ...fitting,
  ]);
  let left = maxTokens;
  return [...candidates].filter((tool) => {
    const tokens = tokensOf([tool]);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

const isRead = (risk: ToolDefinition['riskLevel']): boolean => risk === 'low' || risk === 'medium';
