import { spawnSync } from 'node:child_process';

const found = spawnSync('opa', ['version'], { encoding: 'utf8' });

/** Why tests that need opa are left out; undefined when it is there. The program itself never needs it but to compile. */
export const opaMissing = (): string | undefined => (found.status === 0 ? undefined : 'opa is not on PATH');
