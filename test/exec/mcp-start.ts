import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Scripted, scripted } from '../helpers/mcp/scripted.js';

/** A scripted server whose connections are closed when the test is over. */
export const start = (...parameters: Parameters<typeof scripted>): Scripted => {
  const one = scripted(...parameters);
  onTestFinished(() => one.connections.close());
  return one;
};

/** The file that has what the server printed on stderr. */
export const logOf = ({ folder }: Scripted) => join(folder, 'state/mcp/scripted.log');
