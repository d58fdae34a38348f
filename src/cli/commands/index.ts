import type { Command } from 'commander';
import type { Io } from '../io.js';

/** What a command's own file gives: it adds arguments, options and the action. */
export interface CommandModule {
  readonly define: (command: Command, io: Io) => void;
}

export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  readonly load: () => Promise<CommandModule>;
}

/** The list of commands. Adding one: a file beside this, and a line here. Only the command that runs is loaded. */
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'ask', description: 'ask for something in plain words, English or Chinese', load: () => import('./ask.js') },
  {
    name: 'demo',
    description: 'a diagnosis from the example dump that ships with opsagent',
    load: () => import('./demo.js'),
  },
  {
    name: 'tools',
    description: 'the tools: list, show, schema, run, lint, export, import, accept',
    load: () => import('./tools.js'),
  },
  {
    name: 'dump',
    description: 'save a dump of a live cluster, to be asked later or elsewhere',
    load: () => import('./dump.js'),
  },
  {
    name: 'policy',
    description: 'policies: check, explain, test, build',
    load: () => import('./policy.js'),
  },
  { name: 'undo', description: 'take back a change that was made here', load: () => import('./undo.js') },
  {
    name: 'audit',
    description: 'the audit log: tail, search, show, verify, stats, export',
    load: () => import('./audit.js'),
  },
  {
    name: 'limits',
    description: 'rate limits and circuit breakers: show, reset',
    load: () => import('./limits.js'),
  },
  { name: 'sandbox', description: 'Python in the sandbox: run, check', load: () => import('./sandbox.js') },
  { name: 'config', description: 'settings: get, set, list, path, trust', load: () => import('./config.js') },
  {
    name: 'doctor',
    description: 'what is installed, reachable and configured, and what to do next',
    load: () => import('./doctor.js'),
  },
  { name: 'completion', description: 'completion script for bash, zsh or fish', load: () => import('./completion.js') },
];
