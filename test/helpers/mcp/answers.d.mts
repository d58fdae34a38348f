/** What the scripted server does with a message. */
export function createServer(
  scenarioPath: string,
  send: (message: unknown) => void,
): (message: unknown) => Promise<void>;
