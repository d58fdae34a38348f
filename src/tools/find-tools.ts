import type { Builtin } from '../domain/ports.js';
import type { ToolFinder } from './finder.js';
import { FIND_TOOLS } from './selection.js';

const DEFAULT_LIMIT = 8;
/** Longest description in the list; in characters. The whole comes with the tool. */
const MAX_DESCRIPTION = 200;

/** The builtin behind `find_tools`: the tools that fit a text, with what they do. They are offered in the steps that follow. */
export const findToolsBuiltin = (finder: ToolFinder = { find: async () => [] }): Builtin => ({
  name: FIND_TOOLS,
  async run(args, context) {
    const limit = typeof args.limit === 'number' ? args.limit : DEFAULT_LIMIT;
    const found = (await finder.find(String(args.query))).filter(({ name }) => name !== FIND_TOOLS).slice(0, limit);
    const tools = found.map(({ name, description, riskLevel }) => ({
      name,
      risk: riskLevel,
      description: description.slice(0, MAX_DESCRIPTION),
    }));
    const note =
      tools.length > 0
        ? 'You can call these now.'
        : 'No tool fits. Ask with other words, or say that it cannot be done.';
    context.write(JSON.stringify({ tools, note }));
    return { status: 'ok' };
  },
});
