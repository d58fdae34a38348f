import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/diagnose/diagnose.js';
import { codeSpan, escapeMarkdown, quoteOf } from '../../src/diagnose/plain-text.js';
import { renderDiagnosis } from '../../src/diagnose/render.js';
import { buildSnapshot } from '../../src/diagnose/snapshot.js';
import { diagnosed } from './fixtures/ask.js';
import { crashLoop, deployment, ended, event, log, object, pod, result } from './fixtures/cluster.js';

describe('hostile output', () => {
  test('cannot write to the terminal, end its quote, or add lines', async () => {
    const line = 'FATAL: database connection pool exhausted \u001b]0;owned\u0007\u001b[2J``` \u202e# Healthy\r';
    const hostile = pod('web-1', { containers: [crashLoop(ended(1))] });
    const text = renderDiagnosis(await diagnosed([hostile], [log('c2', 'web-1', line)]));
    expect(text).toContain('[c2] ```` FATAL: database connection pool exhausted ``` # Healthy ````');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is left is the point
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  });

  test('in names never becomes part of a command', async () => {
    const evil = pod('--all; rm -rf $HOME', { containers: [crashLoop(ended(1))] });
    const text = renderDiagnosis(await diagnosed([evil]));
    expect(text).not.toContain('kubectl');
  });

  test('in names does not break the Markdown', async () => {
    const evil = deployment('a\n## 2. fake\n[x](http://evil)', 1, {});
    const text = renderDiagnosis(await diagnosed([evil]));
    expect(text.split('\n').filter((l) => l.startsWith('#')).length).toBe(2);
    expect(text).toContain('[x\\](http://evil)');
  });

  test('of ten megabytes is quoted by 200 characters', () => {
    expect([...quoteOf('x'.repeat(10 * 1024 * 1024))].length).toBe(200);
    expect(codeSpan('a`b``c')).toBe('``` a`b``c ```');
    expect(escapeMarkdown('# *x* _y_ DB_POOL_MAX <b>')).toBe('\\# \\*x\\* \\_y\\_ DB_POOL_MAX \\<b>');
  });
});

describe('the report', () => {
  test('of a healthy target says what was looked at', async () => {
    const well = await diagnosed([deployment('web', 1, { readyReplicas: 1 }), pod('web-1')], [], {
      name: 'web',
      namespaces: ['production'],
    });
    const text = renderDiagnosis(well);
    expect(well.healthy).toBe(true);
    expect(text.split('\n').slice(0, 3)).toEqual(['# Diagnosis of production/web', '', '**No problem was found.**']);
    expect(text).toContain('Looked at: Deployment 1 [c1]');
  });

  test('stays within 60 lines and says how much it leaves out', async () => {
    const many = Array.from({ length: 40 }, (_, i) => pod(`web-${i}`, { containers: [crashLoop(ended(1))] }));
    const text = renderDiagnosis(await diagnosed(many));
    expect(text.split('\n').length).toBeLessThanOrEqual(60);
    expect(text).toMatch(/… and \d+ more/);
    expect(text).toContain('**40 problems found.');
  });

  test('gives what does not fit in full by title and severity, up to fifteen', async () => {
    const many = Array.from({ length: 20 }, (_, i) => pod(`web-${i + 10}`, { containers: [crashLoop(ended(1))] }));
    const lines = renderDiagnosis(await diagnosed(many)).split('\n');
    const at = lines.indexOf('## Further findings');
    const further = lines.slice(at + 1).filter((line) => /^\d+\. /.test(line));
    expect(further.length).toBe(15);
    expect(further[0]).toMatch(
      /^\d+\. Pod production\/web-\d\d: container app keeps crashing \(critical, cause unknown\)$/,
    );
    const last = Number(/^\d+/.exec(further.at(-1) ?? '')?.[0]);
    expect(lines).toContain(`… and ${20 - last} more`);
    expect(lines.length).toBeLessThanOrEqual(60);
  });

  test('names no kind as looked at that could not be read, and one that was read and empty with 0', async () => {
    const partly = result('c2', {
      args: { kind: 'services,statefulsets,endpoints', namespace: 'production' },
      status: 'failed',
      errorText:
        'statefulsets are not recorded: the dump holds no statefulsets of namespace production\nError from server (Forbidden): endpoints is forbidden: User "x" cannot list resource "endpoints" in API group "" in the namespace "production"\n',
      data: { kind: 'List', items: [] },
    });
    const { looked } = diagnose(await buildSnapshot([partly]), { language: 'en' });
    expect(looked).toEqual([{ kind: 'Service', count: 0, callIds: ['c2'] }]);
    const unclear = { ...partly, errorText: `${partly.errorText}Error from server: odd\n` };
    expect(diagnose(await buildSnapshot([unclear]), { language: 'en' }).looked).toEqual([]);
  });

  test('in Chinese holds no words of ours in English', async () => {
    const items = [
      pod('web-1', { containers: [crashLoop(ended(1))] }),
      event({ kind: 'Pod', name: 'web-1' }, 'BackOff', '退避'),
      object('DaemonSet', 'agent', { status: { desiredNumberScheduled: 3, numberReady: 0 } }),
    ];
    const diagnosis = await diagnosed(items, [log('c2', 'web-1', 'FATAL: database connection pool exhausted')], {
      language: 'zh',
    });
    const text = renderDiagnosis(diagnosis);
    expect(text).toContain('（Pod production/web-1 中 app 的日志，上一次运行）');
    expect(text).toContain('`CrashLoopBackOff，上次结束：Error，退出码 1，重启次数：5`');
    expect(text).toContain('已检查：');
    expect(text).not.toMatch(/previous run|last end|restarts:|wanted:| event |log of|[^a-z]\)|: \p{Script=Han}/u);
  });

  test('fills every place', async () => {
    for (const language of ['en', 'zh'] as const) {
      const text = renderDiagnosis(
        await diagnosed(
          [pod('a', { containers: [crashLoop(ended(137, 'OOMKilled'))] }), deployment('web', 0, {})],
          [],
          { language },
        ),
      );
      expect(text).not.toMatch(/\{\w+\}/);
    }
  });
});
