import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as afterMs } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { isRunning, processTree } from '../jupyter/process-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { connectTo, type KernelSocket } from './kernel-socket.js';
import { buildPage, HEADERS, type PageProcess, startPage } from './page-process.js';

let built: Awaited<ReturnType<typeof buildPage>>;
beforeAll(async () => {
  built = await buildPage();
});
afterAll(() => built.remove());

async function start(): Promise<{ page: PageProcess; folder: string }> {
  const folder = await temporaryFolder();
  const page = await startPage(built.program, folder);
  onTestFinished(() => void page.process.kill('SIGKILL'));
  return { page, folder };
}

async function openNotebook(page: PageProcess, path: string): Promise<{ id: string; socket: KernelSocket }> {
  const begun = await page.ask('POST', '/api/sessions', { path, type: 'notebook' });
  const { kernel } = (await begun.json()) as { kernel: { id: string } };
  return { id: kernel.id, socket: await connectTo(page.url, kernel.id, { headers: HEADERS }) };
}

/** Those of the processes that still run after a while. */
async function remaining(ids: readonly number[]): Promise<number[]> {
  for (let round = 0; round < 500 && ids.some(isRunning); round++) await afterMs(20);
  return ids.filter(isRunning);
}

/** A cell that has a child of its own and never gives way. */
const BUSY = `require('node:child_process').spawn('sleep', ['600']); console.log('on'); for (;;);`;

test('the end of the page ends every process, whatever its cells do, with pages connected', async () => {
  const { page } = await start();
  const busy = await openNotebook(page, 'busy.ipynb');
  const idle = await openNotebook(page, 'idle.ipynb');
  await idle.socket.over(idle.socket.run('const a: number = "text"'));
  const cell = busy.socket.run(BUSY);
  await busy.socket.until(({ content }) => content.text === 'on\n');
  // Two runners, two type servers, which come later, and the child.
  await expect.poll(() => processTree(page.pid).slice(1).length).toBeGreaterThanOrEqual(5);
  const processes = processTree(page.pid).slice(1);
  await page.close();
  expect(await remaining(processes)).toEqual([]);
  await expect.poll(() => [busy.socket.code, idle.socket.code]).toEqual([1001, 1001]);
  expect(busy.socket.text(cell)).toBe('on\n');
});

test('a machine that sleeps and wakes finds its kernels, and its pages what they missed', async () => {
  const { page } = await start();
  const { socket } = await openNotebook(page, 'a.ipynb');
  await socket.over(socket.run('let n = 0; setInterval(() => n++, 100)'));
  const processes = processTree(page.pid);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processes) process.kill(pid, name);
  };
  const cell = socket.run('await new Promise((done) => setTimeout(done, 500)); console.log(n > 0)');
  signal('SIGSTOP');
  await afterMs(2000);
  signal('SIGCONT');
  await socket.over(cell);
  expect(socket.text(cell)).toBe('true\n');
  expect(socket.code).toBeUndefined();
});

const KILLS = 20;

test('a page that is killed at any moment leaves no process and no damaged notebook', async () => {
  let [withCells, withFile] = [0, 0];
  for (let kill = 0; kill < KILLS; kill++) {
    const { page, folder } = await start();
    const isKilled = afterMs(kill * 60).then(() => {
      // Stopped first, so that no process starts between the look and the kill.
      page.process.kill('SIGSTOP');
      const processes = processTree(page.pid);
      page.process.kill('SIGKILL');
      return processes;
    });
    let saved = 0;
    const work = async () => {
      for (; ; saved++) {
        await page.ask('PUT', '/api/contents/saved.ipynb', { type: 'notebook', content: notebook(saved) });
        const { socket } = await openNotebook(page, `${saved}.ipynb`);
        socket.run(saved % 2 === 0 ? BUSY : 'const a: number = "text"');
      }
    };
    // Its connection ends with the server's process.
    const ended = work().catch(() => {});
    const processes = await isKilled;
    if (processes.length > 1) withCells++;
    expect(await remaining(processes), `kill ${kill}`).toEqual([]);
    await Promise.race([ended, afterMs(1000)]);
    const text = await readFile(join(folder, 'saved.ipynb'), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    withFile++;
    expect([saved - 1, saved].map(notebook)).toContainEqual(contentOf(text));
  }
  // Some of the moments must have been such at which there was something to end and to damage.
  expect(Math.min(withCells, withFile)).toBeGreaterThan(0);
});

/** A large notebook, which takes a while to write. */
function notebook(number: number) {
  const source = `${number}\n`.repeat(100_000);
  const cell = { cell_type: 'code', id: 'a', metadata: {}, execution_count: null, outputs: [], source };
  return { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
}

function contentOf(text: string) {
  const content = JSON.parse(text);
  const [cell] = content.cells;
  return { ...content, metadata: {}, cells: [{ ...cell, source: [cell.source].flat().join('') }] };
}

test('fifty restarts leave memory, processes and handles as they were', async () => {
  const { page } = await start();
  const { id, socket } = await openNotebook(page, 'a.ipynb');
  const restart = async () => {
    const restarted = page.ask('POST', `/api/kernels/${id}/restart`);
    // Before its answer: it runs in the new process, or is told that it did not run.
    const early = socket.run('"early"', { cellId: 'b' });
    expect((await restarted).status).toBe(200);
    const reply = await socket.over(
      socket.run('const a: number = "text"; console.log("x".repeat(1e6))', { cellId: 'a' }),
    );
    expect(['ok', 'error', 'aborted']).toContain((await socket.over(early)).content.status);
    expect(reply.content.status).toBe('ok');
    expect(reply.content.execution_count).toBeLessThanOrEqual(2);
    socket.seen.length = 0;
  };
  const measure = async () => {
    // Until the type server of the last start is there, and those before are gone.
    await expect.poll(() => processTree(page.pid).length).toBe(3);
    return page.measure();
  };
  for (let round = 0; round < 10; round++) await restart();
  // As fast as a reader can press the button: the kernel before has hardly begun.
  await Promise.all(Array.from({ length: 5 }, () => page.ask('POST', `/api/kernels/${id}/restart`)));
  await restart();
  const before = await measure();
  for (let round = 0; round < 50; round++) await restart();
  const after = await measure();
  expect(after.resources).toBeLessThanOrEqual(before.resources + 1);
  expect(after.heap - before.heap).toBeLessThan(3);
  // The collector gives pages back to the system when it likes; what is lost never comes back.
  await expect.poll(async () => (await page.measure()).rss - before.rss).toBeLessThan(25);
}, 300_000);
