import { join } from 'node:path';
import type { Command } from 'commander';
import { packageRoot } from '../../lib/package-root.js';
import type { Io } from '../io.js';
import { outputOption, type RawAskOptions } from './ask.js';

const REQUESTS = { en: 'diagnose order-service', zh: '生产环境的order-service服务不可用，帮我诊断一下原因。' };

/** `opsagent demo`: the diagnosis of the shipped incident; needs no cluster, no model and no network. */
export function define(command: Command, io: Io): void {
  command
    .option('--zh', 'ask in Chinese')
    .addOption(outputOption())
    .action(async (options: Pick<RawAskOptions, 'output'> & { readonly zh?: boolean }) => {
      const { runAsk } = await import('../session-commands.js');
      const request = options.zh ? REQUESTS.zh : REQUESTS.en;
      const dump = join(packageRoot(), 'examples', 'order-service');
      if (options.output === 'text') io.say(`$ opsagent ask "${request}" --dump ${dump}\n\n`);
      io.exit = await runAsk(io, request, { ...options, dump, offline: true });
    });
}
