import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPageAbsent, notebookOf, openPage } from './open-page.js';

const COUNT = 3000;

describe.skipIf(isPageAbsent('a page whose connection breaks'))(
  'a page whose connection breaks again and again',
  () => {
    const counting = `for (let i = 0; i < ${COUNT}; i++) { console.log(i); await new Promise((done) => setTimeout(done, 1)); } 'end'`;
    const lab = openPage({ files: { 'counting.ipynb': notebookOf([counting]) } });
    const sockets = new Set<Socket>();
    let between: Server;
    beforeAll(async () => {
      // A bad network between the browser and the server.
      between = createServer((near) => {
        const far = connect(Number(new URL(lab.url).port), '127.0.0.1');
        near.pipe(far).pipe(near);
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.on('error', () => {});
          socket.once('close', () => {
            near.destroy();
            far.destroy();
            sockets.delete(socket);
          });
        }
      });
      await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
    });
    afterAll(() => {
      for (const socket of sockets) socket.destroy();
      between.close();
    });

    it('shows each output once, in order', async () => {
      const { port } = between.address() as AddressInfo;
      await lab.page.goto(`http://127.0.0.1:${port}/lab/tree/counting.ipynb`);
      await lab.kernelIdle();
      await lab.page.locator('.jp-Notebook .jp-CodeCell').first().click();
      await lab.page.keyboard.press('Shift+Enter');
      const shown = () => lab.shown(lab.cells.first());
      for (let cut = 0; cut < 6; cut++) {
        const before = await shown();
        await expect.poll(shown).not.toBe(before);
        for (const socket of sockets) socket.destroy();
      }
      await expect.poll(shown).toContain('end');
      expect((await shown()).split(/\s+/)).toEqual([...Array.from({ length: COUNT }, (_, i) => String(i)), "'end'"]);
      // What broke is what the page wrote into its console.
      expect(
        lab.takeFaults().filter((fault) => !/WebSocket|ERR_|asks elsewhere|NetworkError|Failed to fetch/.test(fault)),
      ).toEqual([]);
    });
  },
);
