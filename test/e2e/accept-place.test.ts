import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acceptByCli, newHome, runCli } from '../helpers/cli.js';
import { aMcpTool, scripted } from '../helpers/mcp/scripted.js';

test('the same words start the same program wherever opsagent is started: another folder has no say', async () => {
  const home = newHome();
  const { server } = scripted({ tools: [aMcpTool('echo', { annotations: { readOnlyHint: true } })] });
  const [, program = '', scenario = ''] = server.command ?? [];
  const dir = join(home, '.config/opsagent/tools.d');
  mkdirSync(dir, { recursive: true });
  const command = [process.execPath, 'server.mjs', scenario];
  writeFileSync(join(dir, 'm.yaml'), JSON.stringify({ sources: [{ kind: 'mcp', name: 'near', command }] }));
  writeFileSync(join(home, 'server.mjs'), `await import(${JSON.stringify(program)});\n`);
  await acceptByCli(home, 'near');
  const elsewhere = newHome();
  const mark = join(elsewhere, 'mark');
  writeFileSync(
    join(elsewhere, 'server.mjs'),
    `import('node:fs').then((fs) => fs.writeFileSync(${JSON.stringify(mark)}, ''));`,
  );
  const run = await runCli(['tools', 'run', 'near_echo', '--args', '{"text":"hi"}'], { home, cwd: elsewhere });
  expect([run.code, existsSync(mark)]).toEqual([0, false]);
});
