import { describe, expect, test } from 'vitest';
import { assessRisk } from '../../src/policy/risk.js';
import { importCommand, planOf } from '../helpers/holmesgpt.js';

async function riskOf(command: string): Promise<string> {
  const tool = await importCommand(command);
  if (typeof tool === 'string') throw new Error(tool);
  return assessRisk({ id: 'c1', tool, args: {}, repairs: [], action: planOf(tool, {}) }).risk;
}

const HIDDEN = "'a[$(touch /tmp/x)]'";

describe('a command that hides in a text which the shell reads once more makes a script high', () => {
  test.each([
    `[[ ${HIDDEN} -eq 0 ]]; ls`,
    `[ -v ${HIDDEN} ]; ls`,
    `test -v ${HIDDEN}`,
    `printf -v ${HIDDEN} x`,
    `x=${HIDDEN}; printf "$x" y`,
    `unset ${HIDDEN}; ls`,
    `read ${HIDDEN} <<< 1; ls`,
    `wait -p ${HIDDEN} -n; ls`,
    `x=${HIDDEN}; echo $((x))`,
    `x=1; x=$(cat f); echo $((x + 1))`,
    `x=${HIDDEN}; (( x )); ls`,
    `x=${HIDDEN}; for ((;x;)); do ls; done`,
    `x=${HIDDEN}; b[x]=1; ls`,
    `x=${HIDDEN}; b=([x]=1); ls`,
    `b['$(touch /tmp/x)']=1; ls`,
    `x=${HIDDEN}; y=abc; echo \${y:x:1}`,
    `x=${HIDDEN}; echo "\${!x}"`,
    `x='$(touch /tmp/x)'; echo "\${x@P}"`,
    `x=1; unset x; : "\${x:=${HIDDEN}}"; echo $((x))`,
    `f() { local -i x=${HIDDEN}; ls; }; ls`,
    `wc() { cat f; }; x=$(ls | wc -l); echo $((x))`,
    `PS4='$(touch /tmp/x)'; set -x; ls`,
  ])('%s', async (command) => {
    expect(await riskOf(command)).toBe('high');
  });
});

describe('what changes the programs or the files of a script without a command makes it high', () => {
  test.each([
    `: "\${PATH:=/tmp}"; ls`,
    'echo $((PATH = 1)); ls',
    '((PATH = 1)); ls',
    'printf -vPATH /tmp; ls',
    "set -a; GREP='touch /tmp/x;'; zgrep a b",
    'set -o allexport; ls',
    'set -k; ls',
    'mktemp /etc/x.XXXX; ls',
    `awk '{print ";" > "/tmp/x"}'`,
    `awk '{print "}" > "/tmp/x"}'`,
    `awk 'BEGIN{print "a",\n"b" > "/tmp/x"}'`,
    `awk '{print /;/ > "/tmp/x"}'`,
  ])('%s', async (command) => {
    expect(await riskOf(command)).toBe('high');
  });
});

test.each([
  'n=0; n=$((n + 1)); echo "$n"',
  'n=$(ls | wc -l); echo $((n + 1)); if [[ $n -gt 3 ]]; then ls; fi',
  'now=$(date +%s); echo $((now - 3600))',
  'n=$(ls | wc -l); if [ "$n" -gt 3 ]; then ls; fi',
  'for ((i = 0; i < 3; i++)); do echo "$i"; done',
  `x=abc; echo "\${x:0:2} \${x%c}"`,
  'f() { local x=1; echo "$x"; }; f() { ls; }; ls',
  'set -euo pipefail; ls',
  'unset x; ls',
  'read -r line < /tmp/f; ls',
  '[[ $x == a* ]]; ls',
  '[[ -n "$x" ]]; ls',
  "awk '$4 > 3 {print $1}'",
  "awk '{print $1} $2 > 5 {n++}'",
])('an ordinary script stays low: %s', async (command) => {
  expect(await riskOf(command)).toBe('low');
});
