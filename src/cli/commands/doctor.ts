import type { Command } from 'commander';
import type { DoctorOptions } from '../doctor.js';
import type { Io } from '../io.js';

/** `opsagent doctor`: what works here, and the next step for what does not. */
export function define(command: Command, io: Io): void {
  command
    .option('--json', 'as JSON')
    .option('--context <name>', 'kubeconfig context')
    .option('--no-cluster', 'do not ask the cluster')
    .option('--model', 'make one test call to the configured model: streaming, tools, parallel calls')
    .action(async (options: DoctorOptions) => {
      const { runDoctor } = await import('../doctor.js');
      io.exit = await runDoctor(io, options);
    });
}
