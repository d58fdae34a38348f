import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadBash } from '../../../src/lib/bash.js';
import { bindScript } from '../../../src/tools/sources/holmesgpt/bind.js';
import { importCommand, planOf } from '../../helpers/holmesgpt.js';

const why = async (command: string): Promise<string> => {
  const made = await importCommand(command);
  return typeof made === 'string' ? made.replace('a/b: the tool "t" is left out: ', '') : 'imported';
};

describe('a template in which a value could be read as code is left out', () => {
  test.each([
    ['{{ program }} get pods', 'a value would be the name of a program (line 1).'],
    ['kubectl-{{ plugin }} get pods', 'a value would be the name of a program (line 1).'],
    ['p={{ p }}; $p get pods', '$p stands without double quotes and may be a value (line 1).'],
    ['p={{ p }}; "$p" get pods', 'a value would be the name of a program.'],
    ['{{ a }}=1 kubectl get pods', 'a value stands where it cannot be told what reads it (line 1).'],
    ['PATH={{ path }} kubectl get pods', 'PATH would be a value (line 1).'],
    ['x={{ x }}; IFS=$x', 'IFS would be a value (line 1).'],
    ['SECONDS={{ x }}', 'SECONDS would be a value (line 1).'],
    ['eval "kubectl get {{ kind }}"', 'eval reads its arguments as code, which is not done where values are used.'],
    ['x={{ x }}\neval "$x"', 'eval reads its arguments as code, which is not done where values are used.'],
    ['source {{ file }}', 'source reads its arguments as code, which is not done where values are used.'],
    ['ssh {{ host }} uptime', 'ssh reads its arguments as code, which is not done where values are used.'],
    [
      'watch -n 1 kubectl get {{ kind }}',
      'watch reads its arguments as code, which is not done where values are used.',
    ],
    ['sudo {{ program }}', 'a value would tell sudo what to start.'],
    ['timeout 5 {{ program }}', 'a value would tell timeout what to start.'],
    ['find . -exec {{ program }} +', 'a value would tell find what to start.'],
    ['sudo python3 -c "print(1)" {{ x }}', 'a value would be an argument of python3, which can run anything.'],
    ["python3 -c 'print({{ x }})'", 'a value would be an argument of python3, which can run anything.'],
    ['echo {{ x }} | python3', 'python3 may read code that is made of values.'],
    ['echo {{ x }} | bash', 'bash may read code that is made of values.'],
    ['bash -s <<< {{ x }}', 'bash may read code that is made of values.'],
    ['bash {{ file }}', 'a value would tell bash what to run.'],
    ['x={{ x }}; bash -c "kubectl get $x"', 'the code of bash -c is made while the script runs.'],
    ["sh -c 'eval {{ x }}'", 'eval reads its arguments as code, which is not done where values are used.'],
    [`sh -c 'eval "$1"' sh {{ x }}`, 'eval reads its arguments as code, which is not done where values are used.'],
    ["sh -c 'kubectl get $1' sh {{ x }}", '$1 stands without double quotes and may be a value (line 1).'],
    ["sh -c 'echo {{ x }} $0' a b", 'the code of sh -c has arguments of its own beside the values in it.'],
    [
      "kubectl exec {{ pod }} -- bash -c 'eval {{ x }}'",
      'eval reads its arguments as code, which is not done where values are used.',
    ],
    [
      "kubectl exec p -- python3 -c 'print({{ x }})'",
      'a value would be an argument of python3, which can run anything.',
    ],
    ['kubectl exec p -- jq \'.a == "{{ x }}"\'', 'a value stands in a program of jq that gets no values of its own.'],
    ["echo {{ x }} | xargs -I{} sh -c 'ls {}'", 'xargs starts sh with what it reads.'],
    ["jq '.items[{{ index }}]'", 'a value stands in a program of jq, outside its strings.'],
    ['jq ".a == \\"\\({{ x }})\\""', 'a value stands in a program of jq, outside its strings.'],
    ["awk '/{{ pattern }}/ {print}'", 'a value may become code of awk.'],
    ['awk {{ program }}', 'a value may become code of awk.'],
    ["echo {{ x }} | awk '{system($0)}'", 'a program of awk may start what a value says.'],
    ["sed 's/a/{{ x }}/'", 'a script of sed may run what a value says.'],
    ["echo {{ x }} | sed 's/^/touch /e'", 'a script of sed may run what a value says.'],
    ['echo $(( {{ n }} + 1 ))', 'the shell computes with a value (line 1).'],
    ['n={{ n }}; echo $((n + 1))', 'the shell computes with n, which may be a value (line 1).'],
    ['n=$(echo {{ n }}); (( n > 1 )) && ls', 'the shell computes with n, which may be a value (line 1).'],
    ['[[ {{ n }} -gt 1 ]] && ls', 'a test in [[ ]] computes with something that may be a value (line 1).'],
    ['n={{ n }}; [ -v "$n" ] && ls', 'a test looks a variable up by its name (line 1).'],
    ['n={{ n }}; test -v "$n"', 'a test may look a variable up by its name.'],
    [`n={{ n }}; echo \${!n}`, `\${!n} does more than it can be checked for (line 1).`],
    [`n={{ n }}; echo "\${n@P}"`, `\${n@P} does more than it can be checked for (line 1).`],
    [`n={{ n }}; echo "\${x:n}"`, `\${x:n} does more than it can be checked for (line 1).`],
    [`echo "\${x:-{{ n }}}"`, 'a value stands where the shell computes (line 1).'],
    ['n={{ n }}; printf -v "$n" x', 'printf -v sets a variable.'],
    ['n={{ n }}; unset "$n"', 'unset is used in a way that it cannot be checked for (line 1).'],
    ['n={{ n }}; declare "$n=1"', 'declare is used in a way that it cannot be checked for (line 1).'],
    ['declare -i n={{ n }}', 'declare is used in a way that it cannot be checked for (line 1).'],
    ['a[{{ n }}]=1', 'an element of an array is chosen by something that may be a value (line 1).'],
    ['x={{ x }}; kubectl get $x', '$x stands without double quotes and may be a value (line 1).'],
    ['x=$y{{ x }}; z=$x; kubectl get a$z', '$z stands without double quotes and may be a value (line 1).'],
    ["echo $'{{ x }}'", 'a value stands where the shell computes (line 1).'],
    ['echo "\\{{ x }}"', 'a backslash stands before a value (line 1).'],
    ['echo \\{{ x }}', 'a backslash stands before a value (line 1).'],
    [`echo \${{ x }}`, 'a value stands without double quotes and may be a value (line 1).'],
    ["cat <<'END'\n{{ x }}\nEND", 'a value stands in a here-document whose end is quoted (line 2).'],
    ['cat <<END {{ x }}\na\nEND', 'its shell code cannot be read.'],
    ['kubectl get 2>/dev/null {{ x }} pods', 'its shell code cannot be read.'],
    ['echo "{{ x }}', 'its shell code cannot be read.'],
    ['echo $ARG_X {{ x }}', 'it uses variables called ARG_…, which hold the values here.'],
    ['psql -c {{ x }}', 'psql reads its arguments as code, which is not done where values are used.'],
    ['#!/usr/bin/env python3\nprint({{ x }})', 'its script is not for a shell.'],
  ])('%s', async (command, reason) => {
    expect(await why(command)).toBe(reason);
  });
});

