import type { JsonObject } from '../../../domain/types.js';
import { isList, objectAt } from '../../../lib/json-values.js';
import type { SourceContext } from '../source.js';
import { suggestedAuth } from './access.js';
import { operationsOf, readDocument } from './document.js';
import { findSpec } from './spec.js';

/** What a description says of its API as a whole. */
export interface ApiSummary {
  readonly title: string;
  /** What `auth:` could be, with secrets named after `name`; undefined when nothing asks for it. */
  suggestAuth(name: string): JsonObject | undefined;
}

/**
 * Reads a description for somebody who is about to add it.
 * @throws OpsError as the source itself would.
 */
export async function describeApi(
  spec: string,
  { place, env, signal }: Pick<SourceContext, 'place' | 'env' | 'signal'>,
): Promise<ApiSummary> {
  const none = { read: () => undefined, write: () => undefined };
  const context = { place, env, signal, cache: none, path: (path: string) => path };
  const found = await findSpec(spec, {}, context, () => false);
  const document = readDocument(await found.text(), found.name);
  const { title } = objectAt(document.root, 'info');
  const asks = (value: JsonObject) => isList(value.security) && value.security.length > 0;
  return {
    title: typeof title === 'string' ? title : '',
    suggestAuth: (name) =>
      [document.root, ...operationsOf(document).map(({ raw }) => raw)].some(asks)
        ? suggestedAuth(document, name)
        : undefined,
  };
}
