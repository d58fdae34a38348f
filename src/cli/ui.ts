import { explainProblems } from '../lib/explain-schema.js';
import { compileSchema } from '../lib/json-schema.js';
import type { Ui } from '../ui/ui.js';
import type { OutputFormat } from './commands/ask.js';
import type { Io } from './io.js';

/** Picks how a run is shown: live on a terminal in the language of the request, plain lines elsewhere, events for `jsonl`. */
export async function startUi(io: Io, output: OutputFormat, request = ''): Promise<Ui> {
  if (output === 'jsonl') {
    const { startJsonlUi } = await import('../ui/jsonl.js');
    return startJsonlUi({ write: io.out });
  }
  if (io.canAsk) {
    const { loadInkUi } = await import('../ui/load-ink.js');
    const startInkUi = await loadInkUi();
    return startInkUi({
      stdin: io.stdin,
      stderr: io.stderr,
      color: io.errColour,
      language: /\p{Script=Han}/u.test(request) ? 'zh' : 'en',
      onInterrupt: io.interrupt,
      check: ({ tool }, args) => explainProblems(compileSchema(tool.parameters)(args), args, 'The call')[0]?.message,
    });
  }
  const { startPlainUi } = await import('../ui/plain.js');
  return startPlainUi({ write: io.say, color: io.errColour });
}
