import { describe, expect, test } from 'vitest';
import type { Executor } from '../../src/domain/ports.js';
import type { JsonObject, RunSpec } from '../../src/domain/types.js';
import { command } from '../../src/exec/command.js';
import { script } from '../../src/exec/script.js';
import { aClearedCall, aRunContext } from '../helpers/run-context.js';

const NOWHERE = { context: {}, env: {} };

async function runKind(executor: Executor, spec: RunSpec, args: JsonObject = {}, env: Record<string, string> = {}) {
  const action = executor.plan(spec, args, { context: {}, env });
  const context = aRunContext();
  const outcome = await executor.run(aClearedCall(action), context);
  return { outcome, action, ...context.seen };
}

describe('command', () => {
  test('a value is one argv item whatever it holds', async () => {
    const spec = { kind: 'command', argv: ['printf', '%s|', '{{ a }}', '--x={{ b }}'] };
    const run = await runKind(command, spec, { a: '$(id); rm -rf / "\'', b: 'two words' });
    expect(run.stdout).toBe('$(id); rm -rf / "\'|--x=two words|');
  });

  test('shows an argv as a shell would need it', () => {
    const action = command.plan({ kind: 'command', argv: ['echo', '{{ a }}'] }, { a: "it's $HOME" }, NOWHERE);
    expect(action.display).toBe("echo 'it'\\''s $HOME'");
  });

  test('a program that is not there is a mistake of the set-up', async () => {
    const { outcome } = await runKind(command, { kind: 'command', argv: ['opsagent-no-such-program'] });
    expect(outcome).toMatchObject({ status: 'failed', error: { category: 'validation', exit: 'usage' } });
  });

  test('an exit code that the tool expects is a success', async () => {
    const spec = { kind: 'command', argv: ['sh', '-c', 'exit 1'], success_exit_codes: [0, 1] };
    expect((await runKind(command, spec)).outcome).toEqual({ status: 'ok', exitCode: 1 });
  });

  test('the last line of stderr says why it failed', async () => {
    const spec = { kind: 'command', argv: ['sh', '-c', 'echo first >&2; echo why >&2; exit 4'] };
    expect((await runKind(command, spec)).outcome).toEqual({
      status: 'failed',
      exitCode: 4,
      error: { category: 'execution', message: 'sh ended with exit code 4: why' },
    });
  });
});

describe('script', () => {
  test('arguments arrive as variables and are never code', async () => {
    const spec = { kind: 'script', code: 'printf "%s\\n" "$ARG_NAME" "$ARG_COUNT"' };
    const run = await runKind(script, spec, { name: '$(touch /tmp/opsagent-pwned); `id`', count: 3 });
    expect(run.stdout).toBe('$(touch /tmp/opsagent-pwned); `id`\n3\n');
  });

  test('an unset variable ends the script, for the default interpreter is strict', async () => {
    expect((await runKind(script, { kind: 'script', code: 'echo "$ARG_MISSING"' })).outcome.status).toBe('failed');
  });

  test('another interpreter works too', async () => {
    const spec = { kind: 'script', interpreter: ['node'], code: 'console.log(process.env.ARG_A.length)' };
    expect((await runKind(script, spec, { a: 'four' })).stdout).toBe('4\n');
  });
});
