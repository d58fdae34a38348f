import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/types.js';
import { at, listAt, nameOf, textAt } from '../../src/dump/json.js';
import { openDump } from '../../src/dump/open.js';
import { labelsOf, podSelectorOf } from '../../src/dump/selectors.js';
import { askExample, EXAMPLE } from './make-dump.js';

const dump = await openDump(EXAMPLE);
const all = new Map<string, readonly JsonObject[]>();
for (const kind of dump.kinds) all.set(kind.plural, (await dump.list(kind)).items);
const of = (plural: string): readonly JsonObject[] => all.get(plural) ?? [];
const everything = [...all].filter(([plural]) => plural !== 'secrets').flatMap(([, items]) => items);
const uidOf = (object: JsonObject): string => textAt(object, 'metadata', 'uid');

describe('the example is consistent', () => {
  test('each object has a kind, a version, a name and a uid of its own', () => {
    for (const object of everything) {
      expect([textAt(object, 'kind'), textAt(object, 'apiVersion'), nameOf(object), uidOf(object)]).not.toContain('');
    }
    expect(new Set(everything.map(uidOf)).size).toBe(everything.length);
  });

  test('each owner is there', () => {
    for (const object of everything) {
      for (const owner of listAt(object, 'metadata', 'ownerReferences')) {
        const found = everything.find((each) => uidOf(each) === textAt(owner, 'uid'));
        expect([textAt(found, 'kind'), nameOf(found ?? {})]).toEqual([textAt(owner, 'kind'), textAt(owner, 'name')]);
      }
    }
  });

  test('each event is about something that is there, and no later than the dump', async () => {
    const now = await dump.now();
    for (const event of of('events')) {
      expect(everything.map(uidOf)).toContain(textAt(event, 'involvedObject', 'uid'));
      expect(Date.parse(textAt(event, 'firstTimestamp'))).toBeLessThanOrEqual(
        Date.parse(textAt(event, 'lastTimestamp')),
      );
      expect(Date.parse(textAt(event, 'lastTimestamp'))).toBeLessThanOrEqual(now);
    }
  });

  test('endpoints are the pods that services select, ready or not', () => {
    for (const service of of('services')) {
      const test = podSelectorOf(service);
      if (test === undefined) continue;
      const same = (each: JsonObject): boolean =>
        at(each, 'metadata', 'namespace') === at(service, 'metadata', 'namespace');
      const pods = of('pods').filter((pod) => same(pod) && test(labelsOf(pod)));
      const endpoints = of('endpoints').find((each) => same(each) && nameOf(each) === nameOf(service));
      const [subset] = listAt(endpoints, 'subsets');
      const ready = (pod: JsonObject): boolean =>
        listAt(pod, 'status', 'containerStatuses').every((status) => at(status, 'ready') === true);
      const ips = (some: readonly JsonObject[]): string[] => some.map((pod) => textAt(pod, 'status', 'podIP'));
      expect(listAt(subset, 'addresses').map((each) => textAt(each, 'ip'))).toEqual(ips(pods.filter(ready)));
      expect(listAt(subset, 'notReadyAddresses').map((each) => textAt(each, 'ip'))).toEqual(
        ips(pods.filter((pod) => !ready(pod))),
      );
    }
  });

  test('what pods refer to is there', () => {
    for (const pod of of('pods')) {
      expect(of('nodes').map(nameOf)).toContain(textAt(pod, 'spec', 'nodeName'));
      for (const variable of listAt(pod, 'spec', 'containers').flatMap((container) => listAt(container, 'env'))) {
        const map = at(variable, 'valueFrom', 'configMapKeyRef');
        if (map !== undefined) {
          const found = of('configmaps').find((each) => nameOf(each) === textAt(map, 'name'));
          expect(textAt(found, 'data', textAt(map, 'key'))).not.toBe('');
        }
        const secret = at(variable, 'valueFrom', 'secretKeyRef');
        if (secret !== undefined) {
          const found = of('secrets').find((each) => nameOf(each) === textAt(secret, 'name'));
          expect(listAt(found, 'keys')).toContain(textAt(secret, 'key'));
        }
      }
    }
  });

  test('each container has a log, and each that restarted one of its previous run', async () => {
    for (const pod of of('pods')) {
      const where = `${nameOf(pod)} -n ${textAt(pod, 'metadata', 'namespace')}`;
      expect(await askExample(`logs ${where}`)).toMatchObject({ exitCode: 0 });
      const restarted = listAt(pod, 'status', 'containerStatuses').some((status) => at(status, 'restartCount') !== 0);
      expect((await askExample(`logs ${where} -p`)).exitCode).toBe(restarted ? 0 : 1);
    }
  });
});

test('the example is complete for each namespace', async () => {
  for (const kind of dump.kinds) expect((await dump.list(kind)).unrecordedNamespaces, kind.plural).toEqual([]);
});

test('the example stays small, and holds no value of a Secret', () => {
  const files = readdirSync(EXAMPLE, { recursive: true, encoding: 'utf8' }).map((file) => join(EXAMPLE, file));
  const sizes = files.filter((file) => statSync(file).isFile()).map((file) => statSync(file).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400 * 1024);
  const values = JSON.parse(readFileSync(join(EXAMPLE, 'secret-keys.json'), 'utf8')).items.flatMap(
    (secret: { data: object }) => Object.values(secret.data),
  );
  expect(new Set(values)).toEqual(new Set(['']));
});
