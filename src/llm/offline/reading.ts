import type { ToolDefinition } from '../../domain/types.js';
import { anyOf, refsIn } from './names.js';
import { changes, hasParameter } from './schema.js';
import { readScope, type Scope } from './scope.js';
import { type RequestText, readRequest } from './text.js';
import { CONTAINER_NAMES, KUBERNETES_KINDS, KUBERNETES_WORDS, ORDERED_CONTAINER_NAMES } from './words.js';

/** A request, read for the tools that may answer it. */
export interface Reading {
  readonly request: RequestText;
  /** Tools that the words of the request do not rule out. */
  readonly tools: readonly ToolDefinition[];
  /** The request as a tool reads it: for some a container is the object, for others a part of one. */
  readonly scopeFor: (tool: ToolDefinition) => Scope;
  /** The request as orders are read. */
  readonly orderScope: Scope;
}

const CONTAINER = /(?<![\w-])containers?(?![\w-])|容器(?!组)/i;

/**
 * Reads a request. A container is a part of a pod for some tools and an object of its own for others; a request that
 * speaks of pods, workloads or namespaces means the former, and the latter are out.
 */
export function readFor(tools: readonly ToolDefinition[], raw: string): Reading {
  const request = readRequest(raw);
  const full = readScope(request.text);
  const inPods = speaksOfKubernetes(request.text, full);
  const left = inPods ? tools.filter((tool) => !takesContainers(tool)) : tools;
  const speaks = !inPods && CONTAINER.test(request.text) && left.some(takesContainers);
  const read = (names: readonly string[]): Scope =>
    speaks ? readScope(quoteContainers(request.text, names), ['container', 'all_containers']) : full;
  const plain = read(CONTAINER_NAMES);
  return {
    request,
    tools: left,
    scopeFor: (tool) => (takesContainers(tool) ? plain : full),
    orderScope: left.some((tool) => changes(tool) && takesContainers(tool)) ? read(ORDERED_CONTAINER_NAMES) : full,
  };
}

/** Quotes the word directly behind `container`: it is the name, though it be a common word. Not in `container log of web`. */
const quoteContainers = (text: string, names: readonly string[]): string =>
  text.replaceAll(
    new RegExp(`((?<![\\w-])container\\s+|容器(?!组)\\s*)(${anyOf(names)})(?!\\.\\w|\\s+(?:of|for)\\s)`, 'gi'),
    '$1"$2"',
  );

/** Whether containers are what a tool is about: its own ways to ask say so, and it knows no namespaces. */
const takesContainers = (tool: ToolDefinition): boolean =>
  !hasParameter(tool, 'container') &&
  !hasParameter(tool, 'namespace') &&
  tool.intents.phrases.some((phrase) => CONTAINER.test(phrase));

const WORDS = new RegExp(anyOf(KUBERNETES_WORDS), 'i');

const speaksOfKubernetes = (text: string, scope: Scope): boolean =>
  WORDS.test(text) ||
  scope.stated.some((s) => (s.param === 'namespace' && !s.implied) || s.param === 'all_namespaces') ||
  refsIn(scope.masked).some((ref) => ref.kind !== undefined && KUBERNETES_KINDS.includes(ref.kind));
