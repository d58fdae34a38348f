import { NETWORK_SIGNATURES } from './signatures/network.js';
import { PROGRAM_SIGNATURES } from './signatures/program.js';
import { RESOURCE_SIGNATURES } from './signatures/resources.js';
import { SERVICE_SIGNATURES } from './signatures/services.js';
import type { LogSignature } from './signatures/signature.js';

/** Every log signature, in the order in which equals are preferred. */
export const LOG_SIGNATURES: readonly LogSignature[] = [
  ...SERVICE_SIGNATURES,
  ...NETWORK_SIGNATURES,
  ...RESOURCE_SIGNATURES,
  ...PROGRAM_SIGNATURES,
];
