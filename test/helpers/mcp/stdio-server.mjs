// An MCP server on stdio: node stdio-server.mjs SCENARIO.json. Beside the keys of answers.mjs: garbage (printed first), stderr, stubborn
// (it ends neither with its stdin nor by SIGTERM), pidFile.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createServer } from './answers.mjs';

const path = process.argv[2];
const { garbage, stderr, stubborn, pidFile, exit } = JSON.parse(readFileSync(path, 'utf8'));
if (stderr) process.stderr.write(stderr);
if (garbage) process.stdout.write(garbage);
if (exit !== undefined) process.exit(exit);
if (stubborn) {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1_000);
}
if (pidFile) {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  child.unref();
  appendFileSync(pidFile, `${process.pid} ${child.pid}\n`);
}
const answer = createServer(path, (message) => process.stdout.write(`${JSON.stringify(message)}\n`));
createInterface({ input: process.stdin }).on('line', (line) => void answer(JSON.parse(line)));
