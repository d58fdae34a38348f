import type { Json, JsonObject } from '../../../domain/types.js';
import { isList, isObject, objectAt } from '../../../lib/json-values.js';
import { MAX_PROMPT } from '../../definition.js';
import { withoutEnvironment } from './instructions.js';

/** What `transformers` of a toolset and of one of its tools come to. */
export interface Transformed {
  /** `output.summarize` of a tool file; undefined when nothing is to be summarised. */
  readonly summarize?: JsonObject;
  readonly warnings: readonly string[];
}

const SUMMARIZE = 'llm_summarize';
const MAX_THRESHOLD = 1_000_000;

/** Reads the transformers of a tool: those of the toolset by name, with what the tool's own say instead. */
export function readTransformers(ofSet: Json | undefined, ofTool: Json | undefined): Transformed {
  const [set, tool] = [readList(ofSet), readList(ofTool)];
  const unknown = [...new Set([...set.names, ...tool.names])].filter((name) => name !== SUMMARIZE);
  const warnings = [
    ...set.warnings,
    ...tool.warnings,
    ...unknown.map((name) => `the transformer ${JSON.stringify(name.slice(0, 60))} is not known, and without effect`),
  ];
  const [common, own] = [set.configs.get(SUMMARIZE), tool.configs.get(SUMMARIZE)];
  if (!common && !own) return { warnings };
  const { input_threshold: threshold, prompt, ...rest } = { ...common, ...own };
  const isCount = typeof threshold === 'number' && Number.isInteger(threshold) && threshold >= 0;
  const text = typeof prompt === 'string' ? withoutEnvironment(prompt).trim() : '';
  const bad = [
    ...(threshold === undefined || isCount ? [] : ['input_threshold is no whole number of characters; 1000 is taken']),
    ...(prompt === undefined || text !== '' ? [] : ['prompt is no text; a general one is taken']),
    ...(text.length > MAX_PROMPT ? [`prompt is longer than ${MAX_PROMPT} characters, and is cut`] : []),
    // Their values are not repeated: one of them is a key.
    ...Object.keys(rest).map((key) => `${key.slice(0, 60)} is ${REASONS[key] ?? 'not known, and without effect'}`),
  ];
  const summarize = {
    ...(isCount && { above_chars: Math.min(Math.max(threshold, 1), MAX_THRESHOLD) }),
    ...(text !== '' && { prompt: text.slice(0, MAX_PROMPT) }),
  };
  return { summarize, warnings: [...warnings, ...bad.map((message) => `${SUMMARIZE}: ${message}`)] };
}

const ELSEWHERE = 'ignored: the fast model is named by --fast-model, OPSAGENT_FAST_MODEL or model.fast';
const REASONS: Readonly<Record<string, string>> = { fast_model: ELSEWHERE, api_key: ELSEWHERE };

function readList(raw: Json | undefined) {
  const list = isList(raw) ? raw : [];
  const named = list.filter(isObject).filter(({ name }) => typeof name === 'string');
  const isWrong = named.length < list.length || (raw !== undefined && raw !== null && !isList(raw));
  return {
    names: named.map(({ name }) => `${name}`),
    configs: new Map(named.map((one) => [`${one.name}`, objectAt(one, 'config')])),
    warnings: isWrong ? ['transformers is a list of { name, config }; what is none is without effect'] : [],
  };
}
