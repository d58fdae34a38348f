import { OpsError } from '../../domain/errors.js';
import { type SourceKind, sourceSchema } from './source.js';

/** `kind: openapi`: one tool an operation of an OpenAPI description. */
export const openapi: SourceKind = {
  kind: 'openapi',
  specSchema: sourceSchema('openapi', ['spec'], { spec: { type: ['string', 'object'] } }),
  async load() {
    throw new OpsError('usage', 'not built yet');
  },
};
