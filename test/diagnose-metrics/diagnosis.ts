import { diagnoseMetrics } from '../../src/diagnose/metrics/diagnose.js';
import { readMetrics } from '../../src/diagnose/metrics/snapshot.js';
import type { Language } from '../../src/diagnose/types.js';
import type { StoredResult } from '../../src/domain/ports.js';
import { type Answers, calls, NOW } from './answers.js';

/** What is diagnosed from stored results. */
export const diagnoseCalls = async (results: readonly StoredResult[], language: Language = 'en') =>
  diagnoseMetrics(await readMetrics(results), language, NOW);
/** What is diagnosed when the services answer so. */
export const diagnose = (answers: Answers = {}, language: Language = 'en') => diagnoseCalls(calls(answers), language);
/** Severity and title of each finding. */
export const titles = async (answers: Answers) =>
  (await diagnose(answers)).findings.map((f) => `${f.severity}: ${f.title}`);