describe('a template whose text depends on what a value is, is left out', () => {
  test.each([
    [
      '{% if kind == "pods" %}kubectl get pods{% endif %} {{ kind }}',
      'its template depends on what a value is, not only on whether there is one.',
    ],
    ['kubectl get {{ kind | upper }}', 'its template changes a value with the filter upper.'],
    ['{% for x in list %}{{ x }}{% endfor %}', 'its template uses what cannot be imported (For).'],
    ['{% set x = kind %}{{ x }}', 'its template uses what cannot be imported (Set).'],
    ['{{ "".constructor }}', 'its template reads .constructor, which there is not here.'],
    ['{{ kind() }}', 'its template uses what cannot be imported (CallExpression).'],
    ["curl {{ request_context.headers['X'] }}", 'its template reads request_context.headers, which there is not here.'],
    ['{{ a }}{% if a %}{% if b %}{% endif %}{% endif %} {% if', 'its template cannot be read'],
    [
      '{% if a1 %}{{ a1 }}{% endif %}{% if a2 %}{{ a2 }}{% endif %}{% if a3 %}{{ a3 }}{% endif %}{% if a4 %}{{ a4 }}{% endif %}{% if a5 %}{{ a5 }}{% endif %}{% if a6 %}{{ a6 }}{% endif %}{% if a7 %}{{ a7 }}{% endif %}',
      'it has more than 6 parameters that may be absent.',
    ],
  ])('%s', async (command, reason) => {
    expect((await why(command)).startsWith(reason)).toBe(true);
  });
});

