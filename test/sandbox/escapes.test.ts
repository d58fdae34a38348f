import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SANDBOX_CHECKS } from '../../src/sandbox/checks.js';
import { newHome } from '../helpers/cli.js';
import { aSandbox } from './guests.js';

const { exec } = aSandbox();

describe('the sandbox holds', () => {
  test.each(SANDBOX_CHECKS)('$kind: $name', { timeout: 60_000 }, async (check) => {
    const { code, before, timeout, memory, holds } = check;
    if (before !== undefined) await exec(before);
    const limits = { ...(timeout !== undefined && { timeout }), ...(memory !== undefined && { memory }) };
    const { outcome, stdout, stderr } = await exec(code, { args: limits });
    const seen = { status: outcome.status, stdout, stderr, error: outcome.error?.message ?? '' };
    expect([holds(seen), seen]).toEqual([true, seen]);
  });

  test('a check that gets somewhere is seen', () => {
    const open = { status: 'ok', stdout: "OPEN 'root:x:0:0'\n", stderr: '', error: '' };
    const escapes = SANDBOX_CHECKS.filter(({ kind }) => kind === 'escape');
    expect(escapes.filter(({ holds }) => holds(open)).map(({ name }) => name)).toEqual([]);
    const unlimited = { status: 'ok', stdout: '', stderr: '', error: '' };
    const limits = SANDBOX_CHECKS.filter(({ kind }) => kind === 'limit');
    expect(limits.filter(({ holds }) => holds(unlimited)).map(({ name }) => name)).toEqual([]);
  });

  test('a secret in the environment and in the home folder of this program is nowhere to be found', async () => {
    const secret = `planted-${'s3cr3t'.repeat(4)}`;
    const home = newHome();
    mkdirSync(join(home, '.ssh'));
    writeFileSync(join(home, '.ssh/id_ed25519'), secret);
    process.env.PLANTED_TOKEN = secret;
    process.env.HOME = home;
    // Everything that can be read, and the whole of the guest's own memory that Python can reach.
    const { outcome, stdout } = await exec(
      [
        'import os, gc',
        'found = [repr(dict(os.environ))]',
        'for root, folders, names in os.walk("/"):',
        '    folders[:] = [name for name in folders if root != "/" or name != "dev"]',
        '    for name in names:',
        '        try: found.append(root + "/" + name + ": " + repr(open(os.path.join(root, name), "rb").read(1 << 20)))',
        '        except OSError as error: found.append(root + "/" + name + ": " + str(error))',
        `wanted = "".join(["planted", "-", "s3cr3t" * 4])`,
        `print(any(wanted in text for text in found), any(${JSON.stringify(home)}[1:8] in text and "id_ed25519" in text for text in found if "code.py" not in text), len(found) > 3)`,
      ].join('\n'),
    );
    delete process.env.PLANTED_TOKEN;
    expect([outcome.status, stdout]).toEqual(['ok', 'False False True\n']);
  });
});
