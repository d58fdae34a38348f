import { DETAILS } from './words/details.js';
import { REPORT } from './words/report.js';
import { TITLES } from './words/titles.js';

/** Every sentence of the diagnosis, in both languages. DATA. `{name}` is filled in; log signatures have their own table. */
export const MESSAGES = { ...TITLES, ...DETAILS, ...REPORT };

export type MessageKey = keyof typeof MESSAGES;
