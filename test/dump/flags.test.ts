import { describe, expect, test } from 'vitest';
import { parseArgs } from '../../src/dump/flags.js';
import { flagsOf } from '../../src/dump/verb-flags.js';

const parse = (...argv: string[]) => {
  const read = parseArgs(argv, flagsOf);
  return read.status === 'ok' ? { words: read.args.words, flags: Object.fromEntries(read.args.flags) } : read;
};

describe('flags that are refused', () => {
  test.each([
    [['get', 'pods', '--foo'], { status: 'unknown-flag', flag: '--foo', verb: 'get' }],
    [['get', 'pods', '--foo=1'], { status: 'unknown-flag', flag: '--foo', verb: 'get' }],
    [['get', 'pods', '-Z'], { status: 'unknown-flag', flag: '-Z', verb: 'get' }],
    [['-n', 'a', 'delete', 'pod', '--force'], { status: 'unknown-flag', flag: '--force', verb: 'delete' }],
    [['--output', 'json', 'get'], { status: 'unknown-flag', flag: '--output', verb: '' }],
    [['get', 'pods', '-n'], { status: 'bad', message: "flag needs an argument: 'n' in -n", verb: 'get' }],
    [['get', 'pods', '--namespace'], { status: 'bad', message: 'flag needs an argument: --namespace', verb: 'get' }],
  ])('%j', (argv, expected) => {
    expect(parse(...argv)).toEqual(expected);
  });

  test.each(['--as=admin', '--token=x', '--server=https://elsewhere', '-s', '--watch', '-w', '-f', '--raw=/api'])(
    'kubectl get %s asks for what a dump cannot do',
    (flag) => {
      expect(parse('get', 'pods', flag, 'x')).toMatchObject({ status: 'cannot', verb: 'get' });
    },
  );

  test('a switch takes only what Go takes for a boolean', () => {
    expect(parse('get', 'pods', '--no-headers=maybe')).toMatchObject({ status: 'bad' });
    expect(parse('get', 'pods', '--watch=false')).toMatchObject({ flags: { watch: ['false'] } });
  });
});

describe('flags that are taken', () => {
  const same = { words: ['get', 'pods'], flags: { namespace: ['shop'], output: ['json'] } };
  test.each([
    [['get', 'pods', '-n', 'shop', '-o', 'json']],
    [['get', 'pods', '-nshop', '-ojson']],
    [['get', 'pods', '-n=shop', '-o=json']],
    [['get', 'pods', '--namespace=shop', '--output=json']],
    [['get', 'pods', '--namespace', 'shop', '--output', 'json']],
    [['-n', 'shop', 'get', '-o', 'json', 'pods']],
    [['--namespace=shop', 'get', 'pods', '--output=json']],
  ])('%j', (argv) => {
    expect(parse(...argv)).toEqual(same);
  });

  test.each([
    [
      ['get', 'pods', '-Ao', 'json'],
      { words: ['get', 'pods'], flags: { 'all-namespaces': ['true'], output: ['json'] } },
    ],
    [['get', 'pods', '-A=false'], { words: ['get', 'pods'], flags: { 'all-namespaces': ['false'] } }],
    [['get', 'pods', '--', '-n', 'x'], { words: ['get', 'pods', '-n', 'x'], flags: {} }],
    [['get', 'pods', '-l', 'a=b,c!=d'], { words: ['get', 'pods'], flags: { selector: ['a=b,c!=d'] } }],
    [['get', 'pods', '-o', '-'], { words: ['get', 'pods'], flags: { output: ['-'] } }],
    [['get', 'pods', '--output='], { words: ['get', 'pods'], flags: { output: [''] } }],
    [
      ['logs', 'web', '-pc', 'app', '--tail=-1'],
      { words: ['logs', 'web'], flags: { previous: ['true'], container: ['app'], tail: ['-1'] } },
    ],
    [
      ['events', '--types=Normal', '--types', 'Warning'],
      { words: ['events'], flags: { types: ['Normal', 'Warning'] } },
    ],
  ])('%j', (argv, expected) => {
    expect(parse(...argv)).toEqual(expected);
  });
});
