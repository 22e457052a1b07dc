import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { endOf } from '../../support/run-command.js';
import { faultServer, type Listening, rawServer, sendWith } from '../fault-server.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs a program that has `openTransport` and the server's `url`, in a process of its own, to its own end. */
async function runProgram(server: Listening, program: string) {
  // Within the package, so that undici is found from there.
  const folder = join(root, 'node_modules', '.cache', 'oddslab', `exit-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'program.mjs');
  const contents = `import { openTransport } from './src/client/transport/transport.ts'; const url = '${server.url}'; ${program}`;
  const bundling = { bundle: true, platform: 'node', format: 'esm', packages: 'external', outfile } as const;
  await build({ stdin: { contents, resolveDir: root, loader: 'ts' }, ...bundling });
  return endOf(spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'pipe'] }));
}

// Each would keep its process alive, and so run into the test's time limit, if a socket or a timer were left.
it.each<[string, string]>([
  ['forgets to close', `await openTransport(url).post({});`],
  ['closes', `const t = openTransport(url); await t.post({}); await t.close();`],
  ['has a request refused', `await openTransport(url).post({ agent_id: 400 }).catch(() => {});`],
  ['sends several at a time', `const t = openTransport(url); await Promise.all([1, 2, 3].map(() => t.post({})));`],
  [
    'aborts while it waits for an answer',
    `await openTransport(url).post({ agent_id: 0 }, AbortSignal.timeout(100)).catch(() => {});`,
  ],
  [
    'aborts while it waits for the service',
    `await openTransport(url).post({ agent_id: 429 }, AbortSignal.timeout(100)).catch(() => {});`,
  ],
  ['has no time at all', `await openTransport(url, { timeoutMs: 1 }).post({}).catch(() => {});`],
  ['gives up in time', `await openTransport(url, { timeoutMs: 100 }).post({ agent_id: 0 }).catch(() => {});`],
])('a process that %s ends by itself', async (_, program) => {
  const server = await faultServer(({ agent_id = 200 }, response) => {
    if (agent_id > 0) sendWith(response, agent_id, agent_id === 429 ? { 'retry-after': '200' } : {}, '{}');
  });
  // A server that would keep its connections for ever.
  server.server.keepAliveTimeout = 0;
  expect(await runProgram(server, `${program} console.log('done');`)).toEqual({ code: 0, out: 'done\n', err: '' });
});

it('loads undici with the first request, and zod never', async () => {
  const server = await rawServer((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
  const program = `
    import { createRequire } from 'node:module';
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((file) => /undici|zod/.test(file));
    const t = openTransport(url);
    const before = loaded().length;
    await t.post({});
    console.log(before, loaded().some((file) => file.includes('undici')), loaded().some((file) => file.includes('zod')));`;
  expect(await runProgram(server, program)).toEqual({ code: 0, out: '0 true false\n', err: '' });
});

it('a process that aborts while it connects ends by itself', async () => {
  // A handshake that nobody answers.
  const server = await rawServer(() => {});
  const program = `
    const transport = openTransport(url.replace('http', 'https'), { connectTimeoutMs: 1e6, timeoutMs: 1e6 });
    await transport.post({}, AbortSignal.timeout(100)).catch(({ name }) => console.log(name));`;
  expect(await runProgram(server, program)).toEqual({ code: 0, out: 'TimeoutError\n', err: '' });
});
