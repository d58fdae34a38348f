import { describe, expect, test } from 'vitest';
import { interactiveAdvice } from '../../src/tools/interactive.js';
import { loadToolFiles } from '../../src/tools/load.js';
import { executors } from './helpers.js';

describe('interactiveAdvice', () => {
  test.each([
    'vim /etc/hosts',
    '/usr/bin/less /var/log/syslog',
    'watch df',
    'kubectl edit deployment web',
    'kubectl -n=shop port-forward svc/web 8080:80',
    'kubectl exec -it web-0 -- bash',
    'kubectl exec web-0 --stdin --tty -- bash',
    'kubectl get pods -w',
    'kubectl logs web-0 --follow',
    'docker attach web',
    'docker exec -ti web sh',
    'docker logs -f web',
    'docker stats',
    'journalctl -u nginx -f',
    'tail -F /var/log/syslog',
  ])('%s is refused, with what to do instead', (line) => {
    expect(interactiveAdvice(line.split(' '))).toMatch(/\. [A-Z]/);
  });

  test.each([
    'kubectl exec web-0 -- tail -f /var/log/x',
    'kubectl exec web-0 -- vi',
    'kubectl get pods -o wide',
    'kubectl logs web-0 --tail=10',
    'docker exec web ls -it',
    'docker stats --no-stream web',
    'docker logs --since=1h web',
    'journalctl -u nginx --since=-1h',
    'tail -n 20 /var/log/syslog',
    'echo vim',
  ])('%s is not', (line) => {
    expect(interactiveAdvice(line.split(' '))).toBeUndefined();
  });

  test('a tool file that holds such a call does not load', () => {
    const text = `version: 1
system: x
tools:
  - { name: follow, description: Follows a log for ever., risk_level: low, run: { kind: command, argv: [tail, -f, /var/log/syslog] } }`;
    const { problems } = loadToolFiles([{ path: 'x.yaml', text }], executors);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('never ends')]);
  });
});
