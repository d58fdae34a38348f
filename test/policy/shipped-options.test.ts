import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import type { JsonObject } from '../../src/domain/types.js';
import { createExecutors } from '../../src/exec/index.js';
import type { ArgvItem } from '../../src/lib/template.js';
import { loadToolFiles } from '../../src/tools/load.js';
import { rewriteManifests } from '../../src/tools/manifest.js';
import { prepare } from '../../src/tools/prepare.js';
import { createRegistry } from '../../src/tools/registry.js';

const executors = createExecutors(diagnoseBuiltins);
const files = readdirSync('tools.d').map((name) => ({
  path: `tools.d/${name}`,
  text: readFileSync(`tools.d/${name}`, 'utf8'),
}));
const commands = loadToolFiles(files, executors).tools.filter(({ run }) => run.kind === 'command');
const context = { kube_context: 'prod', docker_host: 'unix:///run/docker.sock', docker_context: 'default' };
const options = {
  registry: createRegistry(commands),
  executors,
  planContext: { context, env: {} },
  rewriteManifests,
};

const HOSTILE = [
  ...['--kubeconfig=/x', '-oProxyCommand=x', '--upload-pack=x', '--post-renderer=x', '--output=x', '-', '--', '--all'],
  ...[
    '-..main',
    '\n--all',
    'web\n--all',
    'web\u0000--all',
    'web --all',
    ' -x',
    '@/etc/passwd',
    "a={{ lookup('pipe', 'id') }}",
  ],
];

/** A call that is valid, with each of its texts in turn replaced by one of these values. */
const spoiled = (args: JsonObject): JsonObject[] =>
  Object.entries(args).flatMap(([name, value]) =>
    HOSTILE.flatMap((text): JsonObject[] => {
      if (typeof value === 'string') return [{ ...args, [name]: text }];
      return Array.isArray(value)
        ? [
            { ...args, [name]: [text] },
            { ...args, [name]: [...value, text] },
          ]
        : [];
    }),
  );

const optionOf = (item: string) => /^-[^=\s]*/.exec(item)?.[0];
const optionsOf = (argv: readonly ArgvItem[]): string[] =>
  argv.flatMap((item) =>
    typeof item === 'string' ? (optionOf(item) ?? []) : [...optionsOf(item.argv), ...elseOf(item)],
  );
const elseOf = (item: Exclude<ArgvItem, string>) => ('else' in item ? optionsOf(item.else ?? []) : []);

const examples = commands.flatMap((tool) => tool.examples.map((one) => [tool.name, one.arguments, tool] as const));

describe('one value of a valid call that is an option, a file or a template', () => {
  test.each(examples)('becomes none for %s %j', (name, args, tool) => {
    const known = optionsOf(tool.run.argv as unknown as readonly ArgvItem[]);
    const wrong = spoiled(args).flatMap((one) => {
      const prepared = prepare(options, { id: 'c1', name, rawArguments: JSON.stringify(one) });
      if (!prepared.ok) return [];
      const { tokens } = prepared.call.action;
      const own = tokens.slice(0, tokens.includes('--') ? tokens.indexOf('--') : tokens.length);
      const isOption = own.some((item) => item.startsWith('-') && !known.includes(optionOf(item) ?? ''));
      // Ansible reads files behind "@" and starts programs for templates.
      const isRead = tool.category === 'ansible' && tokens.some((item) => /\{\{|^(?:-[^=]*=)?@/.test(item));
      return isOption || isRead ? [tokens] : [];
    });
    expect(wrong).toEqual([]);
  });
});
