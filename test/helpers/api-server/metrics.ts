import { completeObject } from './complete.js';
import { type KubeObject, timestamp } from './objects.js';

/** The rows of a printed table as objects keyed by its header. */
function rowsOf(text: string): Record<string, string>[] {
  const [header = '', ...lines] = text.trim().split('\n');
  const names = header.trim().split(/\s+/);
  return lines.map((line) => {
    const cells = line.trim().split(/\s+/);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

const usageOf = (row: Record<string, string>) => ({
  cpu: row['CPU(cores)'] ?? '0',
  memory: row['MEMORY(bytes)'] ?? '0',
});

/** Metrics objects from the text of `kubectl top pods -A` or `kubectl top nodes`, recorded beside a dump. */
export function metricsFromText(text: string, of: 'pods' | 'nodes'): KubeObject[] {
  const window = { timestamp: timestamp(new Date()), window: '15s' };
  return rowsOf(text).map((row) => {
    const name = row.NAME ?? '';
    if (of === 'nodes')
      return completeObject({ kind: 'NodeMetrics', metadata: { name }, ...window, usage: usageOf(row) }, {});
    const metadata = { name, namespace: row.NAMESPACE ?? 'default' };
    const containers = [{ name: 'all', usage: usageOf(row) }];
    return completeObject({ kind: 'PodMetrics', metadata, ...window, containers }, {});
  });
}
