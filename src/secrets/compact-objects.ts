import { levelsOf, type Span, span } from './spans.js';

interface Frame {
  readonly isObject: boolean;
  /** Values of `data` and `stringData` of this object, or of what it holds without a kind. */
  readonly values: Span[];
  /** This is the map of such values. */
  readonly isData: boolean;
  key: string | undefined;
  isKeyNext: boolean;
  kind: string | undefined;
}

const SECRET_KIND = /(\\*)"kind\1"\s*:\s*\1"Secret(?:List)?\1"/;
const DATA_KEY = /(\\*)"(?:data|stringData)\1"\s*:\s*\{/g;

/**
 * The values of Kubernetes Secrets in JSON that stands in one line: in compact output, in the annotation that
 * `kubectl apply` leaves, in a request. All of `data` and `stringData`, whatever it looks like.
 */
export function objectSpans(line: string): Span[] {
  if (!SECRET_KIND.test(line)) return [];
  const depths = new Set([...line.matchAll(DATA_KEY)].map((match) => match[1]?.length ?? 0));
  return [...depths].flatMap((backslashes) => valuesAt(line, backslashes));
}

const TOKEN = /(\\*)"|[{}[\],:]/g;

/** Reads the JSON whose quotes carry this many backslashes. What is not complete is taken for a Secret. */
function valuesAt(line: string, backslashes: number): Span[] {
  const found: Span[] = [];
  let frames: Frame[] = [];
  let opened: number | undefined;
  for (const match of line.matchAll(TOKEN)) {
    const [token, slashes] = match;
    if (slashes === undefined) {
      if (opened === undefined) punctuate(token, frames, found);
      continue;
    }
    const closes = opened !== undefined && backslashes === 0 && slashes.length % 2 === 0;
    if (slashes.length === backslashes || closes) {
      if (opened !== undefined)
        takeText(
          line,
          opened,
          match.index + (closes ? slashes.length : 0),
          frames.at(-1),
          frames.at(-2),
          levelsOf(backslashes),
        );
      opened = opened === undefined ? match.index + token.length : undefined;
    } else if (slashes.length < backslashes) {
      // The text around this JSON has ended.
      for (const frame of frames) found.push(...frame.values);
      frames = [];
      opened = undefined;
    }
  }
  for (const frame of frames) if (frame.kind === undefined || isSecret(frame)) found.push(...frame.values);
  return found;
}

const isSecret = ({ kind }: Frame): boolean => kind === 'Secret' || kind === 'SecretList';

function punctuate(token: string, frames: Frame[], found: Span[]): void {
  const top = frames.at(-1);
  if (token === '{' || token === '[') {
    const isData = token === '{' && (top?.key === 'data' || top?.key === 'stringData');
    const isObject = token === '{';
    frames.push({ isObject, isData, values: [], key: undefined, isKeyNext: isObject, kind: undefined });
  } else if (token === ',') {
    if (top) top.isKeyNext = top.isObject;
  } else if (token === ':') {
    if (top) top.isKeyNext = false;
  } else if (top) {
    frames.pop();
    const outer = frames.at(-1);
    if (isSecret(top)) found.push(...top.values);
    // Items of a SecretList have no kind of their own.
    else if (top.kind === undefined) outer?.values.push(...top.values);
  }
}

function takeText(
  line: string,
  start: number,
  end: number,
  frame: Frame | undefined,
  outer: Frame | undefined,
  levels: number,
): void {
  if (!frame) return;
  if (frame.isKeyNext) frame.key = line.slice(start, end);
  else if (frame.isData) outer?.values.push(span(start, end, levels));
  else if (frame.key === 'kind') frame.kind = line.slice(start, end);
}
