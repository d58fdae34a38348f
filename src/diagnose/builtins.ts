import type { Builtin } from '../domain/ports.js';

const NAMES = [
  'kubernetes_target',
  'kubernetes_log_targets',
  'kubernetes_diagnose',
  'kubernetes_touches',
  'docker_target',
  'docker_log_targets',
  'docker_diagnose',
  'host_log_targets',
  'host_diagnose',
  'prometheus_window',
  'prometheus_statistics',
  'metrics_diagnose',
];

/** The builtins of diagnosis. Rules and messages are loaded when the first one runs. */
export const diagnoseBuiltins: readonly Builtin[] = NAMES.map((name) => ({
  name,
  async run(args, context) {
    const { builtinRuns } = await import('./builtin-runs.js');
    const builtin = builtinRuns.find((one) => one.name === name);
    if (!builtin) throw new Error(`there is no builtin ${name}`);
    return builtin.run(args, context);
  },
}));
