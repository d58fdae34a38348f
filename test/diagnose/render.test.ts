import { describe, expect, test } from 'vitest';
import { codeSpan, escapeMarkdown, quoteOf } from '../../src/diagnose/plain-text.js';
import { renderDiagnosis } from '../../src/diagnose/render.js';
import { diagnosed } from './fixtures/ask.js';
import { crashLoop, deployment, ended, log, pod } from './fixtures/cluster.js';

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
