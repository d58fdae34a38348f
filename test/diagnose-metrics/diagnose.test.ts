import { describe, expect, test } from 'vitest';
import { WORDS } from '../../src/diagnose/metrics/words.js';
import { renderDiagnosis } from '../../src/diagnose/render.js';
import { anAlert, aTarget, called, calls, REFUSED } from './answers.js';
import { diagnose, diagnoseCalls, titles } from './diagnosis.js';

describe('nothing fires', () => {
  test('a healthy system is healthy, and the report says by what', async () => {
    const found = await diagnose();
    expect(found).toMatchObject({ healthy: true, findings: [], unseen: [] });
    expect(found.summary).toBe('Nothing is firing; 1 alerting rules are evaluated, and 1 targets are up.');
    expect(found.target).toBe('the alerts of http://prom:9090/base');
  });

  test('without rules it proves nothing', async () => {
    expect(await titles({ rules: [] })).toEqual([
      'medium: Prometheus has no alerting rules: that nothing fires proves nothing',
    ]);
  });

  test('what could not be read is never healthy', async () => {
    const error = { category: 'network' as const, message: 'no answer', hint: 'Ask the VPN.' };
    const results = calls().map((r) =>
      r.tool === 'prometheus_alerts' ? { ...r, status: 'failed' as const, error } : r,
    );
    const found = await diagnoseCalls(results.filter((r) => !r.tool.startsWith('alertmanager_')));
    expect(found.healthy).toBe(false);
    expect(found.summary).toBe('Nothing firing was seen, but not everything could be read.');
    expect(found.unseen).toEqual([
      { what: 'prometheus_alerts', why: 'it could not be read: no answer [c1]', hint: 'Ask the VPN.' },
      {
        what: 'Alertmanager',
        why: 'Alertmanager was not asked, so that silences and inhibitions are not known',
        hint: 'Set ALERTMANAGER_URL',
      },
    ]);
  });

  test('an answer of another program is a gap, whatever it holds', async () => {
    const odd = [null, 'x', 7, [], {}, { data: null }, { data: { alerts: 'none' } }].map((data, index) =>
      called(`c${index}`, 'prometheus_alerts', data),
    );
    const found = await diagnoseCalls(odd);
    expect(found.findings).toEqual([]);
    expect(found.unseen.filter((u) => u.what === 'prometheus_alerts')).toHaveLength(odd.length);
  });

  test('items of odd shape are passed over', async () => {
    const odd = [
      null,
      'x',
      {},
      { labels: 7, state: 'firing' },
      { labels: { alertname: 7 }, state: 'firing', activeAt: 'never' },
    ];
    const found = await diagnose({
      alerts: odd as never,
      targets: odd as never,
      rules: odd as never,
      held: odd as never,
    });
    expect(() => renderDiagnosis(found)).not.toThrow();
  });
});

describe('the report', () => {
  test('is whole in both languages', async () => {
    const answers = {
      alerts: [anAlert('TargetDown', { job: 'api', instance: 'b:1' })],
      targets: [aTarget('api', 'b:1', REFUSED)],
    };
    const zh = renderDiagnosis(await diagnose(answers, 'zh'));
    expect(zh).toContain('任务 api 的抓取目标 b:1 不可用：连接被拒绝');
    expect(zh).toContain('告警 TargetDown 正在触发');
    for (const language of ['en', 'zh'] as const) {
      expect(renderDiagnosis(await diagnose(answers, language))).not.toMatch(/(?<!%)\{\w+\}/);
    }
    for (const text of Object.values(WORDS)) {
      const names = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort();
      expect(names(text.zh)).toEqual(names(text.en));
    }
  });

  test('hostile labels and errors stay one harmless line', async () => {
    const evil = 'x\u001b[2J\n# Heading `code` [link](http://evil)';
    const text = renderDiagnosis(
      await diagnose({
        alerts: [anAlert(evil, { job: evil }, { annotations: { summary: evil, description: evil.repeat(500) } })],
        targets: [aTarget(evil, evil, evil)],
      }),
    );
    expect(text).not.toContain('\u001b');
    expect(text).not.toMatch(/^# Heading/m);
    expect(text.split('\n').length).toBeLessThanOrEqual(60);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(1200);
  });
});
