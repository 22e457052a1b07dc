import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as afterMs } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { buildPage, type PageProcess, startPage } from './page-process.js';

const KILLS = 20;

let built: Awaited<ReturnType<typeof buildPage>>;
beforeAll(async () => {
  built = await buildPage();
});
afterAll(() => built.remove());

/** A notebook whose every part holds its version, so that a mixture of two shows. */
function notebook(version: number) {
  const cell = (index: number) => ({ cell_type: 'raw', id: `cell-${index}`, source: `v${version}`, metadata: {} });
  const cells = Array.from({ length: 300 }, (_, index) => cell(index));
  return { cells, metadata: { version }, nbformat: 4, nbformat_minor: 5 };
}

/** Saves one version after another until the server is gone, and tells the last one that it confirmed. */
async function saveOn(page: PageProcess, path: string, body: (version: number) => object, confirmed: number[]) {
  for (let version = (confirmed.at(-1) ?? 0) + 1; ; version++) {
    const answer = await page.ask('PUT', `/api/contents/${path}`, body(version)).catch(() => undefined);
    if (!answer) return;
    expect(answer.status).toBeLessThan(300);
    confirmed.push(version);
  }
}

/** Uploads a file in pieces, again and again, until the server is gone. */
async function uploadOn(page: PageProcess): Promise<void> {
  for (let piece = 0; ; piece++) {
    const body = { type: 'file', format: 'text', content: 'x'.repeat(200_000), chunk: (piece % 4) + 1 };
    if (!(await page.ask('PUT', '/api/contents/upload.bin', body).catch(() => undefined))) return;
  }
}

test('a page that is killed at any moment of a save leaves each file whole, and not older than it confirmed', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'bystander.txt'), 'untouched');
  await mkdir(join(folder, '.state'), { recursive: true });
  const notebooks: number[] = [];
  const texts: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const page = await startPage(built.program, folder);
    onTestFinished(() => void page.process.kill('SIGKILL'));
    const [savedBefore, textsBefore] = [notebooks.length, texts.length];
    const saves = Promise.all([
      saveOn(
        page,
        'a.ipynb',
        (version) => ({ type: 'notebook', format: 'json', content: notebook(version) }),
        notebooks,
      ),
      saveOn(
        page,
        'b.txt',
        (version) => ({ type: 'file', format: 'text', content: `${version} `.repeat(50_000) }),
        texts,
      ),
      uploadOn(page),
    ]);
    // Not before something was saved; then at another moment each time.
    while (notebooks.length === savedBefore || texts.length === textsBefore) await afterMs(1);
    await afterMs(kill * 3.7);
    page.process.kill('SIGKILL');
    await saves;
    const read = JSON.parse(await readFile(join(folder, 'a.ipynb'), 'utf8'));
    const { version } = read.metadata;
    expect(read.cells.map(({ source }: { source: string[] }) => source.join(''))).toEqual(
      Array.from({ length: 300 }, () => `v${version}`),
    );
    const last = notebooks.at(-1) ?? 0;
    expect([version - last, kill]).toEqual([expect.toBeOneOf([0, 1]), kill]);
    const text = await readFile(join(folder, 'b.txt'), 'utf8');
    const [number = ''] = text.split(' ', 1);
    expect([text === `${number} `.repeat(50_000), Number(number) - (texts.at(-1) ?? 0)]).toEqual([
      true,
      expect.toBeOneOf([0, 1]),
    ]);
    notebooks.push(version);
    texts.push(Number(number));
    const visible = (await readdir(folder)).filter((name) => !name.startsWith('.'));
    expect(visible.sort()).toEqual(['a.ipynb', 'b.txt', 'bystander.txt']);
  }
  expect(await readFile(join(folder, 'bystander.txt'), 'utf8')).toBe('untouched');
}, 120_000);
