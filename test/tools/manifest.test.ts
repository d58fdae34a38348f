import { describe, expect, test } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import { rewriteManifests } from '../../src/tools/manifest.js';
import { aTool } from '../helpers/fakes.js';

const tool = aTool({
  parameters: { type: 'object', properties: { manifest: { type: 'string', 'x-format': 'kubernetes-manifest' } } },
});
const read = (manifest: string) => {
  const { args, notes } = rewriteManifests({ manifest, other: 'kind: Secret' }, tool);
  return {
    documents: `${args.manifest}`.split('\n---\n').map((text) => JSON.parse(text) as Record<string, unknown>),
    notes,
    other: args.other,
  };
};
const kinds = (manifest: string) => read(manifest).documents.map(({ kind }) => kind);

describe('rewriteManifests', () => {
  test.each([
    ['is no YAML', 'a: [', /not YAML/],
    ['holds a key twice', 'apiVersion: v1\nkind: Pod\nkind: Secret', /unique/i],
    ['is empty', '# nothing', /no object/],
    ['is no object', '- a', /must be an object/],
    ['has no kind', 'apiVersion: v1', /lacks kind/],
    ['has a kind that is no word', 'apiVersion: v1\nkind: "Sec ret"', /not a kind/],
    [
      'hides objects in the items of another kind',
      'apiVersion: v1\nkind: ConfigMap\nitems: [{kind: Secret}]',
      /cannot hold items/,
    ],
    ['holds an octal number', 'apiVersion: v1\nkind: Pod\nmode: 0400', /two ways/],
    ['holds a word for true', 'apiVersion: v1\nkind: Pod\nprivileged: yes', /two ways/],
    ['holds a sexagesimal number', 'apiVersion: v1\nkind: Pod\nport: 22:22', /two ways/],
    ['holds a number that is not kept', 'apiVersion: v1\nkind: Pod\nid: 12345678901234567890', /not kept exactly/],
    ['is nested without end', `apiVersion: v1\nkind: Pod\na: ${'['.repeat(200)}`, /not YAML/],
    [
      'expands without end',
      `apiVersion: v1\nkind: Pod\na: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]`,
      /not YAML/,
    ],
  ])('refuses a manifest that %s', (_, manifest, message) => {
    expect(() => read(manifest)).toThrow(OpsError);
    expect(() => read(manifest)).toThrow(message);
  });

  test('takes lists of any kind apart, as kubectl reads them', () => {
    expect(kinds('apiVersion: v1\nkind: SecretList\nitems: [{metadata: {name: a}}, {kind: ConfigMap}]')).toEqual([
      'Secret',
      'ConfigMap',
    ]);
    expect(
      kinds('apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node}]}]'),
    ).toEqual(['Node']);
  });

  test('shows what escapes, anchors and merges mean', () => {
    expect(kinds('apiVersion: v1\n"\\x6bind": "\\x53ecret"')).toEqual(['Secret']);
    expect(kinds('apiVersion: v1\nkind: &k Secret\n---\napiVersion: v1\nkind: Pod\nlabels: {k: x}')).toEqual([
      'Secret',
      'Pod',
    ]);
    expect(read('base: &b {privileged: true}\napiVersion: v1\nkind: Pod\nspec: {<<: *b}').documents[0]?.spec).toEqual({
      privileged: true,
    });
  });

  test('says what it read, and leaves other arguments alone', () => {
    const { notes, other } = read('apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}');
    expect([notes, other]).toEqual([['manifest read as Pod shop/web'], 'kind: Secret']);
  });

  test('quoted words and numbers are what they are', () => {
    expect(
      read('apiVersion: v1\nkind: ConfigMap\ndata: {a: "yes", b: "0400", c: "22:22", d: 8080, e: true}').documents[0]
        ?.data,
    ).toEqual({ a: 'yes', b: '0400', c: '22:22', d: 8080, e: true });
  });
});
