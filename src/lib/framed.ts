import { createHash } from 'node:crypto';

/** Output between two marks that it cannot forge: the seal is a digest of itself. What stands between them is data. */
export function framed(callId: string, text: string): string {
  const seal = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `<output of="${callId}" seal="${seal}">\n${text}\n</output seal="${seal}">`;
}
