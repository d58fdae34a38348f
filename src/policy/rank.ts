import { RISKS, type Risk } from '../domain/types.js';

/** Position of a risk: low 0 … critical 3. */
export const rank = (risk: Risk): number => RISKS.indexOf(risk);

/** The higher of two risks. */
export const higher = (a: Risk, b: Risk): Risk => (rank(a) >= rank(b) ? a : b);
