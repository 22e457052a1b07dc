import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../../src/base/packages.js';

const TOKEN = 'token-of-a-page-in-a-process';

/** What every request of a test says. */
export const HEADERS = { authorization: `token ${TOKEN}` };

/** A page's server in a process of its own, without a front end. */
export interface PageProcess {
  process: ChildProcess;
  pid: number;
  url: string;
  ask(method: string, path: string, body?: unknown): Promise<Response>;
  /** What the process takes after a garbage collection: MB of memory, of its heap, and what keeps its event loop going. */
  measure(): Promise<{ rss: number; heap: number; resources: number }>;
  /** Has it close the page; resolves once it has. */
  close(): Promise<void>;
}

const SERVER = `
import { servePage } from './src/page/serve-page.ts';
const [folder] = process.argv.slice(2);
const options = { folder, frontEnd: folder, state: folder + '/.state', port: 0, env: process.env, log: console.error };
const page = await servePage({ ...options, token: ${JSON.stringify(TOKEN)} });
process.on('message', async (asked) => {
  if (asked === 'close') await page.close();
  else for (let i = 0; i < 3; i++) {
    await new Promise((done) => setTimeout(done, 100));
    globalThis.gc();
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo().length;
  process.send({ rss: rss / 1024 / 1024, heap: (heapUsed + external) / 1024 / 1024, resources });
});
process.send({ url: page.url });
`;

/** Builds the server for {@link startPage}; `remove` removes it. */
export async function buildPage(): Promise<{ program: string; remove(): Promise<void> }> {
  // Within the package, so that its dependencies are found from there.
  const cache = join(packageRoot(), 'node_modules', '.cache', 'oddslab');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'page-'));
  const program = join(folder, 'server.mjs');
  const stdin = { contents: SERVER, resolveDir: packageRoot(), loader: 'ts' as const };
  await build({ stdin, outfile: program, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  return { program, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Starts a built server over a folder. */
export async function startPage(program: string, folder: string): Promise<PageProcess> {
  const stdio: ['ignore', 'inherit', 'inherit', 'ipc'] = ['ignore', 'inherit', 'inherit', 'ipc'];
  const env = { ...process.env, ODDSLAB_HISTORY: 'off' };
  const child = spawn(process.execPath, ['--expose-gc', program, folder], { stdio, env });
  const answered = async () => (await once(child, 'message'))[0];
  const { url } = await answered();
  return {
    process: child,
    pid: child.pid ?? 0,
    url,
    ask: (method, path, body) =>
      fetch(url + path, { method, headers: HEADERS, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    async measure() {
      child.send('measure');
      return answered();
    },
    async close() {
      child.send('close');
      await answered();
    },
  };
}
