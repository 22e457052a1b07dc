import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Page as Served, servePage } from '../../../src/page/serve-page.js';
import { FRONT_END, isPageAbsent, notebookOf, openPage } from './open-page.js';

describe.skipIf(isPageAbsent('a page whose server ends'))('a page whose server ends', () => {
  const lab = openPage({ files: { 'mine.ipynb': notebookOf(['6 * 7']) } });
  let state = '';
  let served: Served | undefined;
  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), 'oddslab-ended-'));
  });
  afterAll(async () => {
    await served?.close();
    await rm(state, { recursive: true, force: true });
  });
  const serve = (port: number) => {
    const env = { ...process.env };
    return servePage({ folder: lab.folder, frontEnd: FRONT_END, port, state, env, log: () => {} });
  };
  const dialog = (text: string) => lab.page.locator('.jp-Dialog', { hasText: text });

  it('says so, goes on once it was started again, and says what is gone', async () => {
    served = await serve(0);
    const { port } = served;
    await lab.page.goto(served.address().replace('/lab?', '/lab/tree/mine.ipynb?'));
    await lab.cells.first().waitFor();
    // The page shows a kernel as idle before it has one.
    const kernels = () => lab.page.evaluate(async () => (await fetch('/api/kernels')).json());
    await expect.poll(kernels).toMatchObject([{ execution_state: 'idle', connections: 1 }]);
    await lab.settled();
    await served.close();
    await dialog('oddslab lab has ended').waitFor();
    expect(await lab.page.locator('.jp-Dialog').count()).toBe(1);
    served = await serve(port);
    await dialog('The next cell that you run starts one anew.').waitFor();
    await lab.answer('Close');
    await lab.cells.first().locator('.cm-content').click();
    await lab.page.keyboard.press('Shift+Enter');
    await expect.poll(() => lab.shown(lab.cells.first())).toBe('42');
    // Under another user's secret it would be another page.
    await served.close();
    await dialog('oddslab lab has ended').waitFor();
    await rm(join(state, 'cookie.key'));
    served = await serve(port);
    await dialog('Open the address that it printed').waitFor();
    await lab.answer('Close');
    await served.close();
    // What was cut off is what the page wrote into its console.
    expect(
      lab
        .takeFaults()
        .filter((fault) => !/WebSocket|ERR_|asks elsewhere|NetworkError|Failed to fetch|403|404/.test(fault)),
    ).toEqual([]);
  });
});
