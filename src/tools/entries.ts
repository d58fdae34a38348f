import type { JsonObject, ToolDefinition } from '../domain/types.js';
import { compileSchema, type Validate } from '../lib/json-schema.js';
import { type Finding, isList, isObject, objectAt, type Path } from '../lib/json-values.js';
import type { Problem } from '../lib/problems.js';
import { type ParsedYaml, parseYaml } from '../lib/yaml.js';
import { toDefinition } from './definition.js';
import { explainToolFile } from './explain-tool-file.js';
import { normalise, type RawTool, splitFile } from './forms.js';
import { headerSchema } from './schema.js';
import { sourcesOf } from './sources/index.js';
import type { SourceEntry } from './sources/source.js';

export interface ToolFile {
  readonly path: string;
  readonly text: string;
}

/** One definition of a file, with what the schema says about it. */
export interface Entry {
  readonly tool: ToolDefinition;
  readonly findings: readonly Finding[];
  /** Top-level keys of the definition that the schema refuses; what depends on them is not checked further. */
  readonly broken: ReadonlySet<string>;
  /** Turns a finding into a problem with its place in the file. */
  place(finding: Finding): Problem;
}

export interface ReadFile {
  readonly header: JsonObject;
  readonly entries: readonly Entry[];
  readonly sources: readonly SourceEntry[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Reads one file and checks it, and each definition in it, against their schemas. */
export function readEntries({ path, text }: ToolFile, validate: Validate): ReadFile {
  const parsed = parseYaml(text, path);
  if (parsed.data === undefined)
    return { header: {}, entries: [], sources: [], problems: parsed.problems, warnings: [] };
  if (parsed.data === null) {
    const empty = {
      file: path,
      line: 1,
      column: 1,
      message: 'The file is empty.',
      fix: 'Add tools, or remove the file.',
    };
    return { header: {}, entries: [], sources: [], problems: parsed.problems, warnings: [empty] };
  }
  const { header, tools, findings } = splitFile(parsed.data);
  const headerFindings = explainToolFile(compileSchema(headerSchema)(header), header, 'The file');
  const place = placer(path, parsed, [], {});
  const entries = tools.map((tool) => readEntry(tool, header, path, parsed, validate));
  return {
    header,
    entries: entries.filter((entry): entry is Entry => 'tool' in entry),
    sources: sourcesOf(header, path, parsed.locate),
    problems: [
      ...parsed.problems,
      ...[...findings, ...headerFindings].map(place),
      ...entries.filter((entry): entry is Problem => 'message' in entry),
    ],
    warnings: [],
  };
}

function readEntry(
  { path, raw, key }: RawTool,
  header: JsonObject,
  file: string,
  parsed: ParsedYaml,
  validate: Validate,
): Entry | Problem {
  const at = parsed.locate(path);
  if (!isObject(raw)) {
    return {
      ...{ file, ...at, message: `"${key ?? formatKey(path)}" is neither a key of a tool file nor a tool definition.` },
      fix: 'A tool file has "tools:" with a list of definitions, or is a map of name to definition.',
    };
  }
  const spelled = normalise(raw, key, header);
  const tool = toDefinition(spelled, header, `${file}:${at.line}`);
  // What comes from `defaults:` is checked there, once.
  const own = ({ path: [first] }: Finding) =>
    first === undefined || Object.hasOwn(raw, spelling(first, raw)) || first === 'name';
  const problems = validate(spelled);
  const findings = [...explainToolFile(problems, spelled, 'The tool').filter(own), ...checkSpelling(raw, spelled, key)];
  const missing = problems.filter(({ path: p }) => p.length === 0).map(({ params }) => String(params.missingProperty));
  return {
    tool,
    findings,
    broken: new Set([...problems.map(({ path: p }) => String(p[0] ?? '')), ...missing]),
    place: placer(file, parsed, path, raw),
  };
}

function checkSpelling(raw: JsonObject, spelled: JsonObject, key: string | undefined): Finding[] {
  const findings: Finding[] = [];
  if (key !== undefined && raw.name !== undefined && raw.name !== key) {
    findings.push({
      path: ['name'],
      message: `The tool is called "${key}" by its key and ${JSON.stringify(raw.name)} by its name.`,
      fix: 'Remove one of the two.',
    });
  }
  if (raw.timeout !== undefined && raw.timeout_seconds !== undefined) {
    findings.push({
      path: ['timeout'],
      message: 'Both timeout and timeout_seconds are given.',
      fix: 'Keep timeout_seconds.',
    });
  }
  if (typeof spelled.category !== 'string') {
    findings.push({
      path: [],
      message: 'The tool lacks "category".',
      fix: 'Add category: to the tool, or system: to the file.',
    });
  }
  return findings;
}

const formatKey = (path: Path): string => path.join('.');

/** The key as the file spells it. */
const spelling = (key: string | number, raw: JsonObject): string =>
  key === 'timeout_seconds' && raw.timeout_seconds === undefined && raw.timeout !== undefined ? 'timeout' : String(key);

function placer(file: string, parsed: ParsedYaml, base: Path, raw: JsonObject): (finding: Finding) => Problem {
  return ({ path, message, fix }) => ({
    file,
    ...parsed.locate([...base, ...inFile(path, raw)]),
    message,
    ...(fix !== undefined && { fix }),
  });
}

/** Where a path of the normalised definition stands in the file. */
function inFile(path: Path, raw: JsonObject): Path {
  const [first, second, name, ...rest] = path;
  if (first === 'parameters' && second === 'properties' && isList(raw.parameters)) {
    const index = raw.parameters.findIndex((item) => isObject(item) && item.name === name);
    return index === -1 ? ['parameters'] : ['parameters', index, ...rest];
  }
  return first === undefined ? path : [spelling(first, raw), ...path.slice(1)];
}

/** The texts of a header that go to the model and to people. */
export function describeFile(
  path: string,
  header: JsonObject,
): { path: string; system: string; description: string; instructions: string } {
  const text = (key: string): string => {
    const value = header[key];
    return typeof value === 'string' ? value.trim() : '';
  };
  const category = objectAt(header, 'defaults').category;
  return {
    path,
    system: text('system') || (typeof category === 'string' ? category : ''),
    description: text('description'),
    instructions: text('instructions'),
  };
}
