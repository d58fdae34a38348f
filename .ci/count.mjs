// Prints the closing line. A step that failed without a failed test (types, lint, build) counts as one failure.
import { existsSync, readFileSync } from 'node:fs';

const [report, failedStep] = process.argv.slice(2);
const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
const result = text === '' ? {} : JSON.parse(text);
const passed = result.numPassedTests ?? 0;
const skipped = (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0);
let failed = result.numFailedTests ?? 0;
if ((failedStep || passed === 0) && failed === 0) failed = 1;
if (failedStep) console.log(`failed: ${failedStep}`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;
