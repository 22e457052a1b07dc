import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSheetMaker } from '../../src/cli/sheet-maker.js';
import { runCommand } from '../support/run-command.js';
import { ask, serveFolder } from '../support/serve-folder.js';
import { ingestSmall } from '../support/small-market.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const UNKNOWN = `0x${'9'.repeat(40)}`;

async function market() {
  const folder = await temporaryFolder();
  await ingestSmall(folder);
  const trades = JSON.parse(await readFile(join(folder, 't.json'), 'utf8')) as { proxyWallet: string }[];
  return { folder, wallet: trades[0]?.proxyWallet ?? '' };
}

describe('oddslab tearsheet', () => {
  it('writes a page, and says which wallet nobody has seen', async () => {
    const { folder, wallet } = await market();
    const out = join(folder, 'w.html');
    const { code, out: said, err } = await runCommand(['tearsheet', wallet, UNKNOWN, '--data', folder, '--out', out]);
    expect([code, said]).toEqual([5, `${out}\n`]);
    expect(err).toContain(
      `not seen: no record mentions ${UNKNOWN} (run: npx oddslab fetch wallet ${UNKNOWN} --data ${folder})`,
    );
    expect(err.split(UNKNOWN).length - 1).toBe(2);
    expect(err).not.toContain('OddslabWarning');
    // The page has what a record lacks beside its figures.
    expect(err).not.toContain('is not complete');
    const page = await readFile(out, 'utf8');
    expect(page).toContain('Which of these records holds water?');
    expect(page).toContain('80 of 80 fills without fees');
    const none = join(folder, 'none.html');
    const unseen = await runCommand(['tearsheet', UNKNOWN, '--data', folder, '--out', none]);
    expect([unseen.code, unseen.out, existsSync(none)]).toEqual([5, '', false]);
  });

  it.each([
    [['--out', 'w.pdf'], 'must end in .html, or be - for stdout; got w.pdf'],
    [['--start-time', 'May'], '--start-time must be a day such as 2026-01-01; got May.'],
    [['--end-time', '2026-02-31'], '--end-time must be a day such as 2026-01-01; got 2026-02-31.'],
    [
      ['--start-time', '2026-03-01', '--end-time', '2026-01-01'],
      '--start-time 2026-03-01 is after --end-time 2026-01-01: give the earlier day first.',
    ],
    [[1, 2, 3, 4, 5, 6].map((digit) => `0x${String(digit).repeat(40)}`), 'compares up to 6 wallets; got 7 addresses.'],
    [['0x12'], 'A wallet is 0x and 40 hexadecimal digits; got "0x12"'],
  ])('refuses %j', async (words, message) => {
    const { folder } = await market();
    const { err } = await runCommand(['tearsheet', UNKNOWN, ...words, '--data', folder]);
    expect(err).toContain(message);
  });
});

it('makes sheets of a service in a process of its own, one after the other, and passes on why it cannot', async () => {
  const { folder, wallet } = await market();
  const url = await serveFolder(folder);
  const maker = openSheetMaker();
  const signal = AbortSignal.timeout(60_000);
  const asked: unknown[] = [];
  const job = {
    wallets: [wallet],
    signal,
    ask: async (envelope: unknown) => {
      asked.push(envelope);
      const { status, text, json } = await ask(url, envelope);
      return status === 200 ? { body: text } : { problem: json };
    },
  };
  const sheet = await maker.make(job);
  expect(sheet.body).toContain(wallet);
  expect(sheet.body).toContain('this service');
  expect(sheet.style).toContain('.ts-sheet');
  expect(asked.length).toBeGreaterThan(0);
  expect((await maker.make({ ...job, wallets: [UNKNOWN] })).unseen).toEqual([UNKNOWN]);
  const busy = { type: 'about:blank', title: 'Busy', status: 503, detail: 'Busy.', request_id: '' };
  const refused = maker.make({ ...job, ask: async () => ({ problem: busy }) });
  await expect(refused).rejects.toMatchObject({ message: 'Busy.', details: { status: 503 } });
  const stop = new AbortController();
  const never = maker.make({ ...job, signal: stop.signal, ask: () => new Promise(() => {}) });
  setTimeout(() => stop.abort(), 100);
  await expect(never).rejects.toThrow('ended before this one was made');
  expect((await maker.make(job)).body).toContain(wallet);
  maker.close();
});