test.each([
  'kubectl get {{ kind }}; n=1; echo $((n + 1))',
  'kubectl get {{ kind }}; if [ $? -ne 0 ]; then exit 1; fi',
  `x={{ x }}; kubectl get "$x" "\${x}" "\${x:-none}" "\${x%%.*}"`,
  'for pod in $(kubectl get {{ kind }} -o name); do kubectl describe "$pod"; done',
  "kubectl get {{ kind }} | awk '{print $1}' | sed -e 's/a/b/g' | sort | uniq -c",
  'kubectl get {{ kind }} | python3 -m json.tool',
  'timeout 5 kubectl get {{ kind }}',
  'find {{ folder }} -name {{ name }}',
  'kubectl top node {{ node }}',
  'bash ./report.sh {{ kind }}',
])('%s is imported', async (command) => {
  expect(typeof (await importCommand(command))).toBe('object');
});

test('a script that reads the variable of a value itself is refused: where values stand could not be told', async () => {
  const context = {
    variables: ['ARG_X'],
    parse: await loadBash(),
    reference: (name: string) => `\${${name}}`,
    nested: false,
  };
  expect(() => bindScript(`echo \${ARG_X} oPsVaL000E`, context)).toThrow('cannot be told for certain');
  expect(bindScript('echo oPsVaL000E', context)).toBe(`echo "\${ARG_X}"`);
});

describe('what would run', () => {
  test('the script is the same for any values; only which parameters are there counts', async () => {
    const tool = await importCommand(
      'kubectl get {{ kind }}{% if ns %} -n {{ ns }}{% else %} -A{% endif %} | grep {{ word }}',
    );
    if (typeof tool === 'string') throw new Error(tool);
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => !/^-|\0/.test(value));
    fc.assert(
      fc.property(text, text, text, (kind, ns, word) => {
        expect(planOf(tool, { kind, ns, word }).payload.code).toBe(
          `kubectl get "\${ARG_KIND}" -n "\${ARG_NS}" | grep "\${ARG_WORD}"`,
        );
        expect(planOf(tool, { kind, word }).payload.code).toBe(`kubectl get "\${ARG_KIND}" -A | grep "\${ARG_WORD}"`);
      }),
    );
  });

  test('null and an empty text mean that there is no value', async () => {
    const tool = await importCommand('kubectl get {{ kind }}{% if ns %} -n {{ ns }}{% endif %}');
    if (typeof tool === 'string') throw new Error(tool);
    for (const ns of [null, ''])
      expect(planOf(tool, { kind: 'pods', ns })).toMatchObject({
        tokens: ['bash', `kubectl get "\${ARG_KIND}"`],
        payload: { arguments: { ARG_KIND: 'pods' } },
      });
  });

  test('a value that begins with a hyphen is refused where it would be an option, and taken after --', async () => {
    const bare = await importCommand('grep {{ word }} {{ file }}');
    const after = await importCommand('grep -e x -- {{ file }}');
    if (typeof bare === 'string' || typeof after === 'string') throw new Error('not imported');
    expect(() => planOf(bare, { word: '-f', file: 'x' })).toThrow(
      'word begins with "-", and would be an option of grep.',
    );
    expect(planOf(after, { file: '-f' }).payload.arguments).toEqual({ ARG_FILE: '-f' });
  });

  test('a NUL character is refused', async () => {
    const tool = await importCommand('grep {{ word }}');
    if (typeof tool === 'string') throw new Error(tool);
    expect(() => planOf(tool, { word: 'a\0b' })).toThrow('word holds a NUL character');
  });

  test('a script that was changed after its import does not run', async () => {
    const tool = await importCommand('kubectl get {{ kind }}');
    if (typeof tool === 'string') throw new Error(tool);
    const changed = JSON.parse(JSON.stringify(tool).replaceAll('kubectl get', 'kubectl delete'));
    expect(() => planOf(changed, { kind: 'pods' })).toThrow('not what was imported');
  });
});
